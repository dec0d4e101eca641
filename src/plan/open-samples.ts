/**
 * What one instance of an open step will be like, before its list is written: the request as far as it is known, its price, its
 * facts, and the mistakes that show already. The plan tells by it what the step costs at most.
 */
import { type Demand, type Measure, NO_DEMAND } from '../domain/budget.ts';
import { calledAs, type InstanceKey, type StepName } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Step, Until } from '../domain/pipeline.ts';
import type { OpenStep } from '../domain/plan.ts';
import { evaluate } from '../language/evaluate.ts';
import { isPaid } from './kinds/index.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import { type PlanGraph, type Slot, stepNamed, stepsByModel } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { type DecidedBefore, type DraftInstance, Planner } from './planner.ts';
import { readsOf } from './value-reads.ts';

const NOTHING = { most: 0, usd: 0, priceBasis: '', demand: NO_DEMAND } as const;

export type Sample = Pick<OpenStep, 'most' | 'usd' | 'priceBasis' | 'demand' | 'request' | 'isOff'> &
  Partial<Pick<OpenStep, 'why'>>;

/** Ask in topological order: a step that follows an open one reads its sample. */
export class OpenSamples {
  readonly #graph: PlanGraph;
  readonly #planner: Planner;
  readonly #slots = new Map<StepName, Slot>();
  readonly #most = new Map<StepName, number | undefined>();

  constructor(
    graph: PlanGraph,
    context: PlanContext,
    diagnostics: PlanDiagnostics,
    before: Omit<DecidedBefore, 'maker'>,
  ) {
    this.#graph = graph;
    // A sample is nobody's result: no instance is made once with it.
    this.#planner = new Planner(graph, context, diagnostics, { ...before, maker: () => undefined });
  }

  take(step: Step): Sample {
    // All that it could be made from was skipped: there will be none, and nothing of it is wrong.
    const without = step.fanOut.each.find(source => !this.#sourceOf(source.step));
    if (without) return { ...NOTHING, isOff: true, why: messages.upstreamSkipped(calledAs(without.step)) };
    const most = this.#mostOf(step);
    const variants = [...stepsByModel(step)];
    const slots = variants.length > 0 ? variants.map(([name, one]) => this.#slotOf(one, name)) : [this.#slotOf(step)];
    const [first] = slots;
    this.#most.set(step.name, most);
    if (first) this.#slots.set(step.name, first);
    const drafts = slots.map(slot => this.#planner.decide(slot));
    const [draft] = drafts;
    return {
      ...(most !== undefined && { most }),
      usd: isPaid(step) ? usdOf(drafts, most) : 0,
      priceBasis: draft?.priceBasis ?? '',
      demand: isPaid(step) ? dearestOf(drafts) : NO_DEMAND,
      ...(draft?.request && { request: draft.request }),
      ...(draft?.decision.is === 'skip' && { isOff: true, why: draft.decision.why }),
    };
  }

  /** How many there can be: the lists that are written in the file, the limits of the others. Undefined where nobody can tell. */
  #mostOf({ name, fanOut, inside, until }: Step): number | undefined {
    const known = this.#most.get(name);
    if (known !== undefined) return known;
    const { each, matrix, include, takes, max } = fanOut;
    const users = inside ? this.#countOf(inside.by) : 1;
    if (users === undefined) return undefined;
    let most = each.length === 0 ? users : 0;
    for (const { step, gathers } of each) {
      const all = this.#countOf(step);
      const upstream = all !== undefined && gathers ? Math.ceil(all / this.#takesIn(step)) : all;
      if (upstream === undefined) return undefined;
      most = Math.max(most, upstream);
    }
    let cells = matrix.length === 0 && include.length > 0 ? 0 : 1;
    for (const { values, most: bySchema } of matrix) {
      const { steps, each: readsEach, params } = readsOf(values);
      const isWritten = steps.size > 0 || readsEach || (inside !== undefined && params.size > 0);
      const count = values.is === 'list' ? values.items.length : isWritten ? leastOf(max, bySchema) : undefined;
      if (count === undefined) return undefined;
      cells *= count;
    }
    const times = takes === undefined ? 1 : takes.is === 'literal' ? Number(takes.value) : undefined;
    const rounds = until ? this.#roundsOf(until, inside) : 1;
    return times === undefined || rounds === undefined ? undefined : most * (cells + include.length) * times * rounds;
  }

  /** How many takes of each come together where they are gathered: where that cannot be told, 1, which makes too many groups of them. */
  #takesIn(name: StepName): number {
    const { each, takes } = stepNamed(this.#graph.pipeline, name).fanOut;
    if (takes) return takes.is === 'literal' ? Math.max(1, Number(takes.value)) : 1;
    const [only, ...others] = each;
    return only && others.length === 0 && !only.gathers ? this.#takesIn(only.step) : 1;
  }

  /** In a used file, what it is given may not be known here. */
  #roundsOf({ max }: Until, inside: Step['inside']): number | undefined {
    if (max.is === 'literal') return Number(max.value);
    if (inside) return undefined;
    const { params, data } = this.#graph;
    const none = { steps: {}, matrix: {}, each: null, take: {}, previous: {}, run: {}, env: {} };
    const answer = evaluate(max, { params, data, ...none });
    return answer.is === 'ok' && typeof answer.value === 'number' ? answer.value : undefined;
  }

  #countOf(name: StepName): number | undefined {
    return this.#isOpen(name)
      ? this.#mostOf(stepNamed(this.#graph.pipeline, name))
      : this.#graph.instances.of(name).length;
  }

  /** One instance of the step that uses its file. What is inside is looked for under the step's own name. */
  #outerOf({ inside }: Step): Slot | undefined {
    if (!inside) return undefined;
    const known = this.#graph.instances.of(inside.by)[0];
    if (known) return known;
    return {
      ...this.#slotOf(stepNamed(this.#graph.pipeline, inside.by)),
      key: calledAs(inside.by) as string as InstanceKey,
    };
  }

  /** Coordinates are what is known of them; the axes whose lists are not written yet have no value. */
  #slotOf(step: Step, model?: string): Slot {
    const { each, matrix: axes, takes } = step.fanOut;
    const sources = each.flatMap(source => this.#sourceOf(source.step) ?? []);
    const unknown = new Set(sources.flatMap(source => [...(source.unknown ?? [])]));
    const own: Record<string, Slot['matrix'][string]> = {};
    for (const { name, values } of axes) {
      const first = values.is === 'list' ? values.items[0] : undefined;
      if (first?.is === 'literal') own[name] = first.value;
      else unknown.add(name);
    }
    const byModel = 'byModel' in step ? step.byModel : undefined;
    if (byModel && model !== undefined) own[byModel.axis] = model;
    const outer = this.#outerOf(step);
    return {
      ...(outer && { outer }),
      key: sampleKey(step.name),
      step,
      coordinates: Object.assign({}, ...sources.map(source => source.coordinates), own, takes && { take: 1 }),
      matrix: Object.assign({}, ...sources.map(source => source.matrix), own),
      ...(sources.length === each.length && each.length > 0 && { each: sources.map(({ key }) => key) }),
      ...(takes && { take: 1 }),
      unknown,
    };
  }

  #sourceOf(step: StepName): Slot | undefined {
    return this.#isOpen(step) ? this.#slots.get(step) : this.#graph.instances.of(step)[0];
  }

  #isOpen(step: StepName): boolean {
    return this.#graph.instances.isOpen(step);
  }
}

/** Undefined where neither is said. */
const leastOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other);

/** `still ×?` */
const sampleKey = (step: StepName): InstanceKey => `${step} ×?` as InstanceKey;

/** In each number the most of any of them: null where it is not known of one. */
function dearestOf(drafts: readonly DraftInstance[]): Demand {
  const paid = drafts.filter(({ decision }) => decision.is !== 'skip').map(({ demand }) => demand);
  const most = (measure: Measure) =>
    paid.reduce<number | null>(
      (top, { [measure]: one }) => (top === null || one === null ? null : Math.max(top, one)),
      0,
    );
  return {
    ...{ usd: most('usd'), video_seconds: most('video_seconds'), images: most('images'), tokens: most('tokens') },
    generations: most('generations') ?? 1,
  };
}

/** At most; null where a price is not known, or how many there will be. The dearest model counts where it is an axis. */
function usdOf(drafts: readonly DraftInstance[], most: number | undefined): number | null {
  let dearest = 0;
  for (const { price, decision } of drafts) {
    if (decision.is === 'skip') continue;
    if (price === null || most === undefined) return null;
    dearest = Math.max(dearest, price);
  }
  return addUsd(0, dearest * (most ?? 0));
}

/**
 * Steps with instances that come from lists of other steps. Such a step is open until those results are there; then it is fanned out like any
 * other.
 */

import { messages as languageMessages } from '../../language/messages/index.ts';
import { INSTANCE_LIMITS } from '../../language/steps/instance-counts.ts';
import { type Demand, type Measure, NO_DEMAND } from '../../model/budget.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { addUsd } from '../../model/money.ts';
import type { Pipeline, Step, Value } from '../../model/pipeline.ts';
import type { OpenStep } from '../../model/plan.ts';
import { calledAs, groupInside, type InstanceKey, localName, type StepName } from '../../model/run/key.ts';
import { expectedSeconds, isPaid } from '../kinds/index.ts';
import { allInputs, type Input, type Inputs, PlanDiagnostics, type ResultLookup } from '../obstacles.ts';
import type { PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { type DecidedBefore, type DraftInstance, Planner } from '../planner.ts';
import { PartialEvaluator } from '../values/partial-evaluation.ts';
import { eachValue, inputsOf } from '../values/read-inputs.ts';
import { type CountRange, countIn, ENTRIES, fanOut, ROUNDS } from '../values/slots.ts';
import { listsRead, readsResults, stepsOfLists } from '../values/step-reads.ts';
import { type Reads, readsOf } from '../values/value-reads.ts';
import type { Origin } from './join.ts';
import type { OpenPlace } from './need-graph.ts';
import { waitsOf } from './need-graph.ts';
import { type PlanGraph, type Slot, sourceOf, stepNamed, stepsByModel } from './plan-graph.ts';

/** It cannot be fanned out before something is carried out. `isOpen`: asked of the steps that it follows by `each`, and of the one that uses its file. */
export const startsOpen = (step: Step, pipeline: Pipeline, isOpen: (step: StepName) => boolean): boolean =>
  readsResults(step, pipeline) ||
  step.fanOut.each.some(source => isOpen(source.step)) ||
  (step.inside !== undefined && isOpen(step.inside.by));

/** The results that its lists read, as far as they are there. */
type Lists =
  | { readonly is: 'waiting' }
  | { readonly is: 'skipped' }
  | { readonly is: 'incomplete'; readonly message: string }
  | { readonly is: 'ready'; readonly inputs: Inputs };

/** Cheap while something is missing: what was read with one and the same `results` is not read again. */
export function isWaitingForLists(step: Step, graph: PlanGraph, results: ResultLookup): boolean {
  if (openSources(step, graph).length > 0) return true;
  return usersOf(step, graph.instances).some(outer => listsOf(step, outer, graph, results).is === 'waiting');
}

/** The instances of the step that uses its file; one undefined where it is in the pipeline itself. */
const usersOf = ({ inside }: Step, instances: PlanGraph['instances']): readonly (Slot | undefined)[] =>
  inside ? instances.of(inside.by) : [undefined];

function listsOf(step: Step, outer: Slot | undefined, graph: PlanGraph, results: ResultLookup): Lists {
  const reads = listsRead(step);
  const inputs = inputsOf(graph, { step, ...(outer && { outer }) }, reads, results);
  // What only `each` reads may be skipped in part: the rest goes on.
  const each = reads.each ? sourcesOf(step, outer, graph, results) : [];
  let isWaiting = each.some(input => input.is === 'waiting');
  if (each.some(input => input.is === 'skipped')) return { is: 'skipped' };
  for (const input of allInputs(inputs)) {
    if (input.is === 'skipped' || input.is === 'incomplete') return input.is === 'skipped' ? { is: 'skipped' } : input;
    if (input.is === 'waiting') isWaiting = true;
  }
  return isWaiting ? { is: 'waiting' } : { is: 'ready', inputs };
}

const NO_READS: Reads = {
  steps: new Set(),
  each: false,
  previous: false,
  matrix: new Set(),
  params: new Set(),
  secret: false,
};

function sourcesOf(step: Step, outer: Slot | undefined, graph: PlanGraph, results: ResultLookup): readonly Input[] {
  const names = step.fanOut.each.map(source => (outer ? localName(source.step) : source.step) as StepName);
  const place = { step, ...(outer && { outer }) };
  return [...inputsOf(graph, place, { ...NO_READS, steps: new Set(names) }, results).steps.values()];
}

type Opened =
  | { readonly is: 'waiting' }
  /** No slots: all that it could be made from was skipped. */
  | { readonly is: 'known'; readonly slots: readonly Slot[] }
  | { readonly is: 'failed'; readonly diagnostics: readonly Diagnostic[] };

/** `count`: how many instances the film has without it. */
export function fanOutOpen(
  step: Step,
  graph: PlanGraph,
  results: ResultLookup,
  world: ListWorld,
  count: number,
): Opened {
  if (isWaitingForLists(step, graph, results)) return { is: 'waiting' };
  const diagnostics = new PlanDiagnostics(graph.pipeline.source).in(sourceOf(graph.pipeline, step));
  const slots = usersOf(step, graph.instances).flatMap((outer): readonly Slot[] => {
    const lists = listsOf(step, outer, graph, results);
    if (lists.is === 'incomplete') diagnostics.error('incomplete', lists.message, step.at);
    return lists.is === 'ready' ? fanOutIn(step, outer, graph, lists.inputs, results, world, diagnostics) : [];
  });
  return checked(step, slots, count, diagnostics);
}

type ListWorld = Pick<PlanContext, 'run' | 'env' | 'localMedia'>;

/** Fans out a step of which all that its lists read is known. */
export function fanOutKnown(
  step: Step,
  graph: PlanGraph,
  world: ListWorld,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const stepDiagnostics = diagnostics.in(sourceOf(graph.pipeline, step));
  return usersOf(step, graph.instances).flatMap(outer => {
    const inputs = inputsOf(graph, { step, ...(outer && { outer }) }, listsRead(step), NOTHING_THERE);
    return fanOutIn(step, outer, graph, inputs, NOTHING_THERE, world, stepDiagnostics);
  });
}

const NOTHING_THERE: ResultLookup = () => undefined;

function fanOutIn(
  step: Step,
  outer: Slot | undefined,
  graph: PlanGraph,
  inputs: Inputs,
  results: ResultLookup,
  world: ListWorld,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const sources = step.fanOut.each.map(source =>
    graph.instances.of(outer ? groupInside(outer.key, localName(source.step)) : source.step),
  );
  const place = { step, coordinates: {}, matrix: {}, ...(outer && { outer }) };
  const values = new PartialEvaluator(graph, place, inputs, world);
  const { each: _, ...scope } = values.scope;
  const each = (origin: Origin) => eachValue(step, origin.keys, results);
  // Lists that read coordinates alone are known before what `each` names is made.
  const lists = listsRead(step).each ? { ...scope, each } : scope;
  const slots = fanOut(step, sources, lists, diagnostics, outer);
  for (const { message, at, source } of values.problems) diagnostics.error('expression-failed', message, at, source);
  return slots;
}

function checked(step: Step, slots: readonly Slot[], count: number, diagnostics: PlanDiagnostics): Opened {
  if (count + slots.length > INSTANCE_LIMITS.film) {
    const { code, message } = languageMessages.filmTooLarge(step.name, count + slots.length, INSTANCE_LIMITS.film);
    diagnostics.error(code, message, step.at);
  }
  return diagnostics.any ? { is: 'failed', diagnostics: diagnostics.all } : { is: 'known', slots };
}

const openSources = ({ fanOut: { each }, inside }: Step, { instances }: PlanGraph): readonly StepName[] =>
  [...each.map(source => source.step), ...(inside ? [inside.by] : [])].filter(name => instances.isOpen(name));

/** What an open step waits for, as a plan shows it. */
export function openStep(
  step: Step,
  graph: PlanGraph,
  results: ResultLookup,
): Pick<OpenStep, 'step' | 'lists' | 'follows' | 'why'> {
  const lists = stepsOfLists(step, graph.pipeline);
  const waiting = lists.filter(name => graph.instances.isOpen(name) || isMissing(name, graph, results));
  const follows = openSources(step, graph);
  const why = messages.waitsFor([...new Set([...waiting, ...follows])]);
  return { step: step.name, lists, follows, why };
}

const isMissing = (name: StepName, { instances }: PlanGraph, results: ResultLookup): boolean =>
  instances.of(name).some(({ key }) => results(key) === undefined);

/** One instance in the place of all that an open step will have: the instances before it know that something is behind them. */
export function placeOfOpen(step: Step, graph: PlanGraph, context: PlanContext): OpenPlace {
  const { needs, needsAll } = waitsOf(graph, step.upstream);
  const key = step.name as string as InstanceKey;
  return { key, step, needs, needsAll, expected: expectedSeconds(step, undefined, context), isOpen: true };
}

// What one instance of an open step will be like, before its list is written: the request as far as it is known, its price, its facts, and
// the mistakes that show already. By it the plan knows what the step costs at most.

const NOTHING = { most: 0, usd: 0, priceBasis: '', demand: NO_DEMAND } as const;

type Sample = Pick<OpenStep, 'most' | 'usd' | 'priceBasis' | 'demand' | 'request' | 'isOff'> &
  Partial<Pick<OpenStep, 'why'>>;

/** Ask in topological order: a step that follows an open one reads its sample. */
export class OpenSamples {
  readonly #graph: PlanGraph;
  readonly #diagnostics: PlanDiagnostics;
  readonly #planner: Planner;
  readonly #slots = new Map<StepName, Slot>();
  readonly #most = new Map<StepName, number | undefined>();

  /** @param before has no `maker`: a sample is no result, and no instance is made once with it. */
  constructor(graph: PlanGraph, context: PlanContext, diagnostics: PlanDiagnostics, before: DecidedBefore) {
    this.#graph = graph;
    this.#diagnostics = diagnostics;
    this.#planner = new Planner(graph, context, diagnostics, before);
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

  /** What each instance of an open step will ask for, once it was taken; undefined where that is unknown, or differs by model. */
  asked(step: Step): MediaFacts | undefined {
    return [...stepsByModel(step)].length > 1 ? undefined : this.#planner.asked(sampleKey(step.name));
  }

  /** How many there can be: the lists that are written in the file, the limits of the others. Undefined where unknown. */
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
      const bounds = [max, bySchema].flatMap(bound => (bound && this.#numberOf(bound, ENTRIES, inside)) ?? []);
      const isBound = isWritten && bounds.length > 0;
      const count = values.is === 'list' ? values.items.length : isBound ? Math.min(...bounds) : undefined;
      if (count === undefined) return undefined;
      cells *= count;
    }
    const times = takes ? this.#numberOf(takes, ENTRIES, inside) : 1;
    const rounds = until ? this.#numberOf(until.max, ROUNDS, inside) : 1;
    return times === undefined || rounds === undefined ? undefined : most * (cells + include.length) * times * rounds;
  }

  /** How many takes of each come together where they are gathered: where that is unknown, 1, which makes too many groups of them. */
  #takesIn(name: StepName): number {
    const { inside, fanOut } = stepNamed(this.#graph.pipeline, name);
    const { each, takes } = fanOut;
    if (takes) return this.#numberOf(takes, ENTRIES, inside) ?? 1;
    const [only, ...others] = each;
    return only && others.length === 0 && !only.gathers ? this.#takesIn(only.step) : 1;
  }

  /** In a used file, what it is given may not be known here: then the `maximum` of the param bounds it. */
  #numberOf(value: Value, range: CountRange, inside: Step['inside']): number | undefined {
    if (value.is === 'literal') return Number(value.value);
    if (inside) {
      const [, name] = (value.is === 'expression' && /^params\.(\w+)$/.exec(value.code)) || [];
      const most = inside.file.params.find(param => param.name === name)?.schema.maximum;
      return typeof most === 'number' ? most : undefined;
    }
    const { params, data } = this.#graph;
    const none = { steps: {}, matrix: {}, each: null, take: {}, previous: {}, run: {}, env: {} };
    return countIn(value, range, { params, data, ...none }, this.#diagnostics);
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

  /** Coordinates are what is known of them; the axes without lists yet have no value. */
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

/** /** `still ×?` */
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

/**
 * A plan grows: an open step is fanned out once the results its lists read are there, and so are the open steps behind it that
 * become known by that. Nothing here touches the plan; `grow` does, when the runner calls it.
 */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Step } from '../../model/pipeline.ts';
import {
  type Expansion,
  type Instance,
  Instances,
  isPart,
  isToBeMade,
  type Plan,
  type PlannedOutput,
} from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import { knownFacts } from '../media/media-fields.ts';
import type { ResultLookup } from '../obstacles.ts';
import { PlanDiagnostics } from '../obstacles.ts';
import { leaveOut, leavingOut, selectingNothing } from '../owned/left-out.ts';
import type { PlanContext } from '../plan-context.ts';
import { planOutputs } from '../planned-outputs.ts';
import { type DecidedBefore, type DraftInstance, Planner } from '../planner.ts';
import { factsIn } from '../values/result-kinds.ts';
import { stepsOfLists } from '../values/step-reads.ts';
import { type OpenPlace, schedule, topologicalOrder } from './need-graph.ts';
import { fanOutOpen, isWaitingForLists, placeOfOpen } from './open-steps.ts';
import { type PlanGraph, type Slot, sourceOf, stepNamed } from './plan-graph.ts';
import { inOrderOfRounds, madeTogether } from './round-order.ts';

interface Expanded {
  /** In topological order; empty while the lists are not known, and for a step that is not open. */
  readonly expansions: readonly Expansion[];
  /** Open steps that can never be fanned out: they fail with these words, and what reads them is blocked. They stay open. */
  readonly failures: readonly FailedExpansion[];
}

export interface FailedExpansion {
  readonly step: StepName;
  readonly failure: Failure;
  /** The same with its place in the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan, one step further: its instances and outputs are there for everybody who reads it. */
export function grow(plan: Plan, { step, instances, outputs }: Expansion): void {
  plan.instances.add(step, instances);
  for (const output of outputs) plan.outputs.push(output);
}

/** `results`: everything finished so far; give one and the same function for a whole run, and asking too early costs little. */
export function expand(plan: Plan, step: StepName, results: ResultLookup, context: PlanContext): Expanded {
  const asked = plan.pipeline.steps.find(({ name }) => name === step);
  const isOpen = asked !== undefined && plan.instances.isOpen(step);
  if (!isOpen || isWaitingForLists(asked, plan, results)) return { expansions: [], failures: [] };
  const growth = new Growth(plan, results, context);
  const steps = topologicalOrder(plan.pipeline);
  const tried = new Set<Step>();
  for (const one of steps) {
    if (tried.has(one)) continue;
    const together = madeTogether(plan.pipeline, steps, one);
    for (const step of together) tried.add(step);
    growth.trySteps(together, asked);
  }
  return growth.expanded(steps);
}

/** What one call adds to a plan, kept beside it. */
class Growth {
  readonly #plan: Plan;
  readonly #context: PlanContext;
  readonly #graph: PlanGraph;
  readonly #planner: Planner;
  /** Open: not fanned out by this. */
  readonly #new: Instances<Slot>;
  readonly #tried = new Set<StepName>();
  readonly #drafts = new Map<StepName, readonly DraftInstance[]>();
  readonly #outputs = new Map<StepName, readonly PlannedOutput[]>();
  readonly #failures: FailedExpansion[] = [];

  constructor(plan: Plan, results: ResultLookup, context: PlanContext) {
    const { pipeline, params, data, usedData, service, instances, open } = plan;
    this.#plan = plan;
    // Nothing is made of what is no part of the run.
    for (const one of open) if (!isPart(one)) this.#tried.add(one.step);
    this.#context = context;
    const added = new Instances<Slot>(pipeline.steps.map(({ name }) => [name, null]));
    const of = (name: StepName) => (added.isOpen(name) ? instances : added).of(name);
    const isOpen = (name: StepName) => instances.isOpen(name) && added.isOpen(name);
    const get = (key: InstanceKey) => added.get(key) ?? instances.get(key);
    this.#new = added;
    this.#graph = { pipeline, params, data, usedData, service, instances: { of, isOpen, get } };
    // A mistake in one instance is its own failure, and is reported when its turn comes.
    const unheard = new PlanDiagnostics(pipeline.source);
    this.#planner = new Planner(this.#graph, context, unheard, decidedIn(plan, results));
  }

  /** Fans each out where it is the one that was asked for, or reads or follows one that has just been fanned out; then decides it. */
  trySteps(together: readonly Step[], asked: Step): void {
    for (const step of together) this.#open(step, asked);
    const opened = together.filter(({ name }) => !this.#new.isOpen(name));
    for (const [name, made] of this.#planner.decideTogether(opened, step => this.#new.of(step.name)))
      this.#drafts.set(name, made);
  }

  /** The instances of a `uses` step are known before those inside, and decided after them. */
  #open(step: Step, asked: Step): void {
    const { name, inside } = step;
    if (this.#tried.has(name) || !this.#graph.instances.isOpen(name)) return;
    if (inside) this.#open(stepNamed(this.#plan.pipeline, inside.by), asked);
    if (step !== asked && !this.#touches(step)) return;
    this.#tried.add(name);
    const opened = fanOutOpen(
      step,
      this.#graph,
      this.#planner.results,
      this.#context,
      this.#plan.instances.size + this.#new.size,
    );
    if (opened.is === 'failed') this.#fail(name, opened.diagnostics);
    if (opened.is === 'known') this.#take(step, opened.slots);
  }

  #touches(step: Step): boolean {
    const { fanOut, inside } = step;
    const names = [...stepsOfLists(step, this.#plan.pipeline), ...fanOut.each.map(source => source.step)];
    if (inside) names.push(inside.by);
    return names.some(name => !this.#new.isOpen(name));
  }

  expanded(steps: readonly Step[]): Expanded {
    const timed = this.#timed(steps);
    this.#leaveOut(timed);
    this.#time(timed);
    const expansions = [...this.#drafts].map(([step, instances]) => ({
      step,
      instances,
      outputs: this.#outputs.get(step) ?? [],
    }));
    return { expansions, failures: this.#failures };
  }

  #take(step: Step, slots: readonly Slot[]): void {
    const { name } = step;
    const { pipeline, outputs } = this.#plan;
    const diagnostics = new PlanDiagnostics(pipeline.source);
    const already = [...outputs, ...[...this.#outputs.values()].flat()];
    for (const message of selectingNothing(this.#context.selection, name, slots))
      diagnostics.in(sourceOf(pipeline, step)).error('selection', message, step.at);
    const planned = planOutputs(pipeline, one => (one === name ? slots : []), already, diagnostics);
    if (diagnostics.any) return void this.#fail(name, diagnostics.all);
    this.#new.add(name, slots);
    this.#outputs.set(name, planned);
  }

  #fail(step: StepName, diagnostics: readonly Diagnostic[]): void {
    const message = diagnostics.map(diagnostic => diagnostic.message).join('; ');
    this.#failures.push({ step, failure: { code: 'expression_failed', message }, diagnostics });
  }

  /** Everything there is, in topological order. */
  #timed(steps: readonly Step[]): readonly (Instance | DraftInstance | OpenPlace)[] {
    if (this.#drafts.size === 0) return [];
    return inOrderOfRounds<Instance | DraftInstance | OpenPlace>(this.#plan.pipeline, steps, step => {
      const known = this.#drafts.get(step.name) ?? this.#plan.instances.of(step.name);
      return this.#graph.instances.isOpen(step.name)
        ? [...known, placeOfOpen(step, this.#graph, this.#context)]
        : known;
    });
  }

  /** The selection is applied again, now that more of the film is known; what was decided before stays. */
  #leaveOut(timed: readonly (Instance | DraftInstance | OpenPlace)[]): void {
    const outputs = [...this.#plan.outputs, ...[...this.#outputs.values()].flat()];
    const { leftOut } = leavingOut(timed, { outputs, pipeline: this.#plan.pipeline }, this.#context.selection);
    for (const drafts of this.#drafts.values()) leaveOut(drafts, leftOut);
  }

  /** `remaining` of the new ones, by all that is behind them; those that were there keep what they have. */
  #time(timed: readonly (Instance | DraftInstance | OpenPlace)[]): void {
    const isNew = new Set<unknown>([...this.#drafts.values()].flat());
    const { remaining } = schedule(timed);
    for (const [index, one] of timed.entries())
      if (isNew.has(one)) (one as DraftInstance).remaining = remaining[index] ?? 0;
  }
}

function decidedIn({ instances }: Plan, results: ResultLookup): DecidedBefore {
  let makers: Map<string, InstanceKey> | undefined;
  return {
    // The runner does not know the new ones yet.
    results: key => (instances.has(key) ? results(key) : undefined),
    facts(key) {
      const result = instances.has(key) ? results(key) : undefined;
      const real = result && result !== 'skipped' ? factsIn(result) : undefined;
      if (real) return knownFacts(real);
      const { facts: media, ratio } = instances.get(key) ?? {};
      return media && { media, ...(ratio !== undefined && { ratio }) };
    },
    maker(fingerprint) {
      makers ??= makersIn(instances);
      return makers.get(fingerprint);
    },
  };
}

/** The first instance for each fingerprint: those behind it wait for what it makes. */
function makersIn(instances: Iterable<Instance>): Map<string, InstanceKey> {
  const makers = new Map<string, InstanceKey>();
  for (const { key, step, decision, fingerprint } of instances)
    if (step.cache && isToBeMade(decision) && fingerprint !== undefined && !makers.has(fingerprint))
      makers.set(fingerprint, key);
  return makers;
}

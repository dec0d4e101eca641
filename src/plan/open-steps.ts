/**
 * Steps whose instances come from lists that other steps write. Such a step is open until those results are there; then it is fanned
 * out like any other.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import type { OpenStep } from '../domain/plan.ts';
import { INSTANCE_LIMITS } from '../language/instance-counts.ts';
import { messages as languageMessages } from '../language/messages/index.ts';
import type { Origin } from './join.ts';
import { expectedSeconds } from './kinds/index.ts';
import type { PlanContext } from './plan-context.ts';
import { PlanDiagnostics } from './plan-diagnostics.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { eachValue, readStepInputs } from './read-inputs.ts';
import type { OpenPlace } from './schedule.ts';
import { fanOut } from './slots.ts';
import type { ResultLookup } from './step-inputs.ts';
import { listsRead, readsOfStep, readsResults, stepsOfLists } from './step-reads.ts';
import { waitsOf } from './waits.ts';

/** It cannot be fanned out before something is carried out. `isOpen`: asked of the step that it follows by `each`. */
export const startsOpen = (step: Step, isOpen: (step: StepName) => boolean): boolean =>
  readsResults(step) || step.fanOut.each.some(source => isOpen(source.step));

/** The results that its lists read, as far as they are there. */
type Lists =
  | { readonly is: 'waiting' }
  | { readonly is: 'skipped' }
  | { readonly is: 'incomplete'; readonly message: string }
  | { readonly is: 'ready'; readonly steps: JsonObject };

/** Cheap while something is missing: what was read with one and the same `results` is not read again. */
export function listsOf(step: Step, graph: PlanGraph, results: ResultLookup): Lists {
  const inputs = readStepInputs(graph, stepsOfLists(step), results);
  const values: Record<string, Json> = {};
  let isWaiting = openSources(step, graph).length > 0;
  const { steps: read } = listsRead(step);
  for (const [name, input] of inputs) {
    if (input.is === 'skipped') return { is: 'skipped' };
    // What only `each` reads may be skipped in part: the rest goes on.
    if (input.is === 'incomplete') {
      if (read.has(name)) return input;
    } else if (input.is === 'waiting') isWaiting = true;
    else values[name] = input.value;
  }
  return isWaiting ? { is: 'waiting' } : { is: 'ready', steps: values };
}

export type Opened =
  | { readonly is: 'waiting' }
  /** No slots: all that it could be made from was skipped. */
  | { readonly is: 'known'; readonly slots: readonly Slot[] }
  | { readonly is: 'failed'; readonly diagnostics: readonly Diagnostic[] };

/** `count`: how many instances the film has without it. */
export function fanOutOpen(
  step: Step,
  graph: PlanGraph,
  results: ResultLookup,
  world: Pick<PlanContext, 'run' | 'env'>,
  count: number,
): Opened {
  const lists = listsOf(step, graph, results);
  const diagnostics = new PlanDiagnostics(graph.pipeline.source);
  switch (lists.is) {
    case 'waiting':
      return lists;
    case 'skipped':
      return { is: 'known', slots: [] };
    case 'incomplete':
      diagnostics.error('incomplete', lists.message, step.at);
      return { is: 'failed', diagnostics: diagnostics.all };
    case 'ready':
      return checked(step, slotsOf(step, graph, results, lists.steps, world, diagnostics), count, diagnostics);
  }
}

function slotsOf(
  step: Step,
  { params, data, instances }: PlanGraph,
  results: ResultLookup,
  steps: JsonObject,
  { run, env }: Pick<PlanContext, 'run' | 'env'>,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const sources = step.fanOut.each.map(source => instances.of(source.step));
  const each = (origin: Origin) => eachValue(step, origin.keys, results);
  // Lists that read coordinates alone are known before what `each` names is made.
  const read = listsRead(step).each ? { each } : {};
  return fanOut(step, sources, { params, data, run, env, steps, ...read }, diagnostics);
}

function checked(step: Step, slots: readonly Slot[], count: number, diagnostics: PlanDiagnostics): Opened {
  if (count + slots.length > INSTANCE_LIMITS.film) {
    const { code, message } = languageMessages.filmTooLarge(step.name, count + slots.length, INSTANCE_LIMITS.film);
    diagnostics.error(code, message, step.at);
  }
  return diagnostics.any ? { is: 'failed', diagnostics: diagnostics.all } : { is: 'known', slots };
}

const openSources = (step: Step, { instances }: PlanGraph): readonly StepName[] =>
  step.fanOut.each.flatMap(source => (instances.isOpen(source.step) ? [source.step] : []));

/** What an open step waits for, as a plan tells it. */
export function openStep(
  step: Step,
  graph: PlanGraph,
  results: ResultLookup,
): Pick<OpenStep, 'step' | 'lists' | 'follows' | 'why'> {
  const lists = stepsOfLists(step);
  const waiting = [...readStepInputs(graph, lists, results).values()].flatMap(input =>
    input.is === 'waiting' ? [input.name] : [],
  );
  const follows = openSources(step, graph);
  const why = messages.waitsFor([...new Set([...waiting, ...follows])]);
  return { step: step.name, lists, follows, why };
}

/** One instance in the place of all that an open step will have: the instances before it know that something is behind them. */
export function placeOfOpen(step: Step, graph: PlanGraph, context: PlanContext): OpenPlace {
  const sources = step.fanOut.each.map(source => source.step);
  const names = [...sources, ...step.needs, ...readsOfStep(step).steps, ...stepsOfLists(step)];
  const { needs, needsAll } = waitsOf(graph, names);
  const key = step.name as string as InstanceKey;
  return { key, step, needs, needsAll, expected: expectedSeconds(step, undefined, context), isOpen: true };
}

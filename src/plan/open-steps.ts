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
import { expectedSeconds } from './kinds/index.ts';
import type { PlanContext } from './plan-context.ts';
import { PlanDiagnostics } from './plan-diagnostics.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { readStepInputs } from './read-inputs.ts';
import type { OpenPlace } from './schedule.ts';
import { fanOut } from './slots.ts';
import type { ResultLookup } from './step-inputs.ts';
import { readsOfLists, readsOfStep, readsResults } from './step-reads.ts';
import { waitsOf } from './waits.ts';

/** It cannot be fanned out before something is carried out. `isOpen`: asked of the step that it follows by `each`. */
export const startsOpen = (step: Step, isOpen: (step: StepName) => boolean): boolean =>
  readsResults(step) || (step.fanOut.each !== undefined && isOpen(step.fanOut.each));

/** The results that its lists read, as far as they are there. */
type Lists =
  | { readonly is: 'waiting' }
  | { readonly is: 'skipped' }
  | { readonly is: 'incomplete'; readonly message: string }
  | { readonly is: 'ready'; readonly steps: JsonObject };

/** Cheap while something is missing: what was read with one and the same `results` is not read again. */
export function listsOf(step: Step, graph: PlanGraph, results: ResultLookup): Lists {
  const { each } = step.fanOut;
  const inputs = readStepInputs(graph, readsOfLists(step).steps, results);
  const values: Record<string, Json> = {};
  let isWaiting = each !== undefined && graph.instances.isOpen(each);
  for (const [name, input] of inputs) {
    if (input.is === 'skipped') return { is: 'skipped' };
    if (input.is === 'incomplete') return input;
    if (input.is === 'waiting') isWaiting = true;
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
      return checked(step, slotsOf(step, graph, lists.steps, world, diagnostics), count, diagnostics);
  }
}

function slotsOf(
  step: Step,
  { params, instances }: PlanGraph,
  steps: JsonObject,
  { run, env }: Pick<PlanContext, 'run' | 'env'>,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const { each } = step.fanOut;
  const scope = { params, run, env, steps, matrix: {}, each: null };
  return fanOut(step, each === undefined ? undefined : instances.of(each), scope, diagnostics);
}

function checked(step: Step, slots: readonly Slot[], count: number, diagnostics: PlanDiagnostics): Opened {
  if (count + slots.length > INSTANCE_LIMITS.film) {
    const { code, message } = languageMessages.filmTooLarge(step.name, count + slots.length, INSTANCE_LIMITS.film);
    diagnostics.error(code, message, step.at);
  }
  return diagnostics.any ? { is: 'failed', diagnostics: diagnostics.all } : { is: 'known', slots };
}

/** What an open step waits for, as a plan tells it. */
export function openStep(step: Step, graph: PlanGraph, results: ResultLookup): OpenStep {
  const { each } = step.fanOut;
  const reads = readsOfLists(step).steps;
  const waiting = [...readStepInputs(graph, reads, results).values()].flatMap(input =>
    input.is === 'waiting' ? [input.name] : [],
  );
  const follows = each !== undefined && graph.instances.isOpen(each) ? [each] : [];
  const why = messages.waitsFor([...new Set([...waiting, ...follows])]);
  return { step: step.name, waitsFor: [...new Set([...reads, ...follows])], why };
}

/** One instance in the place of all that an open step will have: the instances before it know that something is behind them. */
export function placeOfOpen(step: Step, graph: PlanGraph, context: PlanContext): OpenPlace {
  const { each } = step.fanOut;
  const names = [...step.needs, ...readsOfStep(step).steps, ...readsOfLists(step).steps];
  const { needs, needsAll } = waitsOf(graph, each === undefined ? names : [each, ...names]);
  const key = step.name as string as InstanceKey;
  return { key, step, needs, needsAll, expected: expectedSeconds(step, undefined, context), isOpen: true };
}

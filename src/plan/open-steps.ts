/**
 * Steps whose instances come from lists that other steps write. Such a step is open until those results are there; then it is fanned
 * out like any other.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import type { OpenStep } from '../domain/plan.ts';
import { INSTANCE_LIMITS } from '../language/instance-counts.ts';
import { messages as languageWords } from '../language/messages/index.ts';
import { expectedSeconds } from './kinds/index.ts';
import type { PlanContext } from './plan-context.ts';
import { PlanDiagnostics } from './plan-diagnostics.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { readStepInputs } from './read-inputs.ts';
import type { OpenPlace } from './schedule.ts';
import { fanOut } from './slots.ts';
import type { Input, ResultLookup } from './step-inputs.ts';
import { readsOfLists, readsOfStep, readsResults } from './step-reads.ts';
import { waitsOf } from './waits.ts';

/** It cannot be fanned out before something is carried out. `isOpen`: asked of the step that it follows by `each`. */
export const startsOpen = (step: Step, isOpen: (step: StepName) => boolean): boolean =>
  readsResults(step) || (step.fanOut.each !== undefined && isOpen(step.fanOut.each));

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
  { run, env }: Pick<PlanContext, 'run' | 'env'>,
  count: number,
): Opened {
  const { each } = step.fanOut;
  const { pipeline, params, instances } = graph;
  const inputs = readStepInputs(graph, readsOfLists(step).steps, results);
  const diagnostics = new PlanDiagnostics(pipeline.source);
  const states = [...inputs.values()];
  if (states.some(input => input.is === 'skipped')) return { is: 'known', slots: [] };
  for (const input of states) if (input.is === 'incomplete') diagnostics.error('incomplete', input.message, step.at);
  if (diagnostics.any) return { is: 'failed', diagnostics: diagnostics.all };
  if (states.some(input => input.is === 'waiting') || (each !== undefined && instances.isOpen(each)))
    return { is: 'waiting' };
  const scope = { params, run, env, steps: valuesOf(inputs), matrix: {}, each: null };
  const slots = fanOut(step, each === undefined ? undefined : instances.of(each), scope, diagnostics);
  if (count + slots.length > INSTANCE_LIMITS.film) {
    const { code, message } = languageWords.filmTooLarge(step.name, count + slots.length, INSTANCE_LIMITS.film);
    diagnostics.error(code, message, step.at);
  }
  return diagnostics.any ? { is: 'failed', diagnostics: diagnostics.all } : { is: 'known', slots };
}

const valuesOf = (inputs: ReadonlyMap<StepName, Input>) =>
  Object.fromEntries([...inputs].flatMap(([name, input]) => (input.is === 'ready' ? [[name, input.value]] : [])));

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

/** One instance in the place of all that an open step will have: what comes before it is known to have something behind it. */
export function placeOfOpen(step: Step, graph: PlanGraph, context: PlanContext): OpenPlace {
  const { each } = step.fanOut;
  const names = [...step.needs, ...readsOfStep(step).steps, ...readsOfLists(step).steps];
  const { needs, needsAll } = waitsOf(graph, each === undefined ? names : [each, ...names]);
  const key = step.name as string as InstanceKey;
  return { key, step, needs, needsAll, expected: expectedSeconds(step, undefined, context), isOpen: true };
}

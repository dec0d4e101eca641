/**
 * Steps whose instances come from lists that other steps write. Such a step is open until those results are there; then it is fanned
 * out like any other.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';
import { groupInside, type InstanceKey, localName, type StepName } from '../domain/key.ts';
import type { Pipeline, Step } from '../domain/pipeline.ts';
import type { OpenStep } from '../domain/plan.ts';
import { INSTANCE_LIMITS } from '../language/instance-counts.ts';
import { messages as languageMessages } from '../language/messages/index.ts';
import type { Origin } from './join.ts';
import { expectedSeconds } from './kinds/index.ts';
import { PartialEvaluator } from './partial-evaluation.ts';
import type { PlanContext } from './plan-context.ts';
import { PlanDiagnostics } from './plan-diagnostics.ts';
import { type PlanGraph, type Slot, sourceOf } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { eachValue, inputsOf } from './read-inputs.ts';
import type { OpenPlace } from './schedule.ts';
import { fanOut } from './slots.ts';
import type { Input, Inputs, ResultLookup } from './step-inputs.ts';
import { allInputs } from './step-inputs.ts';
import { listsRead, readsResults, stepsOfLists } from './step-reads.ts';
import type { Reads } from './value-reads.ts';
import { waitsOf } from './waits.ts';

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

/** The instances of the step that uses its file; one undefined where it stands in the pipeline itself. */
export const usersOf = ({ inside }: Step, instances: PlanGraph['instances']): readonly (Slot | undefined)[] =>
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

export type ListWorld = Pick<PlanContext, 'run' | 'env' | 'localMedia'>;

/** Fans out a step of which all that its lists read is known. */
export function fanOutKnown(
  step: Step,
  graph: PlanGraph,
  world: ListWorld,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const told = diagnostics.in(sourceOf(graph.pipeline, step));
  return usersOf(step, graph.instances).flatMap(outer => {
    const inputs = inputsOf(graph, { step, ...(outer && { outer }) }, listsRead(step), NOTHING_THERE);
    return fanOutIn(step, outer, graph, inputs, NOTHING_THERE, world, told);
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

/** What an open step waits for, as a plan tells it. */
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

/**
 * What is no part of a run, and why: what was not selected, takes that lost their pick, and whatever needs any of that and is not owned. A
 * list that lacks a part is never made of the rest.
 */

import type { Pipeline } from '../../model/pipeline.ts';
import { isKnown, type OpenStep, type PlannedOutput } from '../../model/plan.ts';
import { type InstanceKey, roundsOf, type StepName } from '../../model/run/key.ts';
import type { Selection } from '../../model/selector.ts';
import { parseSelector, selects, stepNamedIn } from '../../model/selector.ts';
import type { OpenPlace } from '../graph/need-graph.ts';
import { groupsOf, NeedGraph, type Node } from '../graph/need-graph.ts';
import { messages } from '../plan-messages.ts';
import type { DraftInstance } from '../planner.ts';
import { messages as selectorMessages, selectorMistake } from '../selector-messages.ts';
import { outputsOf } from '../values/value-reads.ts';

interface LeavingOut {
  readonly leftOut: ReadonlyMap<InstanceKey, string>;
  /** What is wrong with the selection. */
  readonly mistakes: readonly string[];
}

const NOTHING: LeavingOut = { leftOut: new Map(), mistakes: [] };

/** @param places instances and open steps in topological order; a step of `pipeline` may have none. */
export function leavingOut(
  places: readonly (Omit<DraftInstance, 'remaining'> | OpenPlace)[],
  { outputs, pipeline }: { readonly outputs: readonly PlannedOutput[]; readonly pipeline: Pick<Pipeline, 'steps'> },
  selection: Selection | undefined,
): LeavingOut {
  if (!selection && !places.some(place => 'excludes' in place && place.excludes)) return NOTHING;
  const graph = new NeedGraph(places.map(nodeOf));
  const kept = new Set(outputs.map(({ instance }) => instance));
  const unneeded = graph.unneeded(({ key }) => kept.has(key));
  const chosen = unselected(selection, graph, unneeded, new Set(pipeline.steps.map(({ name }) => name)));
  return { leftOut: withDependents(graph, chosen.leftOut), mistakes: chosen.mistakes };
}

const nodeOf = (place: Omit<DraftInstance, 'remaining'> | OpenPlace): Node =>
  'decision' in place ? { ...place, isOpen: false } : { ...place, isOpen: true };

/** What is owned is no concern of a selection. What is skipped stays so, unless it waits for what is left out. */
function withDependents(graph: NeedGraph, chosen: ReadonlyMap<InstanceKey, string>): ReadonlyMap<InstanceKey, string> {
  const leftOut = new Map<InstanceKey, string>();
  const first = new Map<StepName, InstanceKey>();
  for (const node of graph.nodes) {
    const is = node.decision?.is;
    if (is === 'hit') continue;
    const { single, whole } = graph.needsOf(node);
    const by =
      single.find(key => leftOut.has(key)) ?? whole.map(name => first.get(name)).find(key => key !== undefined);
    const own = is === 'skip' ? undefined : chosen.get(node.key);
    const why = own ?? (by === undefined ? undefined : messages.needsLeftOut(by));
    if (why === undefined) continue;
    leftOut.set(node.key, why);
    for (const group of groupsOf(node)) if (!first.has(group)) first.set(group, node.key);
  }
  return leftOut;
}

/** Ours alone until they are returned. */
export function leaveOut(drafts: Iterable<DraftInstance>, leftOut: ReadonlyMap<InstanceKey, string>): void {
  for (const draft of drafts) {
    const why = leftOut.get(draft.key);
    if (why !== undefined)
      Object.assign(draft, { decision: { is: 'left_out', why }, price: 0, priceBasis: '', expected: 0 });
  }
}

export function leaveOutOpen(
  open: readonly OpenStep[],
  leftOut: ReadonlyMap<InstanceKey, string>,
): readonly OpenStep[] {
  if (leftOut.size === 0) return open;
  return open.map(one => {
    const why = leftOut.get(one.step as string as InstanceKey);
    return why === undefined ? one : { ...one, leftOut: why, usd: 0, priceBasis: '' };
  });
}

interface Unselected {
  /** Why each is no part of it. Owned ones may be among them. */
  readonly leftOut: ReadonlyMap<InstanceKey, string>;
  readonly mistakes: readonly string[];
}

/** @param unneeded instances that are unneeded now, and why: it is made only where it is named. */
function unselected(
  selection: Selection | undefined,
  graph: NeedGraph,
  unneeded: ReadonlyMap<InstanceKey, string>,
  steps: ReadonlySet<StepName>,
): Unselected {
  if (!selection) return { leftOut: unneeded, mistakes: [] };
  const mistakes: string[] = [];
  const chosen = (selectors: readonly string[]) =>
    new Set(selectors.flatMap(text => keysFor(text, graph, steps, mistakes)));
  const { only, exclude, redo } = selection;
  const excluded = chosen(exclude);
  const again = chosen(redo);
  const roots = rootsOf(selection, graph, chosen, unneeded);
  const needed = graph.withNeeds(roots, excluded);
  const isAway = (key: InstanceKey) => {
    const node = graph.get(key);
    return node?.decision?.is !== 'hit' && givesKnown(node);
  };
  const wanted = only.length > 0 ? new Set([...needed].filter(key => roots.has(key) || isAway(key))) : needed;
  if (only.length > 0 && mistakes.length === 0) mistakes.push(...missing(graph, roots, excluded));
  const leftOut = new Map<InstanceKey, string>();
  for (const { key } of graph.nodes) {
    if (excluded.has(key)) leftOut.set(key, selectorMessages.excluded());
    else if (!wanted.has(key)) leftOut.set(key, unneeded.get(key) ?? selectorMessages.notSelected());
  }
  const lost = [...again].filter(key => leftOut.has(key));
  if (mistakes.length === 0 && lost.length > 0) mistakes.push(selectorMessages.redoneLeftOut(lost));
  return { leftOut, mistakes };
}

/** Messages about selectors that name an open step and none of the instances that it turns out to have. */
export function selectingNothing(
  selection: Selection | undefined,
  step: StepName,
  slots: readonly { readonly key: InstanceKey }[],
): readonly string[] {
  if (!selection || slots.length === 0) return [];
  const keys = slots.map(({ key }) => key);
  const { steps, only, from, until, exclude, redo } = selection;
  return [...new Set([...steps, ...only, ...from, ...until, ...exclude, ...redo])].flatMap(text => {
    const selector = parseSelector(text);
    const picksNothing = selector?.step === step && !keys.some(key => selects(selector, key));
    return picksNothing ? [selectorMistake(text, [step], keys)] : [];
  });
}

const givesKnown = (node: Node | undefined): boolean => node?.decision !== undefined && isKnown(node.decision);

/** What is wanted for its own sake. */
function rootsOf(
  { steps, only, from, until }: Selection,
  graph: NeedGraph,
  chosen: (selectors: readonly string[]) => ReadonlySet<InstanceKey>,
  unneeded: ReadonlyMap<InstanceKey, string>,
): ReadonlySet<InstanceKey> {
  if (only.length > 0) return chosen(only);
  const named = chosen(steps);
  const all = () => graph.nodes.map(({ key }) => key);
  if (steps.length > 0 && from.length + until.length === 0) return named;
  const behind = from.length > 0 ? graph.from(chosen(from)) : undefined;
  const before = until.length > 0 ? graph.upTo(chosen(until)) : undefined;
  const between = behind ? [...behind].filter(key => before?.has(key) ?? true) : [...(before ?? all())];
  return new Set([...named, ...between.filter(key => !unneeded.has(key))]);
}

/** Of what is wanted alone: what it needs and is not here. */
function missing(
  graph: NeedGraph,
  roots: ReadonlySet<InstanceKey>,
  excluded: ReadonlySet<InstanceKey>,
): readonly string[] {
  const found: string[] = [];
  for (const key of roots) {
    const node = graph.get(key);
    if (!node || givesKnown(node) || excluded.has(key)) continue;
    const { single, whole } = graph.needsOf(node);
    const needs = [...single, ...whole.flatMap(name => graph.of(name).map(one => one.key))];
    const absent = needs.filter(need => {
      const one = graph.get(need);
      return one && !roots.has(need) && !givesKnown(one) && one.decision?.is !== 'skip';
    });
    if (absent.length > 0) found.push(selectorMessages.needsFirst(key, [...new Set(absent)]));
  }
  return found;
}

/** A step that uses another file means all that is inside. */
function keysFor(
  text: string,
  graph: NeedGraph,
  steps: ReadonlySet<StepName>,
  mistakes: string[],
): readonly InstanceKey[] {
  const selector = parseSelector(text);
  // A step with `until`, and its rounds, which are called by its name.
  const step = stepNamedIn(text);
  const ofStep = [...graph.of(step), ...graph.of(roundsOf(step))];
  const chosen = selector ? ofStep.filter(({ key, isOpen }) => isOpen || selects(selector, key)) : [];
  // A list that is skipped, or empty today, is no mistake in naming the step.
  const isEmptyStep = selector !== undefined && ofStep.length === 0 && steps.has(text.trim() as StepName);
  if (chosen.length === 0 && !isEmptyStep)
    mistakes.push(
      selectorMistake(
        text,
        [...steps],
        ofStep.map(({ key }) => key),
      ),
    );
  return chosen.flatMap(node => [node.key, ...insideOf(node, graph)]);
}

function insideOf(node: Node, { nodes }: NeedGraph): readonly InstanceKey[] {
  if (!outputsOf(node.step)) return [];
  const isInside = (one: Node) =>
    one.isOpen || node.isOpen ? one.step.name.startsWith(`${node.step.name}/`) : one.key.startsWith(`${node.key}/`);
  return nodes.filter(isInside).map(({ key }) => key);
}

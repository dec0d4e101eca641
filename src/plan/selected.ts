/** What a selection leaves out of a film, and what is wrong with the selection. */
import { type InstanceKey, roundsOf, type StepName } from '../domain/key.ts';
import type { Selection } from '../domain/selection.ts';
import { parseSelector, selects } from '../domain/selector.ts';
import { outputsOf } from './given-values.ts';
import { isOwned, type NeedGraph, type Node } from './need-graph.ts';
import { messages } from './selector-messages.ts';
import { selectorMistake } from './selector-mistakes.ts';

export interface Unselected {
  /** Why each is no part of it. Owned ones may be among them. */
  readonly leftOut: ReadonlyMap<InstanceKey, string>;
  readonly mistakes: readonly string[];
}

/** @param forgone what nobody needs any more, and why: it is made only where it is named. */
export function unselected(
  selection: Selection | undefined,
  graph: NeedGraph,
  forgone: ReadonlyMap<InstanceKey, string>,
  steps: ReadonlySet<StepName>,
): Unselected {
  if (!selection) return { leftOut: forgone, mistakes: [] };
  const mistakes: string[] = [];
  const chosen = (selectors: readonly string[]) =>
    new Set(selectors.flatMap(text => keysFor(text, graph, steps, mistakes)));
  const { only, exclude, redo } = selection;
  const excluded = chosen(exclude);
  const again = chosen(redo);
  const roots = rootsOf(selection, graph, chosen, forgone);
  const needed = graph.withNeeds(roots, excluded);
  const isFetched = (key: InstanceKey) => graph.get(key)?.decision?.is === 'fetch';
  const wanted = only.length > 0 ? new Set([...needed].filter(key => roots.has(key) || isFetched(key))) : needed;
  if (only.length > 0 && mistakes.length === 0) mistakes.push(...missing(graph, roots, excluded));
  const leftOut = new Map<InstanceKey, string>();
  for (const { key } of graph.nodes) {
    if (excluded.has(key)) leftOut.set(key, messages.excluded());
    else if (!wanted.has(key)) leftOut.set(key, forgone.get(key) ?? messages.notSelected());
  }
  const lost = [...again].filter(key => leftOut.has(key));
  if (mistakes.length === 0 && lost.length > 0) mistakes.push(messages.redoneLeftOut(lost));
  return { leftOut, mistakes };
}

/** What is said of selectors that name an open step and none of the instances that it turns out to have. */
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

/** What is wanted for its own sake. */
function rootsOf(
  { steps, only, from, until }: Selection,
  graph: NeedGraph,
  chosen: (selectors: readonly string[]) => ReadonlySet<InstanceKey>,
  forgone: ReadonlyMap<InstanceKey, string>,
): ReadonlySet<InstanceKey> {
  if (only.length > 0) return chosen(only);
  const named = chosen(steps);
  const all = () => graph.nodes.map(({ key }) => key);
  if (steps.length > 0 && from.length + until.length === 0) return named;
  const behind = from.length > 0 ? graph.from(chosen(from)) : undefined;
  const before = until.length > 0 ? graph.upTo(chosen(until)) : undefined;
  const between = behind ? [...behind].filter(key => before?.has(key) ?? true) : [...(before ?? all())];
  return new Set([...named, ...between.filter(key => !forgone.has(key))]);
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
    if (!node || isOwned(node) || excluded.has(key)) continue;
    const { single, whole } = graph.needsOf(node);
    const needs = [...single, ...whole.flatMap(name => graph.of(name).map(one => one.key))];
    const absent = needs.filter(need => {
      const one = graph.get(need);
      return one && !roots.has(need) && !isOwned(one) && one.decision?.is !== 'skip';
    });
    if (absent.length > 0) found.push(messages.needsFirst(key, [...new Set(absent)]));
  }
  return found;
}

/** A step that uses another file stands for all that is inside. */
function keysFor(
  text: string,
  graph: NeedGraph,
  steps: ReadonlySet<StepName>,
  mistakes: string[],
): readonly InstanceKey[] {
  const selector = parseSelector(text);
  // A step with `until`, and its rounds, which are called by its name.
  const ofStep = selector ? [...graph.of(selector.step), ...graph.of(roundsOf(selector.step))] : [];
  const chosen = selector ? ofStep.filter(({ key, isOpen }) => isOpen || selects(selector, key)) : [];
  // A list that is skipped, or empty today, is no mistake of whoever names the step.
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

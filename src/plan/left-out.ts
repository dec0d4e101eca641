/**
 * What is no part of a run, and why: what was not selected, takes that lost their pick, and whatever needs any of that and is not owned. A
 * list that lacks a part is never made of the rest.
 */
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { OpenStep, PlannedOutput } from '../domain/plan.ts';
import type { Selection } from '../domain/selection.ts';
import { groupsOf, NeedGraph, type Node } from './need-graph.ts';
import { messages } from './plan-messages.ts';
import type { DraftInstance } from './planner.ts';
import type { OpenPlace } from './schedule.ts';
import { unselected } from './selected.ts';

export interface LeavingOut {
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
  if (!selection && !places.some(place => 'forgoes' in place && place.forgoes)) return NOTHING;
  const graph = new NeedGraph(places.map(nodeOf));
  const kept = new Set(outputs.map(({ instance }) => instance));
  const forgone = graph.forgone(({ key }) => kept.has(key));
  const chosen = unselected(selection, graph, forgone, new Set(pipeline.steps.map(({ name }) => name)));
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

/** What an instance waits for: single instances, and steps as a whole. */
import { calledAs, groupInside, type InstanceKey, localName, type StepName } from '../domain/key.ts';
import type { UsedReads } from './obstacles.ts';
import { fansOut, type PlanGraph, type Slot, stepsInside } from './plan-graph.ts';
import { outputsOf } from './value-reads.ts';

export interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
}

/** Of one instance: what its values have asked for so far, and what stands in for it. */
export function waitsOfUsed(graph: PlanGraph, slot: Slot, used: UsedReads, standIn: InstanceKey | undefined): Waits {
  const around = aroundOf(slot);
  const asked = waitsOf(graph, [...needsOf(slot), ...around.steps, ...insideOf(graph, slot), ...used.steps]);
  const instances = standIn === undefined ? [...used.instances] : [...used.instances, standIn];
  return { needs: [...new Set([...around.instances, ...asked.needs, ...instances])], needsAll: asked.needsAll };
}

/** `needs`, as it stands within one instance of the step that uses the file; what is deeper inside, as a whole. */
function needsOf({ step: { needs, inside }, outer }: Slot): readonly StepName[] {
  if (!outer || !inside) return needs;
  return needs.map(name => {
    const local = name.slice(calledAs(inside.by).length + 1);
    return local.includes('/') ? name : groupInside(outer.key, local);
  });
}

/** What those are made from and behind that stand around it: all that is inside waits for it. */
function aroundOf({ outer }: Slot): {
  readonly instances: readonly InstanceKey[];
  readonly steps: readonly StepName[];
} {
  if (!outer) return { instances: [], steps: [] };
  const further = aroundOf(outer);
  // A round is made behind the one before it, and so is all that is inside.
  const before = outer.round !== undefined && outer.previous !== undefined ? [outer.previous] : [];
  return {
    instances: [...(outer.each ?? []), ...before, ...further.instances],
    steps: [...needsOf(outer), ...further.steps],
  };
}

/** What an instance of a `uses` step gathers: the makers of its outputs, or all that is inside where it has none. */
export function insideOf({ pipeline }: Pick<PlanGraph, 'pipeline'>, { key, step }: Slot): readonly StepName[] {
  const outputs = outputsOf(step);
  if (!outputs) return [];
  const makers =
    outputs.length > 0 ? outputs.map(({ from }) => from) : stepsInside(pipeline, step.name).map(({ name }) => name);
  return [...new Set(makers)].map(name => groupInside(key, localName(name)));
}

/** A step that does not fan out is waited for as its one instance, any other as a whole. */
export function waitsOf({ pipeline, instances }: PlanGraph, steps: readonly StepName[]): Waits {
  const names = [...new Set(steps)];
  const isSingle = (name: StepName) => !fansOut(pipeline, name) && !instances.isOpen(name);
  return {
    needs: names.filter(isSingle).flatMap(name => instances.of(name).map(({ key }) => key)),
    needsAll: names.filter(name => !isSingle(name)),
  };
}

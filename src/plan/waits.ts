/** What an instance waits for: single instances, and steps as a whole. */
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import { fansOut, type PlanGraph } from './plan-graph.ts';
import type { UsedReads } from './used-reads.ts';

export interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
}

/** Of one instance: what its values have asked for so far, and what stands in for it. */
export function waitsOfUsed(
  graph: PlanGraph,
  { needs }: Step,
  used: UsedReads,
  standIn: InstanceKey | undefined,
): Waits {
  const asked = waitsOf(graph, [...needs, ...used.steps]);
  const instances = standIn === undefined ? [...used.instances] : [...used.instances, standIn];
  return { needs: [...new Set([...asked.needs, ...instances])], needsAll: asked.needsAll };
}

/** A step that does not fan out is waited for as its one instance, any other as a whole. */
export function waitsOf({ pipeline, instances }: PlanGraph, steps: readonly StepName[]): Waits {
  const names = [...new Set(steps)];
  const single = names.filter(name => !fansOut(pipeline, name));
  return {
    needs: single.flatMap(name => instances.of(name).map(({ key }) => key)),
    needsAll: names.filter(name => fansOut(pipeline, name)),
  };
}

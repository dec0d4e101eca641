/** What an instance waits for: single instances, and steps as a whole. */
import type { InstanceKey, StepName } from '../domain/key.ts';
import { fansOut, type PlanGraph } from './plan-graph.ts';

export interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
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

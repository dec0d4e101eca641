/** What is waited for: one instance after the other, or all of a step. */
import type { InstanceKey, StepName } from '../domain/key.ts';
import { fansOut, type PlanGraph } from './plan-graph.ts';

export interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
}

/** Steps as what is waited for: the one instance of a step that does not fan out, all of one that does. */
export function waitsOf({ pipeline, instances }: PlanGraph, steps: readonly StepName[]): Waits {
  const names = [...new Set(steps)];
  const single = names.filter(name => !fansOut(pipeline, name));
  return {
    needs: single.flatMap(name => instances.of(name).map(({ key }) => key)),
    needsAll: names.filter(name => fansOut(pipeline, name)),
  };
}

/** A step that uses another file: the values that it gives to its params, and what it gives itself. */
import { memoized } from '../domain/memoized.ts';
import type { Step, UsedOutput, Value } from '../domain/pipeline.ts';

/** By param; empty where it uses no file. */
export const givenBy = memoized(
  (step: Step): ReadonlyMap<string, Value> =>
    new Map('outputs' in step ? step.with.entries.map(({ name, value }) => [name, value]) : []),
);

/** Undefined where it uses no file. */
export const outputsOf = (step: Step): readonly UsedOutput[] | undefined =>
  'outputs' in step ? step.outputs : undefined;

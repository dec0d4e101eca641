/** A step that uses another file: the values that it gives to its params, and what it gives itself. */
import type { Step, UsedOutput, Value } from '../domain/pipeline.ts';

const known = new WeakMap<Step, ReadonlyMap<string, Value>>();

/** By param; empty where it uses no file. */
export function givenBy(step: Step): ReadonlyMap<string, Value> {
  let given = known.get(step);
  if (!given) {
    given = new Map('outputs' in step ? step.with.entries.map(({ name, value }) => [name, value]) : []);
    known.set(step, given);
  }
  return given;
}

/** Undefined where it uses no file. */
export const outputsOf = (step: Step): readonly UsedOutput[] | undefined =>
  'outputs' in step ? step.outputs : undefined;

/** A step whose model is an axis is another step for each of its models: one and the same whenever it is asked for. */
import type { Step } from '../domain/pipeline.ts';

const known = new WeakMap<Step, ReadonlyMap<string, Step>>();

/** By the value of the axis; empty where the model is no axis. */
export function stepsByModel(step: Step): ReadonlyMap<string, Step> {
  let steps = known.get(step);
  if (!steps) {
    const variants = 'byModel' in step ? [...(step.byModel?.variants ?? [])] : [];
    steps = new Map(variants.map(([name, variant]) => [name, { ...step, ...variant } as Step]));
    known.set(step, steps);
  }
  return steps;
}

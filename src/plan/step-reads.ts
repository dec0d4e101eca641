/** Which steps and secrets a whole step reads. */
import type { Step } from '../domain/pipeline.ts';
import { kindOf } from './kinds/index.ts';
import { type Reads, readsOfAll } from './value-reads.ts';

const knownOfSteps = new WeakMap<Step, Reads>();

/** Everything that a step's work or its condition reads. */
export function readsOfStep(step: Step): Reads {
  let reads = knownOfSteps.get(step);
  if (!reads) {
    reads = readsOfAll([...(step.if ? [step.if] : []), ...kindOf(step).values(step)]);
    knownOfSteps.set(step, reads);
  }
  return reads;
}

const knownOfLists = new WeakMap<Step, Reads>();

/** Everything that the lists read from which its instances come. A step whose lists read results is open until those are there. */
export function readsOfLists(step: Step): Reads {
  let reads = knownOfLists.get(step);
  if (!reads) {
    const { matrix, include, exclude } = step.fanOut;
    reads = readsOfAll([...matrix.map(axis => axis.values), ...include, ...exclude]);
    knownOfLists.set(step, reads);
  }
  return reads;
}

/** Its instances depend on what other steps write. */
export const readsResults = (step: Step): boolean => readsOfLists(step).steps.size > 0;

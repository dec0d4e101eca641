/** Which steps and variables a whole step reads. */
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

/** What the lists read from which a step's instances come: where it is a result, the step is open until it is there. */
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

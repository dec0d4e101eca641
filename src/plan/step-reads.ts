/** Which steps and secrets a whole step reads. */
import type { StepName } from '../domain/key.ts';
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

/** Everything that the lists read from which its instances come. */
export function listsRead(step: Step): Reads {
  let reads = knownOfLists.get(step);
  if (!reads) {
    const { matrix, include, exclude } = step.fanOut;
    reads = readsOfAll([...matrix.map(axis => axis.values), ...include, ...exclude]);
    knownOfLists.set(step, reads);
  }
  return reads;
}

/** The steps whose results its lists read. It is open until all of them are there. */
export function stepsOfLists(step: Step): readonly StepName[] {
  const { steps, each } = listsRead(step);
  return each ? [...new Set([...steps, ...step.fanOut.each.map(source => source.step)])] : [...steps];
}

/** Its instances depend on what other steps write. */
export function readsResults(step: Step): boolean {
  const { steps, each } = listsRead(step);
  return each || steps.size > 0;
}

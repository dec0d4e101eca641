/** Which steps and secrets a whole step reads. */
import type { StepName } from '../domain/key.ts';
import type { Step, Value } from '../domain/pipeline.ts';
import { kindOf } from './kinds/index.ts';
import { mayNeedLess, type Reads, readsOf, readsOfAll } from './value-reads.ts';

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

const choosers = new WeakMap<Step, boolean>();

/** Its instances need not wait for all that they read: it has a condition, or chooses between results. */
export function choosesReads(step: Step): boolean {
  let chooses = choosers.get(step);
  if (chooses === undefined) {
    const condition = step.if && readsOf(step.if);
    chooses =
      step.else !== undefined ||
      (condition !== undefined && (condition.steps.size > 0 || condition.each)) ||
      kindOf(step).values(step).some(hasChoice);
    choosers.set(step, chooses);
  }
  return chooses;
}

function hasChoice(value: Value): boolean {
  switch (value.is) {
    case 'literal':
      return false;
    case 'expression':
    case 'text':
      return mayNeedLess(value);
    case 'list':
      return value.items.some(hasChoice);
    case 'map':
      return value.entries.some(entry => hasChoice(entry.value));
  }
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

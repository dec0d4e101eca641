/** Which steps and secrets a whole step reads. */

import { computedParts } from '../../language/types/values.ts';
import type { Pipeline, Step, Value } from '../../model/pipeline.ts';
import { calledAs, groupInside, type StepName } from '../../model/run/key.ts';
import { memoized } from '../../model/text/json.ts';
import { stepNamed } from '../graph/plan-graph.ts';
import { kindOf } from '../kinds/index.ts';
import { givenBy, mayNeedLess, type Reads, readsOf, readsOfAll } from './value-reads.ts';

/** Everything that a step's work or its condition reads. */
export const readsOfStep = memoized(
  (step: Step): Reads => readsOfAll([...conditionsOf(step), ...kindOf(step).values(step)]),
);

/** What decides whether it is carried out at all: of a round, also what is asked of the one before. */
const conditionsOf = ({ if: condition, until }: Step): readonly Value[] => [
  ...(condition ? [condition] : []),
  ...(until ? [until.holds] : []),
];

/** Its instances need not wait for all that they read: it has a condition, or chooses between results. */
export const choosesReads = memoized((step: Step): boolean => {
  const condition = step.if && readsOf(step.if);
  return (
    step.else !== undefined ||
    step.until !== undefined ||
    (condition !== undefined && (condition.steps.size > 0 || condition.each)) ||
    kindOf(step).choosesReads?.(step) === true ||
    kindOf(step).values(step).flatMap(computedParts).some(mayNeedLess)
  );
});

/** Everything that the lists read from which its instances come. */
export const listsRead = memoized((step: Step): Reads => {
  const { matrix, include, exclude } = step.fanOut;
  return readsOfAll([...matrix.map(axis => axis.values), ...include, ...exclude]);
});

/** The steps with results that its lists read, also through params that it is given. It is open until all of them are there. */
export const stepsOfLists = (step: Step, pipeline: Pipeline): readonly StepName[] => [
  ...new Set(stepsBehind(step, listsRead(step), pipeline)),
];

function stepsBehind(step: Step, { steps, each, params }: Reads, pipeline: Pipeline): readonly StepName[] {
  const { inside, fanOut } = step;
  const own = [...steps].map(name => groupInside(inside && calledAs(inside.by), name));
  const sources = each ? fanOut.each.map(source => source.step) : [];
  if (!inside || params.size === 0) return [...own, ...sources];
  const user = stepNamed(pipeline, inside.by);
  const given = givenBy(user);
  const values = [...params].flatMap(name => given.get(name) ?? []);
  return [...own, ...sources, ...stepsBehind(user, readsOfAll(values), pipeline)];
}

/** Its instances depend on what other steps write. */
export const readsResults = (step: Step, pipeline: Pipeline): boolean => stepsOfLists(step, pipeline).length > 0;

const readsOfGiven = memoized((_user: Step) => new Map<string, Reads>());

/** What everything inside a step waits for that reads these of its params: their values there, and whether it is carried out at all. */
export function readsForInside(user: Step, params: ReadonlySet<string>): Reads {
  const known = readsOfGiven(user);
  const names = [...params].sort();
  const key = names.join(' ');
  let reads = known.get(key);
  if (!reads) {
    const given = givenBy(user);
    reads = readsOfAll([...conditionsOf(user), ...names.flatMap(name => given.get(name) ?? [])]);
    known.set(key, reads);
  }
  return reads;
}

/** It, or something inside it, reads the instance before. */
export const readsPrevious = (step: Step): boolean =>
  readsOfStep(step).previous || readsOfAll([...givenBy(step).values()]).previous;

/** Which steps, params and secrets a value reads, under the names of its own file: this decides whether it is known yet, and whether it may be shown. */
import { valueExpressions, valueReads } from '../../language/types/values.ts';
import type { ExpressionValue, Reference, Root, Step, TextValue, UsedOutput, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { memoized } from '../../model/text/json.ts';

export interface Reads {
  readonly steps: ReadonlySet<StepName>;
  readonly each: boolean;
  /** The instance before; in `until` the one that is asked about, `this`. */
  readonly previous: boolean;
  /** Axes. */
  readonly matrix: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  /** What it reads is neither shown nor kept, in part or as a whole. */
  readonly secret: boolean;
}

/** Asked once for each instance, answered once for each value of the file. */
export const readsOf = memoized((value: Value): Reads => summed(valueReads(value)));

/** All that several values read. */
export const readsOfAll = (values: readonly Value[]): Reads => summed(values.flatMap(valueReads));

function summed(references: readonly Reference[]): Reads {
  const steps = references.filter(({ root }) => root === 'steps').map(({ path }) => path[0] as StepName);
  const names = (of: Root) =>
    new Set(references.flatMap(({ root, path }) => (root === of && path[0] !== undefined ? [path[0]] : [])));
  return {
    steps: new Set(steps),
    secret: references.some(({ secret }) => secret === true),
    matrix: names('matrix'),
    params: names('params'),
    each: references.some(({ root }) => root === 'each'),
    previous: references.some(({ root }) => root === 'previous' || root === 'this'),
  };
}

/** It reads what an instance gives. */
export function readsResults(value: Value): boolean {
  const { steps, each, previous } = readsOf(value);
  return steps.size > 0 || each || previous;
}

/** It chooses between what it reads, asks whether something is there, or names one of many. */
export const mayNeedLess = memoized(
  (value: ExpressionValue | TextValue): boolean =>
    readsResults(value) && valueExpressions(value).some(({ code }) => CHOOSES.test(code)),
);
const CHOOSES = /[?[]|&&|\|\||\b(has|size)\s*\(|\.matrix\b/;

/** By param; empty where it uses no file. */
export const givenBy = memoized(
  (step: Step): ReadonlyMap<string, Value> =>
    new Map('outputs' in step ? step.with.entries.map(({ name, value }) => [name, value]) : []),
);

/** Undefined where it uses no file. */
export const outputsOf = (step: Step): readonly UsedOutput[] | undefined =>
  'outputs' in step ? step.outputs : undefined;

/** Which steps, params and secrets a value reads, under the names of its own file: this decides whether it is known yet, and whether it may be shown. */
import type { StepName } from '../domain/key.ts';
import type { ExpressionValue, Reference, Root, TextValue, Value } from '../domain/pipeline.ts';

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
const known = new WeakMap<Value, Reads>();

export function readsOf(value: Value): Reads {
  let reads = known.get(value);
  if (!reads) {
    reads = summed([...references(value)]);
    known.set(value, reads);
  }
  return reads;
}

/** All that several values read. */
export const readsOfAll = (values: readonly Value[]): Reads => summed(values.flatMap(value => [...references(value)]));

/** All that a value reads, one after the other. */
export const referencesIn = (value: Value): readonly Reference[] => [...references(value)];

function* references(value: Value): Iterable<Reference> {
  switch (value.is) {
    case 'literal':
      return;
    case 'expression':
      yield* value.reads;
      return;
    case 'text':
      for (const part of value.parts) if (typeof part !== 'string') yield* part.reads;
      return;
    case 'list':
      for (const item of value.items) yield* references(item);
      return;
    case 'map':
      for (const entry of value.entries) yield* references(entry.value);
  }
}

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

const choosers = new WeakMap<Value, boolean>();

/** It chooses between what it reads, asks whether something is there, or names one of many. */
export function mayNeedLess(value: ExpressionValue | TextValue): boolean {
  let may = choosers.get(value);
  if (may === undefined) {
    const reads = readsOf(value);
    may = (reads.steps.size > 0 || reads.each || reads.previous) && mayChoose(value);
    choosers.set(value, may);
  }
  return may;
}

/** The same of a step of a used file: what it reads as a param may be a result. */
export function mayChoose(value: ExpressionValue | TextValue): boolean {
  const codes = value.is === 'text' ? value.parts.flatMap(part => (typeof part === 'string' ? [] : [part])) : [value];
  return codes.some(({ code }) => /[?[]|&&|\|\||\bhas\s*\(/.test(code));
}

/**
 * How many instances a fan-out asks for: lists multiply, and a thousand by a thousand by a thousand fits no machine.
 * Combinations are counted before `exclude` takes some away, because all of them are made first.
 */
import type { Span } from '../../model/diagnostic.ts';

/** Instances of one step, and of the film: each of them is planned, shown, journalled and locked. */
export const INSTANCE_LIMITS = { step: 10_000, film: 100_000 } as const;

/** Rounds of one `until`: more would hide another mistake. */
export const MOST_ROUNDS = 100;

/** `8 of \`shot\` × 1,000 × 3`. */
export interface Product {
  /** The step that `each` names, and how many it has. */
  readonly each?: { readonly step: string; readonly count: number } | undefined;
  readonly axes: readonly { readonly name: string; readonly at: Span; readonly count: number }[];
  readonly include: number;
  readonly takes: number;
  /** Where to point when no axis is to blame. */
  readonly at: Span;
}

export function countInstances({ each, axes, include, takes }: Product): number {
  const cells = axes.length === 0 && include > 0 ? 0 : axes.reduce((product, { count }) => product * count, 1);
  return (each?.count ?? 1) * (cells + include) * takes;
}

/** The first axis with which it is too many. */
export function placeOfExcess({ each, axes, at }: Product): Span {
  let product = each?.count ?? 1;
  for (const axis of axes) {
    product *= axis.count;
    if (product > INSTANCE_LIMITS.step) return axis.at;
  }
  return at;
}

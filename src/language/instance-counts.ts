/**
 * How many instances a file asks for, told before anything is made of them: lists multiply, and a thousand by a thousand by a
 * thousand fits no machine. Combinations are counted before `exclude` takes some away: what is to be left out has to be made
 * first. An axis whose list is an expression counts as one here, and as what it gives when the plan is made.
 */
import type { Span } from '../domain/diagnostic.ts';
import type { ResolvedFanOut } from './fan-out-inheritance.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';

/** Instances of one step, and of the film: each of them is planned, shown, journalled and locked. */
export const INSTANCE_LIMITS = { step: 10_000, film: 100_000 } as const;

/** `8 of \`shot\` × 1,000 × 3`. */
export interface Product {
  /** The step that `each` names, and how many it has. */
  readonly each?: { readonly step: string; readonly count: number } | undefined;
  readonly axes: readonly { readonly name: string; readonly at: Span; readonly count: number }[];
  readonly include: number;
  /** Where to point when no axis is to blame. */
  readonly at: Span;
}

export function countInstances({ each, axes, include }: Product): number {
  const cells = axes.length === 0 && include > 0 ? 0 : axes.reduce((product, { count }) => product * count, 1);
  return (each?.count ?? 1) * (cells + include);
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

/** `steps` in an order in which `each` always names an earlier one. */
export function checkCounts(
  steps: ReadonlyMap<string, ResolvedFanOut>,
  places: ReadonlyMap<string, { readonly at: Span }>,
  findings: Findings,
): void {
  const counts = new Map<string, number>();
  let sum = 0;
  for (const [name, { each, matrix, include, broken }] of steps) {
    const at = places.get(name)?.at;
    if (broken || !at) continue;
    const product: Product = {
      each: each && { step: each.step, count: counts.get(each.step) ?? 1 },
      axes: matrix.map(axis => ({
        name: axis.name,
        at: axis.at,
        count: axis.values.is === 'list' ? axis.values.items.length : 1,
      })),
      include: include.length,
      at,
    };
    const count = countInstances(product);
    const isTooMany = count > INSTANCE_LIMITS.step;
    if (isTooMany)
      findings.add(messages.tooManyInstances(name, product, count, INSTANCE_LIMITS.step), placeOfExcess(product));
    // What is told of one step is not told again of those made from it.
    counts.set(name, isTooMany ? 1 : count);
    sum += isTooMany ? 1 : count;
    if (sum > INSTANCE_LIMITS.film && sum - count <= INSTANCE_LIMITS.film)
      findings.add(messages.filmTooLarge(name, sum, INSTANCE_LIMITS.film), at);
  }
}

/**
 * Instances are counted before any is made. An axis whose list is an expression counts as one here, and as what it gives
 * when the plan is made.
 */
import type { Span } from '../domain/diagnostic.ts';
import type { ResolvedFanOut } from './fan-out-inheritance.ts';
import type { Findings } from './findings.ts';
import { countInstances, INSTANCE_LIMITS, type Product, placeOfExcess } from './instance-counts.ts';
import { messages } from './messages/index.ts';

/** `steps` in an order in which `each` always names an earlier one. */
export function checkCounts(
  steps: ReadonlyMap<string, ResolvedFanOut>,
  places: ReadonlyMap<string, { readonly at: Span }>,
  findings: Findings,
): void {
  const counts = new Map<string, number>();
  let sum = 0;
  for (const [name, { each, matrix, include, takes, broken }] of steps) {
    const at = places.get(name)?.at;
    if (broken || !at) continue;
    const product: Product = {
      each: largest(each.map(({ step }) => ({ step, count: counts.get(step) ?? 1 }))),
      axes: matrix.map(axis => ({
        name: axis.name,
        at: axis.at,
        count: axis.values.is === 'list' ? axis.values.items.length : 1,
      })),
      include: include.length,
      takes: takes?.is === 'literal' && typeof takes.value === 'number' ? takes.value : 1,
      at,
    };
    const count = countInstances(product);
    const isTooMany = count > INSTANCE_LIMITS.step;
    if (isTooMany)
      findings.add(messages.tooManyInstances(name, product, count, INSTANCE_LIMITS.step), placeOfExcess(product));
    // An excess reported at one step is not reported again at the steps made from it.
    counts.set(name, isTooMany ? 1 : count);
    sum += isTooMany ? 1 : count;
    if (sum > INSTANCE_LIMITS.film && sum - count <= INSTANCE_LIMITS.film)
      findings.add(messages.filmTooLarge(name, sum, INSTANCE_LIMITS.film), at);
  }
}

/** Steps that meet give at least as many as the largest of them has, when each meets one of every other. */
const largest = <One extends { readonly count: number }>(sources: readonly One[]): One | undefined =>
  sources.reduce<One | undefined>((most, one) => (most && most.count >= one.count ? most : one), undefined);

/**
 * Divisions between numbers with fractions by their type. JSON writes such a number without a point where it happens to be whole, so
 * a column of 2.5 and 3 would be halved to 1.25 and 1. What is divided is noted when an expression is typed, and asked when it is
 * evaluated; what has no known type is divided as it looks.
 */
import type { ExpressionValue } from '../domain/pipeline.ts';
import type { Binary } from './expression/tree.ts';

const noted = new WeakMap<ExpressionValue, Set<Binary>>();

export function noteRealDivision(expression: ExpressionValue, division: Binary): void {
  const divisions = noted.get(expression);
  if (divisions) divisions.add(division);
  else noted.set(expression, new Set([division]));
}

export const dividesReals = (expression: ExpressionValue, division: Binary): boolean =>
  noted.get(expression)?.has(division) === true;

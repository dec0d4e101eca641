/** What is equal, and what comes first (langdef.md, "Equality", "Ordering"): numbers by their value whatever their type, texts by code points. */
import type { Budget } from './budget.ts';
import { type Cel, isList, isMap, isNumber, itemAt, keysOf, lengthOf, valueAt } from './cel-value.ts';

export function equal(a: Cel, b: Cel, budget: Budget, depth = 0): boolean {
  budget.step();
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) budget.characters(a.length);
    return a === b;
  }
  if (isNumber(a) && isNumber(b)) return areWorthTheSame(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  budget.depth(depth);
  if (isList(a) && isList(b)) {
    const length = lengthOf(a);
    if (length !== lengthOf(b)) return false;
    for (let i = 0; i < length; i++) if (!equal(itemAt(a, i), itemAt(b, i), budget, depth + 1)) return false;
    return true;
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = keysOf(a);
  budget.items(keys.length);
  if (keys.length !== keysOf(b).length) return false;
  for (const key of keys) {
    const [mine, other] = [valueAt(a, key), valueAt(b, key)];
    if (mine === undefined || other === undefined || !equal(mine, other, budget, depth + 1)) return false;
  }
  return true;
}

/** JavaScript orders a bigint and a number by what they are worth, exactly. */
const areWorthTheSame = (a: bigint | number, b: bigint | number): boolean => a >= b && a <= b;

/** Negative, zero or positive; NaN where a number is none; undefined where the two have no order. */
export function order(a: Cel, b: Cel, budget: Budget): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') {
    const same = lengthInCommon(a, b);
    budget.scanned(same + 1);
    return orderBehind(same, a, b);
  }
  if (isNumber(a) && isNumber(b)) {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

function lengthInCommon(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let same = 0;
  while (same < length && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same;
}

/** JavaScript compares halves of pairs, which come before some characters that they should come after. */
function orderBehind(same: number, a: string, b: string): number {
  if (same === Math.min(a.length, b.length)) return a.length - b.length;
  return rank(a.charCodeAt(same)) - rank(b.charCodeAt(same));
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/**
 * Operators on values (langdef.md, "Standard Definitions"). Whole numbers have 64 bits, and what goes beyond is an error. A whole number
 * and one with fractions may be mixed, which CEL alone does not allow: authors write `duration / 2`.
 */
import { messages } from '../messages/index.ts';
import {
  type Cel,
  isList,
  isMap,
  isNumber,
  itemAt,
  itemsOf,
  keyOf,
  keysOf,
  lengthOf,
  typeNameOf,
  valueAt,
} from './cel-value.ts';
import type { Budget } from './evaluation-limit.ts';
import { Refused } from './functions/function.ts';
import type { BinaryOperator } from './tree.ts';

export function binary(operator: BinaryOperator, left: Cel, right: Cel, budget: Budget): Cel | Refused {
  switch (operator) {
    case '==':
      return equal(left, right, budget);
    case '!=':
      return !equal(left, right, budget);
    case 'in':
      return isIn(left, right, budget);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordered(operator, left, right, budget);
    case '+':
      return plus(left, right, budget);
    case '-':
    case '*':
    case '/':
    case '%':
      if (!isNumber(left) || !isNumber(right)) return noOverload(operator, left, right);
      return arithmetic(operator, left, right);
  }
}

export function negated(value: Cel): Cel | Refused {
  if (typeof value === 'number') return -value;
  return typeof value === 'bigint' ? fits64(-value) : new Refused(messages.noUnary('-', typeNameOf(value)));
}

export const add = (left: bigint | number, right: bigint | number): bigint | number | Refused =>
  typeof left === 'bigint' && typeof right === 'bigint' ? fits64(left + right) : Number(left) + Number(right);

export const fits64 = (value: bigint): bigint | Refused =>
  BigInt.asIntN(64, value) === value ? value : new Refused(messages.wholeNumberTooBig());

/** A number without fractions as the whole number it is. */
export function toInt(value: number): bigint | Refused {
  // The bounds themselves are no whole numbers that come back as they were (langdef.md, "Type Conversions").
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return new Refused(messages.wholeNumberTooBig());
  return BigInt(value);
}

const noOverload = (operator: string, left: Cel, right: Cel): Refused =>
  new Refused(messages.noOperation(operator, typeNameOf(left), typeNameOf(right)));

function plus(left: Cel, right: Cel, budget: Budget): Cel | Refused {
  if (isNumber(left) && isNumber(right)) return add(left, right);
  if (typeof left === 'string' && typeof right === 'string') {
    budget.text(left.length + right.length);
    return left + right;
  }
  if (!isList(left) || !isList(right)) return noOverload('+', left, right);
  budget.items(lengthOf(left) + lengthOf(right));
  return [...itemsOf(left, budget), ...itemsOf(right, budget)];
}

function arithmetic(operator: '-' | '*' | '/' | '%', left: bigint | number, right: bigint | number): Cel | Refused {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n && (operator === '/' || operator === '%')) return new Refused(messages.dividedByZero());
    switch (operator) {
      case '-':
        return fits64(left - right);
      case '*':
        return fits64(left * right);
      case '/':
        return fits64(left / right);
      case '%':
        return left % right;
    }
  }
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return noOverload('%', left, right);
  }
}

function ordered(operator: '<' | '<=' | '>' | '>=', left: Cel, right: Cel, budget: Budget): Cel | Refused {
  const compared = order(left, right, budget);
  if (compared === undefined) return noOverload(operator, left, right);
  switch (operator) {
    case '<':
      return compared < 0;
    case '<=':
      return compared <= 0;
    case '>':
      return compared > 0;
    case '>=':
      return compared >= 0;
  }
}

function isIn(value: Cel, where: Cel, budget: Budget): Cel | Refused {
  if (isMap(where)) {
    const key = keyOf(value);
    return key !== undefined && valueAt(where, key) !== undefined;
  }
  if (!isList(where)) return noOverload('in', value, where);
  for (const item of itemsOf(where, budget)) if (equal(item, value, budget)) return true;
  return false;
}

/** What is equal, and what comes first (langdef.md, "Equality", "Ordering"): numbers by their value whatever their type, texts by code points. */
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

/**
 * Operators on values (langdef.md, "Standard Definitions"). Whole numbers have 64 bits, and what goes beyond is an error. A whole number
 * and one with fractions may be mixed, which CEL alone does not allow: authors write `duration / 2`.
 */
import { messages } from '../messages/index.ts';
import type { Budget } from './budget.ts';
import { type Cel, isList, isMap, isNumber, itemsOf, keyOf, lengthOf, typeNameOf, valueAt } from './cel-value.ts';
import { equal, order } from './comparison.ts';
import { Refused } from './function.ts';
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

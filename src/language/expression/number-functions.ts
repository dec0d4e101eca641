/** What can be done with numbers. What rounds gives a whole number, for the fields that take one. */
import { messages } from '../messages/index.ts';
import { ANY, DOUBLE, INT, join, type Type } from '../types.ts';
import type { Budget } from './budget.ts';
import { type Cel, itemsOf } from './cel-value.ts';
import { order } from './comparison.ts';
import { form, manyOf, type PlainFunction, Refused } from './function.ts';
import { fits64, toInt } from './operators.ts';

const joined = (given: readonly Type[]): Type => given.reduce(join, given[0] ?? ANY);
const ofItems = ([type]: readonly Type[]): Type => (type?.is === 'list' ? type.of : ANY);

export const NUMBER_FUNCTIONS: readonly PlainFunction[] = [
  {
    is: 'function',
    name: 'round',
    style: 'function',
    says: 'The nearest whole number, halves away from zero; with digits, the nearest number with so many behind the point.',
    example: { code: 'round(4.5)', answer: 5 },
    forms: [
      form(['number'], ['number'], INT, (_, value) => (typeof value === 'bigint' ? value : toInt(roundHalf(value)))),
      form(['number', 'int'], ['number', 'digits'], DOUBLE, (_, value, digits) => {
        if (digits < 0n || digits > 15n) return new Refused(messages.badDigits(digits));
        return roundTo(Number(value), Number(digits));
      }),
    ],
  },
  rounding('math.ceil', 'The whole number that is not below this one.', 'math.ceil(4.2)', 5, Math.ceil),
  rounding('math.floor', 'The whole number that is not above this one.', 'math.floor(4.8)', 4, Math.floor),
  {
    is: 'function',
    name: 'math.abs',
    style: 'function',
    says: 'The number without its sign.',
    example: { code: 'math.abs(-3)', answer: 3 },
    forms: [
      form(['number'], ['number'], joined, (_, value) => {
        if (typeof value === 'number') return Math.abs(value);
        return fits64(value < 0n ? -value : value);
      }),
    ],
  },
  extreme('math.greatest', 'The greatest of some numbers, or of a list of them.', 'math.greatest(2, 7.5, 4)', 7.5, 1),
  extreme('math.least', 'The least of some numbers, or of a list of them.', 'math.least([5, 3, 8])', 3, -1),
];

function rounding(
  name: string,
  says: string,
  code: string,
  answer: number,
  rounded: (value: number) => number,
): PlainFunction {
  return {
    is: 'function',
    name,
    style: 'function',
    says,
    example: { code, answer },
    forms: [
      form(['number'], ['number'], INT, (_, value) => (typeof value === 'bigint' ? value : toInt(rounded(value)))),
    ],
  };
}

function extreme(name: string, says: string, code: string, answer: number, sign: 1 | -1): PlainFunction {
  const find = (budget: Budget, values: readonly Cel[]): Cel | Refused => {
    let [found] = values;
    if (found === undefined) return new Refused(messages.extremeOfNothing(name));
    for (const value of values) {
      budget.step();
      if (typeof value !== 'bigint' && typeof value !== 'number') return new Refused(messages.extremeOfNumbers(name));
      const compared = order(value, found, budget);
      if (compared !== undefined && compared * sign > 0) found = value;
    }
    return found;
  };
  return {
    is: 'function',
    name,
    style: 'function',
    says,
    example: { code, answer },
    forms: [
      manyOf('number', 'number', joined, find),
      form(['numbers'], ['list'], ofItems, (budget, items) => find(budget, itemsOf(items, budget))),
    ],
  };
}

/** JavaScript rounds -2.5 up. */
const roundHalf = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

/** By the digits that a person sees: 1.005 to two is 1.01, though its nearest binary fraction is a little less. */
function roundTo(value: number, digits: number): number {
  const text = String(Math.abs(value));
  if (!Number.isFinite(value) || text.includes('e')) return Number(value.toFixed(digits));
  return Math.sign(value) * Number(`${Math.round(Number(`${text}e${digits}`))}e-${digits}`);
}

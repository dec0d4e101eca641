/** One type to another (langdef.md, "Type Conversions"). */
import type { Json } from '../../../model/text/json.ts';
import { messages } from '../../messages/index.ts';
import { BOOL, DOUBLE, INT, PLAIN_TEXT } from '../../types/types.ts';
import { type Cel, itemsOf, toJson } from '../cel-value.ts';
import { BUDGET, type Budget } from '../evaluation-limit.ts';
import { fits64, order, toInt } from '../operators.ts';
import { call, commonType, form, manyOf, type PlainFunction, Refused, typeOfItems } from './function.ts';

/** What can be done with numbers. What rounds gives a whole number, for the fields that take one. */
export const NUMBER_FUNCTIONS: readonly PlainFunction[] = [
  call(
    'round',
    'The nearest whole number, halves away from zero; with digits, the nearest number with so many behind the point.',
    ['round(4.5)', 5],
    form(['number'], ['number'], INT, (_, value) => (typeof value === 'bigint' ? value : toInt(roundHalf(value)))),
    form(['number', 'int'], ['number', 'digits'], DOUBLE, (_, value, digits) => {
      if (digits < 0n || digits > 15n) return new Refused(messages.badDigits(digits));
      return roundTo(Number(value), Number(digits));
    }),
  ),
  rounding('math.ceil', 'The whole number that is not below this one.', 'math.ceil(4.2)', 5, Math.ceil),
  rounding('math.floor', 'The whole number that is not above this one.', 'math.floor(4.8)', 4, Math.floor),
  call(
    'math.abs',
    'The number without its sign.',
    ['math.abs(-3)', 3],
    form(['number'], ['number'], commonType, (_, value) => {
      if (typeof value === 'number') return Math.abs(value);
      return fits64(value < 0n ? -value : value);
    }),
  ),
  extreme('math.greatest', 'The greatest of some numbers, or of a list of them.', 'math.greatest(2, 7.5, 4)', 7.5, 1),
  extreme('math.least', 'The least of some numbers, or of a list of them.', 'math.least([5, 3, 8])', 3, -1),
];

function rounding(
  name: string,
  description: string,
  code: string,
  answer: number,
  rounded: (value: number) => number,
): PlainFunction {
  const whole = form(['number'], ['number'], INT, (_, value) =>
    typeof value === 'bigint' ? value : toInt(rounded(value)),
  );
  return call(name, description, [code, answer], whole);
}

function extreme(name: string, description: string, code: string, answer: number, sign: 1 | -1): PlainFunction {
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
  const ofList = form(['numbers'], ['list'], typeOfItems, (budget, items) => find(budget, itemsOf(items, budget)));
  return call(name, description, [code, answer], manyOf('number', 'number', commonType, find), ofList);
}

/** JavaScript rounds -2.5 up. */
const roundHalf = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

/** By the digits that a person sees: 1.005 to two is 1.01, though its nearest binary fraction is a little less. */
function roundTo(value: number, digits: number): number {
  const text = String(Math.abs(value));
  if (!Number.isFinite(value) || text.includes('e')) return Number(value.toFixed(digits));
  return Math.sign(value) * Number(`${Math.round(Number(`${text}e${digits}`))}e-${digits}`);
}

export const CONVERSIONS: readonly PlainFunction[] = [
  call(
    'string',
    'A number, or true or false, as text.',
    ["'take ' + string(3)", 'take 3'],
    form(
      ['text'],
      ['text'],
      ([type]) => type ?? PLAIN_TEXT,
      (_, text) => text,
    ),
    form(['number'], ['number'], PLAIN_TEXT, (_, value) => String(value)),
    form(['bool'], ['bool'], PLAIN_TEXT, (_, value) => String(value)),
  ),
  call(
    'int',
    'A text, or a number without its fraction, as a whole number.',
    ['int(4.9)', 4],
    form(['number'], ['number'], INT, (_, value) => (typeof value === 'bigint' ? value : toInt(Math.trunc(value)))),
    form(['text'], ['text'], INT, (_, text) =>
      /^[-+]?\d{1,30}$/.test(text) ? fits64(BigInt(text.replace('+', ''))) : new Refused(messages.noWholeNumber(text)),
    ),
  ),
  call(
    'double',
    'A text or a whole number as a number with fractions.',
    ["double('2.5')", 2.5],
    form(['number'], ['number'], DOUBLE, (_, value) => Number(value)),
    form(['text'], ['text'], DOUBLE, (_, text) => {
      const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text.slice(0, 400)) ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? value : new Refused(messages.noNumber(text));
    }),
  ),
  call(
    'bool',
    'The text `true` or `false` as what it says.',
    ["bool('true')", true],
    form(['bool'], ['bool'], BOOL, (_, value) => value),
    form(['text'], ['text'], BOOL, (_, text) => {
      if (['true', 'True', 'TRUE', 't', '1'].includes(text)) return true;
      if (['false', 'False', 'FALSE', 'f', '0'].includes(text)) return false;
      return new Refused(messages.noBool(text));
    }),
  ),
  call(
    'json',
    'Anything as its JSON text, for a prompt or a command.',
    ["json({'beat': 1, 'look': ['snow', 'dusk']})", '{"beat":1,"look":["snow","dusk"]}'],
    form(['any'], ['value'], PLAIN_TEXT, (budget, value) => {
      const given = toJson(value, budget);
      return given.is === 'json' ? jsonText(given.json, budget) : new Refused(messages.notJsonInside());
    }),
  ),
];

function jsonText(json: Json, budget: Budget): string {
  const parts: string[] = [];
  let length = 0;
  const write = (text: string): void => {
    length += text.length;
    if (length > BUDGET.text) budget.text(length);
    parts.push(text);
  };
  const walk = (value: Json, depth: number): void => {
    budget.step();
    budget.depth(depth);
    if (typeof value !== 'object' || value === null) write(JSON.stringify(value));
    else if (Array.isArray(value)) {
      write('[');
      (value as readonly Json[]).forEach((item, index) => {
        if (index > 0) write(',');
        walk(item, depth + 1);
      });
      write(']');
    } else {
      write('{');
      Object.entries(value).forEach(([name, item], index) => {
        write(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
        walk(item, depth + 1);
      });
      write('}');
    }
  };
  walk(json, 0);
  budget.text(length);
  return parts.join('');
}

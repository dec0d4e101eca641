/** One type to another (langdef.md, "Type Conversions"). */
import type { Json } from '../../domain/json.ts';
import { messages } from '../messages/index.ts';
import { BOOL, DOUBLE, INT, type Type } from '../types.ts';
import { BUDGET, type Budget } from './budget.ts';
import { toJson } from './cel-value.ts';
import { form, type PlainFunction, Refused } from './function.ts';
import { fits64, toInt } from './operators.ts';

/** What is made of a number or of true and false leads to no media. */
const PLAIN_TEXT: Type = { is: 'text', leadsTo: 'none' };

export const CONVERSIONS: readonly PlainFunction[] = [
  {
    is: 'function',
    name: 'string',
    style: 'function',
    says: 'A number, or true or false, as text.',
    example: { code: "'take ' + string(3)", answer: 'take 3' },
    forms: [
      form(
        ['text'],
        ['text'],
        ([type]) => type ?? PLAIN_TEXT,
        (_, text) => text,
      ),
      form(['number'], ['number'], PLAIN_TEXT, (_, value) => String(value)),
      form(['bool'], ['bool'], PLAIN_TEXT, (_, value) => String(value)),
    ],
  },
  {
    is: 'function',
    name: 'int',
    style: 'function',
    says: 'A text, or a number without its fraction, as a whole number.',
    example: { code: 'int(4.9)', answer: 4 },
    forms: [
      form(['number'], ['number'], INT, (_, value) => (typeof value === 'bigint' ? value : toInt(Math.trunc(value)))),
      form(['text'], ['text'], INT, (_, text) =>
        /^[-+]?\d{1,30}$/.test(text)
          ? fits64(BigInt(text.replace('+', '')))
          : new Refused(messages.noWholeNumber(text)),
      ),
    ],
  },
  {
    is: 'function',
    name: 'double',
    style: 'function',
    says: 'A text or a whole number as a number with fractions.',
    example: { code: "double('2.5')", answer: 2.5 },
    forms: [
      form(['number'], ['number'], DOUBLE, (_, value) => Number(value)),
      form(['text'], ['text'], DOUBLE, (_, text) => {
        const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text.slice(0, 400))
          ? Number(text)
          : Number.NaN;
        return Number.isFinite(value) ? value : new Refused(messages.noNumber(text));
      }),
    ],
  },
  {
    is: 'function',
    name: 'bool',
    style: 'function',
    says: 'The text `true` or `false` as what it says.',
    example: { code: "bool('true')", answer: true },
    forms: [
      form(['bool'], ['bool'], BOOL, (_, value) => value),
      form(['text'], ['text'], BOOL, (_, text) => {
        if (['true', 'True', 'TRUE', 't', '1'].includes(text)) return true;
        if (['false', 'False', 'FALSE', 'f', '0'].includes(text)) return false;
        return new Refused(messages.noBool(text));
      }),
    ],
  },
  {
    is: 'function',
    name: 'json',
    style: 'function',
    says: 'Anything as its JSON text, for a prompt or a command.',
    example: { code: "json({'beat': 1, 'look': ['snow', 'dusk']})", answer: '{"beat":1,"look":["snow","dusk"]}' },
    forms: [
      form(['any'], ['value'], PLAIN_TEXT, (budget, value) => {
        const given = toJson(value, budget);
        return given.is === 'json' ? jsonText(given.json, budget) : new Refused(messages.notJsonInside());
      }),
    ],
  },
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

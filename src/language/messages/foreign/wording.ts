/** What the messages are made with: codes, lists of names, articles, places. */

import type { FieldSchema } from '../../../model/model.ts';
import { listed } from '../../../model/text/format.ts';
import type { Message, Suggestion } from '../../checks/findings.ts';
import type { Type } from '../../types/types.ts';

export const error = (code: string, message: string): Message => ({ code, message });

/** `code: words`, as the tables of messages hold most of them. */
export function toMessage(text: string | Message): Message {
  if (typeof text !== 'string') return text;
  const at = text.indexOf(': ');
  return error(text.slice(0, at), text.slice(at + 2));
}

/** The message with its fix, where a name or a value comes near. */
export const withSuggestion = (
  message: string | Message,
  word: string | number | boolean,
  by: Suggestion['by'] | undefined,
): Message => ({
  ...toMessage(message),
  ...(by !== undefined && { instead: { word: String(word), by } satisfies Suggestion }),
});

/** `"true"` where true is wanted: the value without its quotes; undefined where a text is one without them, too. */
export const withoutQuotes = (value: unknown): boolean | number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

/** Adds `; write `true` without quotes`, and what mends it. @param value the text between the quotes. */
export const unquote = (message: string, value: string): Message => ({
  ...toMessage(`${message}; write \`${withoutQuotes(value)}\` without quotes`),
  instead: { word: value, by: withoutQuotes(value) ?? value },
});

export const warning = (text: string): Message => ({ ...toMessage(text), severity: 'warning' });

export function place(path: readonly string[]): string {
  const [section, name, ...rest] = path;
  if (section === undefined) return 'the file';
  if (name === undefined) return `\`${section}\``;
  const nouns: Readonly<Record<string, string>> = { steps: 'step', params: 'param', outputs: 'output' };
  const noun = own(nouns, section);
  if (!noun) return `\`${path.join('.')}\``;
  return rest.length === 0 ? `${noun} \`${name}\`` : `\`${rest.join('.')}\` of ${noun} \`${name}\``;
}

/** An expression is in a step, or (outputs) in none. */
export const subject = (step: string): string => (step === '' ? 'this' : `step \`${step}\``);

export const own = <T extends string>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A table that holds the same for each of these words, which have blanks between them. */
export const all = <T>(words: string, value: T): Record<string, T> =>
  Object.fromEntries(words.split(' ').map(word => [word, value]));

export const a = (noun: string): string =>
  noun === 'audio' ? 'audio' : /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;

export const code = (value: string | number | boolean): string => `\`${value}\``;

export const quoted = (value: string | number | boolean): string => {
  const text = String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
};

export const unique = (items: readonly string[]): string[] => [...new Set(items)];

export const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;

const orNothing = (items: readonly string[], last: 'and' | 'or'): string =>
  items.length === 0 ? 'nothing' : listed(items, last);

export const or = (items: readonly string[]): string => orNothing(items, 'or');

export const and = (items: readonly string[], names = true): string =>
  orNothing(names ? items.map(code) : items, 'and');

/** How types are called in messages. */
export const typeName = (type: Type): string => {
  switch (type.is) {
    case 'any':
    case 'wrong':
      return 'anything';
    case 'null':
      return 'nothing';
    case 'bool':
      return 'true or false';
    case 'int':
      return 'a whole number';
    case 'double':
      return 'a number';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none'
        ? `the address of ${a(type.leadsTo === 'media' ? 'medium' : type.leadsTo)}`
        : 'a text';
    case 'list':
      return `a list of ${plural(type.of)}`;
    case 'map':
      return 'a mapping';
    case 'record':
      return type.called;
  }
};

export const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  array: 'a list',
  object: 'a mapping',
  duration: 'a duration like `90s`',
};

function plural(type: Type): string {
  switch (type.is) {
    case 'int':
      return 'whole numbers';
    case 'double':
      return 'numbers';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none' ? 'addresses' : 'texts';
    case 'record':
      return type.called
        .replace(/^an? (.*)result$/, '$1results')
        .replace(/^an? (file)?(.*)$/, (_, file = '', rest) => (file ? `files${rest}` : rest));
    case 'list':
      return 'lists';
    case 'any':
    case 'wrong':
      return 'anything';
    default:
      return typeName(type);
  }
}

export function takes(schema: FieldSchema): string {
  if (schema.type === 'array') return schema.items ? `a list of ${takesMany(schema.items)}` : 'a list';
  if (schema.media) return `the address of ${a(schema.media.kind)}`;
  if (schema.format === 'uri') return 'an address';
  return TYPE_NAMES[schema.type] ?? schema.type;
}

const takesMany = (schema: FieldSchema): string =>
  schema.media
    ? `addresses of ${schema.media.kind === 'audio' ? 'audio' : `${schema.media.kind}s`}`
    : schema.format === 'uri'
      ? 'addresses'
      : (
          {
            string: 'texts',
            integer: 'whole numbers',
            number: 'numbers',
            boolean: 'true or false',
            array: 'lists',
            object: 'mappings',
          } as const
        )[schema.type];

export function fieldOf(source: string, type: Type): string {
  const field =
    type.is === 'record' ? (type.fields.has('result_url') ? 'result_url' : type.fields.keys().next().value) : undefined;
  return `\`${source}.${field ?? 'name'}\``;
}

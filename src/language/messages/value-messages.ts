/** Values against the field, or the param, that they are for. */
import type { FieldSchema } from '../../domain/model.ts';
import type { Type } from '../types.ts';
import { numberMeant } from './meant-values.ts';
import { fieldOf, takes, typeName } from './type-names.ts';
import { a, mended, or, quoted, unquote, withoutQuotes } from './wording.ts';

export const valueMessages = {
  emptyField: (called: string) => `empty: ${called} is empty; give it a value or take it out`,
  wrongType: (called: string, schema: FieldSchema, given: string) =>
    `wrong-type: ${called} takes ${takes(schema)}, not ${given}; give one plain value`,
  textForField: (called: string, schema: FieldSchema) =>
    `wrong-type: ${called} takes ${takes(schema)}, but an expression with text around it gives text; leave only the expression`,
  wrongLiteral: (called: string, schema: FieldSchema, value: boolean | number | string) => {
    const plain = withoutQuotes(value);
    const isMeant =
      schema.type === 'integer'
        ? Number.isInteger(plain)
        : typeof plain === schema.type && (schema.type === 'number' || schema.type === 'boolean');
    if (isMeant) return unquote(`wrong-type: ${called} takes ${takes(schema)}, not \`"${value}"\``, String(value));
    const { advice, by } = plainlyMeant(schema, value) ?? { advice: inOtherShape(schema, value) };
    return mended(`wrong-type: ${called} takes ${takes(schema)}, not ${quoted(value)}; ${advice}`, value, by);
  },
  notInEnum: (
    called: string,
    allowed: readonly (string | number)[],
    value: string | number,
    near: string | number | undefined,
  ) =>
    mended(
      `not-one-of: ${called} cannot be ${quoted(value)}; ${near !== undefined ? `did you mean ${quoted(near)}? ` : ''}it takes ${or(allowed.map(quoted))}`,
      value,
      near,
    ),
  outOfRange: (called: string, { minimum, maximum }: FieldSchema, value: number) =>
    `out-of-range: ${called} is ${value}; it must be ${
      minimum !== undefined && maximum !== undefined
        ? `${minimum} to ${maximum}`
        : minimum !== undefined
          ? `at least ${minimum}`
          : `at most ${maximum}`
    }`,
  outOfBound: (called: string, broken: { readonly atLeast: string } | { readonly atMost: string }, value: string) =>
    `out-of-range: ${called} is ${quoted(value)}; it must be ${'atLeast' in broken ? `at least ${broken.atLeast}` : `at most ${broken.atMost}`}`,
  notWrittenSo: (called: string, { examples = [] }: FieldSchema, value: string) =>
    `bad-value: ${called} cannot be ${quoted(value)}; it is written like ${or(examples.slice(0, 3).map(example => quoted(String(example))))}`,
  textTooLong: (called: string, limit: number, length: number) =>
    `too-long: ${called} has ${length} characters; at most ${limit} are allowed, so shorten it by ${length - limit}`,
  textTooShort: (called: string, limit: number, length: number) =>
    `too-short: ${called} has ${length} characters; at least ${limit} are needed`,
  tooManyItems: (called: string, limit: number, length: number) =>
    `too-many: ${called} has ${length} entries; at most ${limit} are allowed`,
  notInText: (source: string, type: Type) =>
    `not-in-text: \`${source}\` is ${typeName(type)} and cannot stand inside a text; ${
      type.is === 'list'
        ? 'pick one (`[0]`) or `join` them'
        : type.is === 'record'
          ? `read one of its fields, like ${fieldOf(source, type)}`
          : 'give one plain value'
    }`,
  typeGiven: (called: string, schema: FieldSchema, type: Type) =>
    `wrong-type: ${called} takes ${takes(schema)}, but this is ${typeName(type)}${convert(schema, type)}`,
  listGiven: (called: string, schema: FieldSchema, type: Type) =>
    `wrong-type: ${called} takes ${takes(schema)}, but this is ${typeName(type)}; use \`each\` to make one for each, or pick one with \`[0]\``,
  needsList: (called: string, schema: FieldSchema, type: Type) =>
    `wrong-type: ${called} takes ${takes(schema)}, but this is ${typeName(type)}; put it in a list: \`["\${{ … }}"]\``,
  recordForMedia: (called: string, type: Type) =>
    `wrong-type: ${called} takes an address, but this is ${typeName(type)}; add \`${type.is === 'record' && type.cel === 'MediaResult' ? '.result_url' : '.file'}\``,
  notMedia: (called: string, kind: string | undefined) =>
    `wrong-kind: ${called} takes the address of ${a(kind ?? 'medium')}, but this leads to none; read \`result_url\``,
  wrongKind: (called: string, wanted: string, given: string) =>
    `wrong-kind: ${called} takes ${a(wanted)}, but this is ${a(given)}; give it a step that makes ${a(wanted)}`,
  wrongSourceKind: (called: string, wanted: string, given: string) =>
    `wrong-kind: ${called} takes ${a(wanted)}, but this name ends like ${a(given)}; give it ${a(wanted)}`,
  absolutePath: (path: string) =>
    `absolute-path: ${quoted(path)} is not relative; give a path relative to the file, or an https:// address`,
  notASource: (text: string) =>
    `not-a-source: ${quoted(text)} names no file; give a path relative to the file, an https:// address, or a step's result like \`\${{ steps.name.result_url }}\``,
  badScheme: (scheme: string) =>
    `bad-scheme: \`${scheme}:\` cannot be read; give an https:// address or a path relative to the file`,
  badAddress: (text: string) => `bad-address: ${quoted(text)} is not a complete address; check it`,
  plainHttp: () => 'plain-http: `http://` can be read and changed on its way; use `https://`',
};

/** The plain value that takes the place of another. */
function plainlyMeant(
  { type }: FieldSchema,
  value: boolean | number | string,
): { readonly advice: string; readonly by: string | number | boolean } | undefined {
  if (typeof value !== 'string')
    return type === 'string'
      ? { advice: `write "${value}" with quotes`, by: `"${value}"` }
      : typeof value === 'number' && type === 'integer'
        ? { advice: `write ${Math.round(value)}`, by: Math.round(value) }
        : undefined;
  if (type === 'boolean' && /^(yes|on|no|off)$/i.test(value)) {
    const by = /^(yes|on)$/i.test(value);
    return { advice: `write ${by}`, by };
  }
  const number = type === 'number' || type === 'integer' ? numberMeant(value) : undefined;
  if (number === undefined || (type === 'integer' && !Number.isInteger(number))) return undefined;
  return { advice: `write ${number}`, by: number };
}

function inOtherShape(schema: FieldSchema, value: boolean | number | string): string {
  if (schema.type === 'array' && schema.items?.type === 'object')
    return `write \`prompt: ${value}\` in its place, or a list of messages`;
  if (schema.type === 'array') return `write \`[${value}]\``;
  if (schema.type === 'object' && schema.required?.length === 1) return `write { ${schema.required[0]}: ${value} }`;
  return 'change it';
}

function convert(schema: FieldSchema, type: Type): string {
  if (schema.type === 'string' && (type.is === 'int' || type.is === 'double' || type.is === 'bool'))
    return '; write `string(…)` around it';
  if (schema.type === 'integer' && (type.is === 'double' || type.is === 'text')) return '; write `int(…)` around it';
  if (schema.type === 'number' && type.is === 'text') return '; write `double(…)` around it';
  return '; read something else';
}

/** Values against the field, or the param, that they are for. */
import type { FieldSchema } from '../../model/model.ts';
import { HOLDS, type Holds } from '../types/schema-keywords.ts';
import type { Type } from '../types/types.ts';
import { numberMeant } from './foreign/meant-values.ts';
import {
  a,
  code,
  fieldOf,
  or,
  quoted,
  takes,
  typeName,
  unquote,
  warning,
  withoutQuotes,
  withSuggestion,
} from './foreign/wording.ts';

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
    return withSuggestion(`wrong-type: ${called} takes ${takes(schema)}, not ${quoted(value)}; ${advice}`, value, by);
  },
  notInEnum: (
    called: string,
    allowed: readonly (string | number)[],
    value: string | number,
    near: string | number | undefined,
  ) =>
    withSuggestion(
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

/** What is wrong with the `schema` of a chat step, in place or in a file of its own. */
export const schemaMessages = {
  computedSchema: () =>
    'computed-schema: a whole schema is written, or a file is named; an expression may stand in the place of a value in it, like `minItems: ${{ … }}`',
  computedName: () =>
    'computed-schema: a name in a schema is written, not computed: an expression may stand only where a value does',
  schemaFile: (path: string, problem: string) =>
    `schema-file: \`schema\` names ${quoted(path)}, which ${problem}${problem.includes('?') ? '' : `; ${/\.\w+$/.test(path) ? 'check the path, which begins at the pipeline file' : 'name a file like `./beats.schema.json`, or write it in place: `schema: { type: object, … }`'}`}`,
  emptySchemaFile: () => 'schema-file: the file is empty; write a JSON Schema into it',
  schemaFileNoMapping: () => 'schema-file: a JSON Schema is a mapping; start it with `type: object`',
  schemaOfText: (type: string) =>
    `schema-of-text: an answer is read as a mapping or a list, and this schema asks for ${code(type)} alone; put it into a mapping: { type: object, required: [value], properties: { value: { type: ${type} } } }`,
  unknownSchemaType: (given: string, near: string | undefined, types: readonly string[]) =>
    withSuggestion(
      `bad-schema: no JSON Schema has the type ${quoted(given)}; ${near ? `did you mean \`${near}\`?` : `there are ${or(types.map(code))}`}`,
      given,
      near,
    ),
  unknownKeyword: (name: string, near: string) =>
    withSuggestion(`bad-schema: JSON Schema has no keyword \`${name}\`; did you mean \`${near}\`?`, name, near),
  schemaKeyword: (name: string, holds: Holds, given: string) =>
    `bad-schema: \`${name}\` of a JSON Schema is ${HOLDS[holds].called}, not ${given}${insteadOf(name, holds, given)}`,
  schemaKeywordType: (name: string, holds: Holds, given: Type) =>
    `bad-schema: \`${name}\` of a JSON Schema is ${HOLDS[holds].called}, but this is ${typeName(given)}`,
  negativeCount: (name: string, given: number) =>
    `bad-schema: \`${name}\` of a JSON Schema is a whole number from 0, not ${given}`,
  badPattern: (pattern: string) => `bad-schema: ${quoted(pattern)} is no regular expression; mend it`,
  unknownReference: (reference: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `bad-schema: ${quoted(reference)} leads to nothing in this schema; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `there are ${or(known.map(code))}` : 'write what it should lead to under `$defs`'}`,
      reference,
      near,
    ),
  farReference: (reference: string) =>
    `bad-schema: ${quoted(reference)} is outside this schema, and nothing is fetched; copy it under \`$defs\`, and write \`#/$defs/name\``,
  requiredUnknown: (name: string, near: string) =>
    withSuggestion(
      warning(
        `required-unknown: \`required\` asks for \`${name}\`, which is not among the properties; did you mean \`${near}\`?`,
      ),
      name,
      near,
    ),
  beyondMax: (list: string, index: number, most: number) =>
    `beyond-the-end: \`${list}\` has at most ${most} ${most === 1 ? 'entry' : 'entries'} by its schema, counted from 0, so there is no \`[${index}]\`; ${most === 0 ? 'raise its `maxItems`' : `the last is \`[${most - 1}]\``}`,
};

function insteadOf(name: string, holds: Holds, given: string): string {
  if (name === 'required' && /^`(true|false)`$/.test(given))
    return '; name the required properties beside `properties`: `required: [title, …]`';
  if (holds === 'types' && given === 'nothing') return '; write "null" with quotes';
  if (name === 'items' && given === 'a list') return '; write `prefixItems` for entries that differ';
  if (holds === 'names' && given.startsWith('`')) return `; write \`${name}: [${given.slice(1, -1)}]\``;
  if (holds === 'values' && given.startsWith('`')) return `; write \`${name}: [${given.slice(1, -1)}]\``;
  if (holds === 'schema' && given.startsWith('`')) return `; write \`{ type: ${given.slice(1, -1)} }\``;
  return '';
}

/** What is wrong with the `schema` of a chat step, in place or in a file of its own. */
import type { Holds } from '../schema-keywords.ts';
import type { Type } from '../types.ts';
import { typeName } from './type-names.ts';
import { code, mended, or, quoted, warning } from './wording.ts';

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
    mended(
      `bad-schema: no JSON Schema has the type ${quoted(given)}; ${near ? `did you mean \`${near}\`?` : `there are ${or(types.map(code))}`}`,
      given,
      near,
    ),
  unknownKeyword: (name: string, near: string) =>
    mended(`bad-schema: JSON Schema has no keyword \`${name}\`; did you mean \`${near}\`?`, name, near),
  schemaKeyword: (name: string, holds: Holds, given: string) =>
    `bad-schema: \`${name}\` of a JSON Schema is ${HOLDS[holds]}, not ${given}${insteadOf(name, holds, given)}`,
  schemaKeywordType: (name: string, holds: Holds, given: Type) =>
    `bad-schema: \`${name}\` of a JSON Schema is ${HOLDS[holds]}, but this is ${typeName(given)}`,
  negativeCount: (name: string, given: number) =>
    `bad-schema: \`${name}\` of a JSON Schema is a whole number from 0, not ${given}`,
  badPattern: (pattern: string) => `bad-schema: ${quoted(pattern)} is no regular expression; mend it`,
  unknownReference: (reference: string, near: string | undefined, known: readonly string[]) =>
    mended(
      `bad-schema: ${quoted(reference)} leads to nothing in this schema; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `there are ${or(known.map(code))}` : 'write what it should lead to under `$defs`'}`,
      reference,
      near,
    ),
  farReference: (reference: string) =>
    `bad-schema: ${quoted(reference)} is outside this schema, and nothing is fetched; copy it under \`$defs\`, and write \`#/$defs/name\``,
  requiredUnknown: (name: string, near: string) =>
    mended(
      warning(
        `required-unknown: \`required\` asks for \`${name}\`, which is not among the properties; did you mean \`${near}\`?`,
      ),
      name,
      near,
    ),
  beyondMax: (list: string, index: number, most: number) =>
    `beyond-the-end: \`${list}\` has at most ${most} ${most === 1 ? 'entry' : 'entries'} by its schema, counted from 0, so there is no \`[${index}]\`; ${most === 0 ? 'raise its `maxItems`' : `the last is \`[${most - 1}]\``}`,
};

const HOLDS: Readonly<Record<Holds, string>> = {
  schema: 'a schema',
  'schemas by name': 'a mapping of names to schemas',
  'list of schemas': 'a list of schemas',
  types: 'a type, or a list of types',
  names: 'a list of names',
  'lists of names': 'a mapping of names to lists of names',
  values: 'a list of values',
  count: 'a whole number from 0',
  number: 'a number',
  'yes or no': 'true or false',
  pattern: 'a regular expression',
  text: 'a text',
  reference: 'a text like `#/$defs/name`',
  anything: 'any value',
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

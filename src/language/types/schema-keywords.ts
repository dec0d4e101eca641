/**
 * What each keyword of JSON Schema holds (draft 2020-12, and the words of older drafts that are still written). A schema is read by this
 * table before anything is asked: a validator finds less (it takes `propertes` for a note to the reader), later, and without places.
 */
import type { Type } from './types.ts';

interface Row {
  /** As messages call it. */
  readonly called: string;
  readonly keywords: readonly string[];
  /** The types of an expression that may stand for it; absent: any. */
  readonly types?: readonly Type['is'][];
  /** What the entries of such a list or mapping hold; absent: anything. */
  readonly each?: string;
}

/** What the value of a keyword is. */
const ROWS = {
  schema: {
    called: 'a schema',
    types: ['map', 'record', 'bool'],
    keywords: [
      ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
      ...['unevaluatedItems', 'unevaluatedProperties', 'additionalItems', 'contentSchema'],
    ],
  },
  'schemas by name': {
    called: 'a mapping of names to schemas',
    types: ['map', 'record'],
    each: 'schema',
    keywords: ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  },
  'list of schemas': {
    called: 'a list of schemas',
    types: ['list'],
    each: 'schema',
    keywords: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  },
  types: { called: 'a type, or a list of types', types: ['text', 'list'], each: 'types', keywords: ['type'] },
  names: { called: 'a list of names', types: ['list'], keywords: ['required'] },
  'lists of names': {
    called: 'a mapping of names to lists of names',
    types: ['map', 'record'],
    each: 'names',
    keywords: ['dependentRequired'],
  },
  values: { called: 'a list of values', types: ['list'], keywords: ['enum', 'examples'] },
  count: {
    called: 'a whole number from 0',
    types: ['int'],
    keywords: [
      ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'],
      ...['minContains', 'maxContains'],
    ],
  },
  number: {
    called: 'a number',
    types: ['int', 'double'],
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  },
  'yes or no': {
    called: 'true or false',
    types: ['bool'],
    keywords: ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated', 'nullable'],
  },
  pattern: { called: 'a regular expression', types: ['text'], keywords: ['pattern'] },
  text: {
    called: 'a text',
    types: ['text'],
    keywords: [
      ...['title', 'description', 'format', '$schema', '$id', '$anchor', '$comment', '$dynamicAnchor'],
      ...['contentEncoding', 'contentMediaType'],
    ],
  },
  reference: { called: 'a text like `#/$defs/name`', types: ['text'], keywords: ['$ref', '$dynamicRef'] },
  anything: {
    called: 'any value',
    keywords: ['const', 'default', 'example', 'id', 'discriminator', 'externalDocs', 'xml', 'dependencies'],
  },
} as const satisfies Readonly<Record<string, Row>>;

export type Holds = keyof typeof ROWS;

export const HOLDS: { readonly [holds in Holds]: Row & { readonly each?: Holds } } = ROWS;

const KEYWORDS: ReadonlyMap<string, Holds> = new Map(
  Object.entries(ROWS).flatMap(([holds, { keywords }]) => keywords.map(name => [name, holds as Holds] as const)),
);

/** Undefined for a word that JSON Schema does not know: it is for the model to read. */
export const holdsOf = (keyword: string): Holds | undefined => KEYWORDS.get(keyword);

export const keywords = (): Iterable<string> => KEYWORDS.keys();

export const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const;

/** What other languages call a type, or a keyword. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ list: 'array', dict: 'object', map: 'object', mapping: 'object', text: 'string', str: 'string' },
  ...{ int: 'integer', float: 'number', double: 'number', bool: 'boolean', none: 'null', nil: 'null' },
  ...{ min: 'minimum', max: 'maximum', values: 'enum', options: 'enum', choices: 'enum', fields: 'properties' },
};

export const calledElsewhere = (word: string): string | undefined =>
  Object.hasOwn(ELSEWHERE, word.toLowerCase()) ? ELSEWHERE[word.toLowerCase()] : undefined;

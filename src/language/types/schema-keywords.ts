/**
 * What each keyword of JSON Schema holds (draft 2020-12, and the words of older drafts that are still written). A schema is read by this
 * table before anything is asked: a validator finds less (it takes `propertes` for a note to the reader), later, and without places.
 */

/** What the value of a keyword is. */
export type Holds =
  | 'schema'
  | 'schemas by name'
  | 'list of schemas'
  | 'types'
  | 'names'
  | 'lists of names'
  | 'values'
  | 'count'
  | 'number'
  | 'yes or no'
  | 'pattern'
  | 'text'
  | 'reference'
  | 'anything';

const BY_WHAT_THEY_HOLD: Readonly<Record<Holds, readonly string[]>> = {
  schema: [
    ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
    ...['unevaluatedItems', 'unevaluatedProperties', 'additionalItems', 'contentSchema'],
  ],
  'schemas by name': ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'list of schemas': ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  types: ['type'],
  names: ['required'],
  'lists of names': ['dependentRequired'],
  values: ['enum', 'examples'],
  count: [
    ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'],
    ...['minContains', 'maxContains'],
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  'yes or no': ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated', 'nullable'],
  pattern: ['pattern'],
  text: [
    ...['title', 'description', 'format', '$schema', '$id', '$anchor', '$comment', '$dynamicAnchor'],
    ...['contentEncoding', 'contentMediaType'],
  ],
  reference: ['$ref', '$dynamicRef'],
  anything: ['const', 'default', 'example', 'id', 'discriminator', 'externalDocs', 'xml', 'dependencies'],
};

const KEYWORDS: ReadonlyMap<string, Holds> = new Map(
  Object.entries(BY_WHAT_THEY_HOLD).flatMap(([holds, names]) => names.map(name => [name, holds as Holds] as const)),
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

/** The keys of a file, from its schema. Names that an author chooses (of a step, a param, a service) are left out of a key's path. */

import { stringify } from 'yaml';
import { listed } from '../../model/text/format.ts';
import { isObject, type Json } from '../../model/text/json.ts';
import type { Entry, Topic } from './reference-entry.ts';

interface Place {
  readonly file: SchemaFile;
  readonly topic: Topic;
  /** Of the keys around this one; empty at the top. */
  readonly path: string;
  /** The definitions around this one: a schema may hold itself. */
  readonly inside: readonly string[];
  /** Examples of the keys around this one, the nearest first. */
  readonly shown: readonly Json[];
}

interface Key {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The keys that choose the forms which have this key; none where all have it. */
  readonly of: readonly string[];
}

export const entriesOf = (file: SchemaFile, topic: Topic): readonly Entry[] =>
  keysOf(file, { file, topic, path: '', inside: [], shown: [] });

function keysOf(schema: Schema, place: Place): readonly Entry[] {
  return merged(formsOf(schema, place.file), place.file).map(key => entryOf(key, place));
}

function entryOf({ name, schema, isRequired, of }: Key, place: Place): Entry {
  const { file, topic, path, inside, shown } = place;
  const whole = resolved(schema, file);
  const full = path === '' ? name : `${path}.${name}`;
  const refs = refsOf(schema);
  const own = whole.examples ?? [];
  const examples = own.length > 0 ? own : firstOf(shown.flatMap(example => valuesUnder(name, example)));
  const within = { ...place, path: full, shown: [...own, ...shown] };
  const parts = refs.some(ref => inside.includes(ref))
    ? []
    : insidesOf(whole, place).flatMap(({ schema: inner, through }) =>
        keysOf(inner, { ...within, inside: [...inside, ...refs, ...through] }),
      );
  return {
    topic,
    name: full,
    about: whole.description ?? '',
    takes: takesOf(schema, file),
    isRequired,
    ...(whole.default === undefined ? {} : { preset: whole.default }),
    ...(of.length === 0 ? {} : { of }),
    examples: examples.map(example => exampleYaml(name, example)),
    parts,
  };
}

const refsOf = ({ $ref }: Schema): readonly string[] => ($ref === undefined ? [] : [defName($ref)]);
const firstOf = <T>(list: readonly T[]): readonly T[] => list.slice(0, 1);

/** What a key is given in an example of a key around it. */
function valuesUnder(name: string, example: Json): readonly Json[] {
  if (Array.isArray(example)) return example.flatMap(item => valuesUnder(name, item));
  if (!isObject(example)) return [];
  const own = Object.hasOwn(example, name) ? [example[name] ?? null] : [];
  return [...own, ...Object.values(example).flatMap(value => valuesUnder(name, value))];
}

/** The schemas of the keys inside: its own, those of what it names, of its entries, of its alternatives. */
function insidesOf(schema: Schema, { file, inside }: Place) {
  const found: { readonly schema: Schema; readonly through: readonly string[] }[] = [];
  const look = (inner: Schema, before: readonly string[]): void => {
    const refs = refsOf(inner);
    if (refs.some(ref => inside.includes(ref) || before.includes(ref))) return;
    const whole = resolved(inner, file);
    const through = [...before, ...refs];
    if (whole.properties || whole.if) found.push({ schema: whole, through });
    if (typeof whole.additionalProperties === 'object') look(whole.additionalProperties, through);
    if (whole.items) look(whole.items, through);
    for (const option of whole.anyOf ?? []) look(option, through);
  };
  look(schema, []);
  return found;
}

interface Form {
  /** The key that chooses this form by its presence; undefined where there is one form. */
  readonly by: string | undefined;
  readonly schema: Schema;
}

/** Of a schema that asks which keys are there: each of its forms, the one for everything else first. */
function formsOf(schema: Schema, file: SchemaFile): readonly Form[] {
  const whole = resolved(schema, file);
  if (!whole.if) return [{ by: undefined, schema: whole }];
  const [otherwise, ...others] = formsOf(whole.else ?? {}, file);
  const last = otherwise ? [{ ...otherwise, by: otherwise.by ?? otherwise.schema.required?.[0] }] : [];
  return [...last, { by: whole.if.required?.[0], schema: resolved(whole.then ?? {}, file) }, ...others];
}

/** A key with the same description in several forms is one key; `with` of a model and `with` of a file are two. */
function merged(forms: readonly Form[], file: SchemaFile): readonly Key[] {
  const all = forms.flatMap(form =>
    Object.entries(form.schema.properties ?? {}).map(([name, key]) => ({ form, name, key })),
  );
  const same = Map.groupBy(all, ({ name, key }) => `${name}: ${resolved(key, file).description}`);
  return [...same.values()].flatMap(having => {
    const [first] = having;
    if (!first) return [];
    const inAll = having.length === forms.length;
    const { name, key: schema } = first;
    return {
      name,
      schema,
      // What chooses the form is not demanded by it.
      isRequired: having.every(({ form }) => form.by !== name && isIn(form.schema, name)),
      of: inAll ? [] : having.flatMap(({ form }) => form.by ?? []),
    };
  });
}

const isIn = ({ required }: Schema, name: string): boolean => required?.includes(name) === true;

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: Json;
  readonly examples?: readonly Json[];
}

export interface SchemaFile extends Schema {
  readonly $defs?: { readonly [name: string]: Schema };
}

/** The schema that it refers to, with its own keywords in the place of that one's. */
export function resolved(schema: Schema, file: SchemaFile): Schema {
  if (schema.$ref === undefined) return schema;
  const target = file.$defs?.[defName(schema.$ref)];
  if (!target) throw new Error(`${file.title} refers to ${schema.$ref}, which it does not define`);
  const { $ref: _, ...own } = schema;
  return { ...resolved(target, file), ...own };
}

const defName = (ref: string): string => ref.replace('#/$defs/', '');

/** `text`, `whole number (1 or more)`, `` `on` or `off` ``, `duration or mapping`. */
export const takesOf = (schema: Schema, file: SchemaFile): string => or(wordsOf(schema, file));

function wordsOf(schema: Schema, file: SchemaFile): readonly string[] {
  // What has a pattern of its own has a name of its own.
  const target = schema.$ref === undefined ? undefined : file.$defs?.[defName(schema.$ref)];
  if (target?.pattern !== undefined) return [defName(schema.$ref ?? '').replaceAll('_', ' ')];
  const whole = resolved(schema, file);
  const options = whole.anyOf ?? whole.oneOf;
  if (whole.const !== undefined) return [code(whole.const)];
  if (whole.enum) return whole.enum.map(code);
  if (options) return options.flatMap(option => wordsOf(option, file));
  const all = whole.type === undefined ? [] : [whole.type].flat();
  // A mapping that may be left empty is a mapping.
  const types = all.includes('object') ? all.filter(type => type !== 'null') : all;
  return types.length === 0 || types.length > 4 ? ['any value'] : types.flatMap(type => wordsOfType(type, whole, file));
}

function wordsOfType(
  type: string,
  { items, minimum, maximum, maxLength }: Schema,
  file: SchemaFile,
): readonly string[] {
  const within = range(minimum, maximum);
  switch (type) {
    case 'string':
      return [maxLength === undefined ? 'text' : `text (at most ${maxLength} characters)`];
    case 'array':
      return [items ? `list of ${plural(takesOf(items, file))}` : 'list'];
    case 'integer':
    case 'number':
      return [`${type === 'integer' ? 'whole number' : 'number'}${within === '' ? '' : ` (${within})`}`];
    case 'boolean':
      return ['`true`', '`false`'];
    default:
      return [type === 'object' ? 'mapping' : type];
  }
}

function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `${least} or more`;
  return most === undefined ? '' : `at most ${most}`;
}

const PLURALS: Readonly<Record<string, string>> = {
  text: 'texts',
  name: 'names',
  variable: 'names of variables',
  number: 'numbers',
  'whole number': 'whole numbers',
  mapping: 'mappings',
};
const plural = (words: string): string => PLURALS[words] ?? 'values';

const code = (value: Json): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const or = (words: readonly string[]): string => listed([...new Set(words)], 'or');

/** Characters, as in a terminal of 80 columns with a margin. */
const WIDTH = 74;

/** @param name the key that it is a value of. */
export const exampleYaml = (name: string, value: Json): string => linesOf(`${name}:`, value, WIDTH).join('\n');

function linesOf(before: string, value: Json, width: number): readonly string[] {
  const line = `${before} ${inline(value)}`;
  const parts = isObject(value) ? Object.entries(value) : Array.isArray(value) ? value : [];
  if (line.length <= width || parts.length === 0) return [line];
  const inner = isObject(value)
    ? Object.entries(value).flatMap(([name, part]) => linesOf(`${name}:`, part, width - 2))
    : (value as readonly Json[]).flatMap(item => linesOf('-', item, width - 2));
  return [before, ...inner.map(text => `  ${text}`)];
}

function inline(value: Json): string {
  const isPlain = typeof value !== 'object' || value === null;
  // A text that is one expression needs no quotes, and its author would write none.
  if (typeof value === 'string' && /^\$\{\{[^#]*\}\}$/.test(value)) return value;
  const text = stringify(value, isPlain ? { lineWidth: 0 } : { collectionStyle: 'flow', lineWidth: 0 });
  return text.trim();
}

/** The keys of a file, from its schema. Names that an author chooses (of a step, a param, a service) are left out of a key's path. */
import { isObject, type Json } from '../../domain/json.ts';
import type { Entry, Topic } from './entry.ts';
import { exampleYaml } from './example-yaml.ts';
import { defName, resolved, type Schema, type SchemaFile, takesOf } from './schema-words.ts';

interface Place {
  readonly file: SchemaFile;
  readonly topic: Topic;
  /** Of the keys around this one; empty at the top. */
  readonly path: string;
  /** The definitions that this one stands in: a schema may hold itself. */
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

/** The schemas whose keys stand inside: its own, those of what it names, of its entries, of its alternatives. */
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
  /** The key whose presence chooses this form; undefined where there is one form. */
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

/** A key that says the same in several forms is one key; `with` of a model and `with` of a file are two. */
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

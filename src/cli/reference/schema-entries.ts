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
  return merged(formsOf(schema, place.file)).map(key => entryOf(key, place));
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
    ...(whole.default === undefined ? {} : { preset: String(whole.default) }),
    ...(of.length === 0 ? {} : { facts: [['of', `a step with ${of.map(key => `\`${key}\``).join(' or ')}`]] as const }),
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

function merged(forms: readonly Form[]): readonly Key[] {
  const owners = new Map<string, Form[]>();
  for (const form of forms)
    for (const name of Object.keys(form.schema.properties ?? {})) owners.set(name, [...(owners.get(name) ?? []), form]);
  return [...owners].map(([name, having]) => ({
    name,
    schema: having[0]?.schema.properties?.[name] ?? {},
    // What chooses the form is not demanded by it.
    isRequired: having.length === forms.length && having.every(({ by, schema }) => by !== name && isIn(schema, name)),
    of: having.length === forms.length ? [] : having.flatMap(({ by }) => by ?? []),
  }));
}

const isIn = ({ required }: Schema, name: string): boolean => required?.includes(name) === true;

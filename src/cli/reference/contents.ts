/** The whole reference, in the order in which it is read. */

import eventsSchema from '../../../schema/events.schema.json' with { type: 'json' };
import pipelineSchema from '../../../schema/pipeline.schema.json' with { type: 'json' };
import settingsSchema from '../../../schema/settings.schema.json' with { type: 'json' };
import { type LanguageFunction, writtenForms } from '../../language/expression/functions/function.ts';
import { FUNCTIONS } from '../../language/expression/functions/functions.ts';
import { VARIABLES, variableOf } from '../../settings/environment-variables.ts';
import { CHOICES, LIMITS } from '../../settings/settings-values.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { resultEntries, rootEntries } from './expressions.ts';
import { type Entry, lastName, type Section } from './reference-entry.ts';
import { entriesOf, resolved, type Schema, type SchemaFile, takesOf } from './schema-entries.ts';
import { wordEntries } from './words.ts';

export interface Reference {
  readonly words: Section;
  readonly keys: Section;
  readonly roots: Section;
  readonly results: Section;
  readonly functions: Section;
  readonly settings: Section;
  readonly variables: Section;
  readonly events: Section;
  /** What every event has. */
  readonly eventFields: readonly Entry[];
  readonly failures: Section;
  readonly exitCodes: Section;
}

export const reference = (): Reference => ({
  words: {
    title: 'Words',
    about: 'What `plan`, `why`, `status` and the report say of a film.',
    entries: wordEntries(),
  },
  keys: {
    title: 'Keys of a file',
    about: pipelineSchema.description,
    entries: entriesOf(pipelineSchema as SchemaFile, 'key'),
  },
  roots: {
    title: 'What an expression reads',
    about: 'An expression is written in `${{ }}`. It begins with one of these names.',
    entries: rootEntries(),
  },
  results: {
    title: 'Results',
    about: 'What `steps.NAME`, `each`, `previous` and `this` hold.',
    entries: resultEntries(),
  },
  functions: {
    title: 'Functions',
    about:
      'Expressions are [CEL](https://cel.dev): texts, numbers, lists and mappings, `+ - * / %`, `== != < <= > >=`, `&& || !`, `in`, `a ? b : c`, `list[0]`, and these functions.',
    entries: FUNCTIONS.map(functionEntry),
  },
  settings: {
    title: 'Settings',
    about: settingsSchema.description,
    entries: entriesOf(settingsSchema as SchemaFile, 'setting').map(withOtherPlaces),
  },
  variables: {
    title: 'Environment variables',
    about: 'Beside these, each setting that has a variable shows it.',
    entries: variableEntries(),
  },
  events: { title: 'Events', about: file.description ?? '', entries: eventEntries() },
  eventFields: fieldsOf(file, 'type'),
  failures: {
    title: 'Failures',
    about: 'The `code` of an event `failed`. Codes are stable.',
    entries: failureEntries(),
  },
  exitCodes: { title: 'Exit codes', about: 'What a command ends with.', entries: exitCodeEntries() },
});

const exitCodeEntries = (): readonly Entry[] =>
  Object.entries(EXIT_CODES).map(([name, { about }]) => ({ topic: 'exit', name, about }));

const file = eventsSchema as SchemaFile;

const eventEntries = (): readonly Entry[] =>
  (file.oneOf ?? []).map(event => ({
    topic: 'event',
    name: String(event.properties?.type?.const),
    about: event.description ?? '',
    parts: fieldsOf(event, 'type'),
  }));

const failureEntries = (): readonly Entry[] =>
  (file.$defs?.failure?.oneOf ?? []).map(failure => ({
    topic: 'failure',
    name: String(failure.properties?.code?.const),
    about: failure.description ?? '',
    parts: fieldsOf(failure, 'code'),
  }));

/** @param named the field that names the entry itself. */
function fieldsOf({ properties = {}, required = [] }: Schema, named: string): readonly Entry[] {
  return Object.entries(properties)
    .filter(([name]) => name !== named)
    .map(([name, field]) => ({
      topic: 'event',
      name,
      about: resolved(field, file).description ?? '',
      takes: takesOf(field, file),
      isRequired: required.includes(name),
    }));
}

function functionEntry(row: LanguageFunction): Entry {
  const { name, description: about, example } = row;
  const forms = writtenForms(row).map(form => `\`${form}\``);
  return {
    ...{ topic: 'function', name, about, facts: [['written', forms.join(', ')]] },
    examples: [`${example.code} → ${JSON.stringify(example.answer)}`],
  };
}

/** Flags of `run` that say the same as a setting. */
const FLAGS: ReadonlySet<string> = new Set(['service', 'profile', 'on_unknown', 'on_interrupt', 'ui']);

function withOtherPlaces(entry: Entry): Entry {
  const name = lastName(entry.name);
  const facts = [
    ...(entry.facts ?? []),
    ...(hasVariable(entry.name) ? [['variable', `\`${variableOf(name)}\``] as const] : []),
    ...(FLAGS.has(entry.name) ? [['flag', `\`--${entry.name.replace('_', '-')}\``] as const] : []),
  ];
  return { ...entry, ...(facts.length > 0 ? { facts } : {}), parts: (entry.parts ?? []).map(withOtherPlaces) };
}

/** Of a path: a rate of a service may be called as a limit is. */
const hasVariable = (path: string): boolean =>
  path === 'profile' || path in CHOICES || LIMITS.some(limit => path === `limits.${limit}`);

/** Those beside the variables of settings. */
const variableEntries = (): readonly Entry[] =>
  VARIABLES.map(({ name, about, example }) => ({ topic: 'variable', name, about, examples: [`${name}=${example}`] }));

/** An entry for programs: names as in the rest of our JSON; absent fields are left out. */
export function entryJson({ topic, name, about, takes, isRequired, preset, of, ...more }: Entry): object {
  const { facts = [], examples = [], parts = [] } = more;
  return {
    ...{ topic, name, about },
    ...(takes === undefined ? {} : { takes }),
    ...(isRequired === undefined ? {} : { required: isRequired }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(of === undefined ? {} : { of }),
    ...Object.fromEntries(facts.map(([fact, text]) => [fact, text.replaceAll('`', '')])),
    ...(examples.length > 0 && { examples }),
    ...(parts.length > 0 && { parts: parts.map(entryJson) }),
  };
}

export function referenceJson({ eventFields, exitCodes, ...others }: Reference): object {
  const sections = { ...others, exit_codes: exitCodes };
  const lists = Object.entries(sections).map(([name, { entries }]) => [name, entries.map(entryJson)] as const);
  return { ...Object.fromEntries(lists), event_fields: eventFields.map(entryJson) };
}

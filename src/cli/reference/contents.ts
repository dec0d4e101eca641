/** The whole reference, in the order in which it is read. */
import pipelineSchema from '../../../schema/pipeline.schema.json' with { type: 'json' };
import { EXIT_CODES } from '../errors/exit-codes.ts';
import type { Entry, Section } from './entry.ts';
import { eventEntries, eventFields, eventsAbout, failureEntries } from './events.ts';
import { resultEntries, rootEntries } from './expressions.ts';
import { functionEntries } from './functions.ts';
import { entriesOf } from './schema-entries.ts';
import type { SchemaFile } from './schema-words.ts';
import { settingEntries, settingsAbout, variableEntries } from './settings.ts';
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
    about: 'An expression stands in `${{ }}`. It begins with one of these names.',
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
    entries: functionEntries(),
  },
  settings: { title: 'Settings', about: settingsAbout, entries: settingEntries() },
  variables: {
    title: 'Environment variables',
    about: 'Beside these, each setting that has a variable is told with it.',
    entries: variableEntries(),
  },
  events: { title: 'Events', about: eventsAbout, entries: eventEntries() },
  eventFields: eventFields(),
  failures: {
    title: 'Failures',
    about: 'The `code` of an event `failed`. Codes are stable.',
    entries: failureEntries(),
  },
  exitCodes: { title: 'Exit codes', about: 'What a command ends with.', entries: exitCodeEntries() },
});

const exitCodeEntries = (): readonly Entry[] =>
  Object.entries(EXIT_CODES).map(([name, { about }]) => ({ topic: 'exit', name, about }));

/**
 * Every sentence of the language about a file. Facts come in as arguments, sentences go out; codes are stable, for tools.
 * Lower-case, concrete, and the end is what to do.
 */
import type { Message } from '../checks/findings.ts';
import { cutMessages } from './cut-messages.ts';
import { evaluationMessages, typeMessages } from './evaluation-messages.ts';
import { fanOutMessages } from './fan-out-messages.ts';
import { toMessage } from './foreign/wording.ts';
import { nameMessages } from './name-messages.ts';
import { outputMessages } from './output-messages.ts';
import { profileMessages, secretMessages, usesMessages } from './profile-messages.ts';
import { shapeMessages } from './shape-messages.ts';
import { choiceMessages, stepMessages, untilMessages } from './step-messages.ts';
import { placeholderMessages, syntaxMessages } from './syntax-messages.ts';
import { schemaMessages, valueMessages } from './value-messages.ts';
import { yamlMessages } from './yaml-messages.ts';

type Table = Readonly<Record<string, unknown>>;

type Messages<T extends Table> = {
  readonly [Name in keyof T]: T[Name] extends (...facts: infer Facts) => infer Words
    ? (...facts: Facts) => Words extends string ? Message : Words
    : T[Name];
};

/** The functions of a table give `code: words`, or a message with more to it. */
const withCodes = <T extends Table>(table: T): Messages<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      typeof entry === 'function' ? (...facts: unknown[]) => coded(entry(...facts)) : entry,
    ]),
  ) as Messages<T>;

const coded = (words: unknown): unknown => (typeof words === 'string' ? toMessage(words) : words);

/** Words beside another place of the same mistake. */
const notes = {
  firstHere: 'first declared here',
  alsoHere: 'and here',
  usedHere: 'used here',
  turnedOffHere: 'turned off here',
  inSchemaFile: 'in this file',
  lineOfTable: 'this line',
  inProfile: (name: string) => `in the profile \`${name}\``,
  cycleNote: (from: string, to: string) => `\`${from}\` waits for \`${to}\` here`,
  useNote: (path: string) => `uses ${path}`,
};

export const messages = {
  ...withCodes({
    ...yamlMessages,
    ...shapeMessages,
    ...schemaMessages,
    ...nameMessages,
    ...placeholderMessages,
    ...syntaxMessages,
    ...typeMessages,
    ...valueMessages,
    ...stepMessages,
    ...cutMessages,
    ...fanOutMessages,
    ...outputMessages,
    ...usesMessages,
    ...choiceMessages,
    ...untilMessages,
    ...secretMessages,
    ...profileMessages,
  }),
  ...evaluationMessages,
  ...notes,
};

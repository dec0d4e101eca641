/** The reference at the terminal: one thing in full, and the table of contents. */
import { cellWidth, padEnd, wrapWords } from '../../model/text/cells.ts';
import type { Reference } from './contents.ts';
import {
  type Entry,
  lastName,
  ownersOf,
  presetOf,
  type Section,
  type Topic,
  takesWithPreset,
} from './reference-entry.ts';

export interface Look {
  /** Cells of a line. */
  readonly width: number;
  readonly color: boolean;
}

/** @param columns of the terminal; undefined without a terminal, and 0 at some terminals. */
export const pageWidth = (columns: number | undefined): number => Math.min(Math.max(columns || 80, 40), 100);

const TITLES: Readonly<Record<Topic, string>> = {
  word: 'a word of plans and reports',
  key: 'a key of the file',
  function: 'a function of expressions',
  expression: 'what an expression reads',
  setting: 'a setting',
  variable: 'an environment variable',
  event: 'an event',
  failure: 'why a step failed',
  exit: '',
};

export function entryPage(entry: Entry, also: readonly Entry[], { eventFields }: Reference, look: Look): string {
  const { bold, dim } = paint(look);
  const { topic, name, about, takes, isRequired, facts = [], examples = [], parts = [] } = entry;
  const rows = [
    ...(takes === undefined ? [] : [['takes', takes]]),
    ...(isRequired ? [['needed', 'always']] : []),
    ...(presetOf(entry) === '' ? [] : [['default', presetOf(entry)]]),
    ...(ownersOf(entry) === '' ? [] : [['of', ownersOf(entry)]]),
    ...facts,
  ] as const;
  const common = topic === 'event' ? eventFields : [];
  return [
    `${bold(topic === 'exit' ? `exit code ${name}` : name)}  ${dim(TITLES[topic])}`.trimEnd(),
    '',
    ...wrapped(about, 2, look),
    ...block(
      rows.length > 0,
      table(
        rows.map(([label = '', text = '']) => [label, text]),
        look,
      ),
    ),
    ...block(examples.length > 0, [
      `  ${dim(examples.length > 1 ? 'examples' : 'example')}`,
      ...examples.flatMap(example => example.split('\n').map(line => `    ${line}`)),
    ]),
    ...block(parts.length > 0, [`  ${dim(topic === 'event' ? 'fields' : 'in it')}`, ...partLines(parts, look)]),
    ...block(common.length > 0, [`  ${dim('in every event')}`, ...partLines(common, look)]),
    ...block(also.length > 0, wrapped(`see also ${also.map(asked).join(', ')}`, 2, look)),
  ].join('\n');
}

/** How another entry of the same name is asked for. */
export const asked = ({ topic, name }: Entry): string =>
  topic === 'key' && name.includes('.') ? name : `${topic === 'variable' ? 'setting' : topic} ${name}`;

const block = (isThere: boolean, lines: readonly string[]): readonly string[] => (isThere ? ['', ...lines] : []);

function partLines(parts: readonly Entry[], look: Look): readonly string[] {
  const rows = parts.map((part): readonly [string, string] => [`  ${lastName(part.name)}`, sentenceOf(part)]);
  return table(rows, look);
}

/** `text, default 5. What it is for.` */
function sentenceOf(entry: Entry): string {
  const { isRequired, about, topic } = entry;
  const optional = topic === 'event' && isRequired === false ? ['where there is one'] : [];
  const needed = topic !== 'event' && isRequired ? ['needed'] : [];
  const shape = [takesWithPreset(entry), ...needed, ...optional].filter(part => part !== '');
  return [shape.join(', '), about].filter(part => part !== '').join('. ');
}

/** Names and their texts, wrapped. */
function table(rows: readonly (readonly [string, string])[], look: Look): readonly string[] {
  const { dim } = paint(look);
  const names = Math.max(0, ...rows.map(([name]) => cellWidth(name)));
  const indent = names + 4;
  return rows.flatMap(([name, text]) => {
    const [first = '', ...more] = wrapWords(text, Math.max(30, look.width - indent));
    const isPart = name.startsWith(' ');
    const label = padEnd(name, names);
    return [`  ${isPart ? label : dim(label)}  ${first}`.trimEnd(), ...more.map(line => ' '.repeat(indent) + line)];
  });
}

const wrapped = (text: string, indent: number, { width }: Look): readonly string[] =>
  wrapWords(text, width - indent).map(line => ' '.repeat(indent) + line.trimEnd());

export function contentsPage(reference: Reference, labels: readonly string[], look: Look): string {
  const { bold, dim } = paint(look);
  const { words, keys, functions, roots, settings, variables, events, failures, exitCodes } = reference;
  const steps = keys.entries.find(({ name }) => name === 'steps');
  const list = (title: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : ['', bold(title), ...wrapped(names.join('  '), 2, look)];
  const names = ({ entries }: Section): readonly string[] => entries.map(({ name }) => name);
  return [
    'shotlist explain WORD shows one of these in full.',
    ...list('words of plans and reports', names(words)),
    ...list('keys of a file', names(keys)),
    ...list(
      'keys of a step',
      (steps?.parts ?? []).map(({ name }) => name),
    ),
    ...list('what an expression reads', names(roots)),
    ...list('functions of expressions', names(functions)),
    ...list('models', labels),
    ...list(
      'settings',
      settings.entries.flatMap(entry => [entry.name, ...(entry.parts ?? []).map(({ name }) => name)]),
    ),
    ...list('environment variables', names(variables)),
    ...list('events', names(events)),
    ...list('failures', names(failures)),
    ...list(
      'exit codes',
      names(exitCodes).map(code => `exit ${code}`),
    ),
    '',
    ...wrapped('A word with two meanings takes its kind before it: explain expression matrix.', 0, look).map(dim),
  ].join('\n');
}

function paint({ color }: Look) {
  const sgr = (on: number, off: number) => (text: string) => (color ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return { bold: sgr(1, 22), dim: sgr(2, 22) };
}

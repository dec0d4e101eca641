/**
 * Reads the tables of mistakes beside this file. A row is a heading, a film, and a line for each thing that is to be said:
 *
 *     ## a misspelt field
 *     ```yaml step
 *     model: V-T2V-A
 *     with: { «promt»: a fox }
 *     ```
 *     > unknown-field: no field ~ did you mean `prompt`?
 *     = prompt
 *
 * « and » stand around the place that the caret shows; they are no part of the film. A block is the lines behind `shotlist` and `name`;
 * of a `step` those of its one step, of `steps` those under `steps:`, of a `file` everything, of an `expression` what a prompt holds.
 * A block `csv NAME` is a table beside the film. The message holds the words between the signs `~`. What follows the advice has no mistake:
 * `= TEXT` is put into the marked place, `=` takes its line out, a block `mended` (`csv mended NAME`) into the place of the film (of the table).
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Mistake {
  readonly topic: string;
  readonly name: string;
  readonly text: string;
  /** What lies beside the film. */
  readonly tables: Tables;
  readonly expected: readonly Expected[];
  /** Film and tables after the advice was followed; absent where the row does not say how. */
  readonly mended?: { readonly text: string; readonly tables: Tables };
}

export type Tables = { readonly [name: string]: string };

export interface Expected {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  /** Parts of the message. */
  readonly advice: readonly string[];
  /** Offsets into the film, or into the one table that has the mark. */
  readonly start: number;
  readonly end: number;
}

const FOLDER = new URL('./', import.meta.url);

export const readMistakes = (): readonly Mistake[] =>
  readdirSync(FOLDER)
    .filter(name => name.endsWith('.md'))
    .flatMap(name => readTable(name.replace('.md', ''), readFileSync(new URL(name, FOLDER), 'utf8')));

function readTable(topic: string, table: string): Mistake[] {
  return table
    .split(/^## /m)
    .slice(1)
    .map(section => readRow(topic, section));
}

function readRow(topic: string, section: string): Mistake {
  const name = section.split('\n', 1)[0] ?? '';
  const blocks = [...section.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, head = '', block = '']) => ({
    ...{ words: head.split(' '), block: filled(block) },
  }));
  const [shown, advised] = blocks.filter(({ words }) => words[0] !== 'csv');
  const form = shown?.words.at(-1)?.replace('yaml', '') ?? '';
  const tablesOf = (isMended: boolean): Tables =>
    Object.fromEntries(
      blocks
        .filter(({ words }) => words[0] === 'csv' && (words[1] === 'mended') === isMended)
        .map(({ words, block: table }) => [words.at(-1), table]),
    );
  const film = filmOf(form, shown?.block ?? '');
  const marked = [film, ...Object.values(tablesOf(false))].find(text => text.includes('«')) ?? '';
  const places = [...marked.matchAll(/«([\s\S]*?)»/g)].map(({ index, 1: inside = '' }, nth) => {
    const start = index - 2 * nth;
    return { start, end: start + inside.length };
  });
  const lines = [...section.matchAll(/^> (?:(warning|hint) )?([\w-]+): (.*)$/gm)];
  if (lines.length === 0 || lines.length !== places.length)
    throw new Error(`${topic}, ${name}: ${places.length} places and ${lines.length} messages`);
  const expected = lines.map(([, severity = 'error', code = '', advice = ''], nth) => ({
    ...{ severity: severity as Expected['severity'], code, advice: advice.split(' ~ ') },
    ...(places[nth] as { start: number; end: number }),
  }));
  const tables = mapped(tablesOf(false), unmarked);
  const instead = /^= ?(.*)$/m.exec(section)?.[1];
  const isMended = instead !== undefined || blocks.some(({ words }) => words[1] === 'mended');
  const text =
    instead === undefined
      ? unmarked(advised ? filmOf(form, advised.block) : film)
      : film.replace(instead === '' ? MARKED_LINE : MARKED, () => instead);
  const mended = { text, tables: { ...tables, ...tablesOf(true) } };
  return { topic, name, text: unmarked(film), tables, expected, ...(isMended && { mended }) };
}

const MARKED = /«[\s\S]*?»/g;
const MARKED_LINE = /^.*«.*\n/gm;
const unmarked = (text: string): string => text.replaceAll(/[«»]/g, '');
const mapped = (tables: Tables, by: (text: string) => string): Tables =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, by(table)]));

const PARAMS = `params:
  idea: { type: string, default: a fox }
  n: { type: integer, default: 2 }
  up: { type: boolean, default: true }
  list: { type: array, items: { type: string }, default: [a fox, a bear] }
  ideas: { type: array, items: { type: string }, default: [a fox] }
`;

function filmOf(form: string, block: string): string {
  const head = 'shotlist: 1\nname: film\n';
  switch (form) {
    case 'file':
      return block;
    case 'step':
      return `${head}${PARAMS}steps:\n  shot:\n${indented(block, 4)}`;
    case 'steps':
      return `${head}${PARAMS}steps:\n${indented(block, 2)}`;
    case 'expression':
      return `${head}${PARAMS}steps:\n${indented(STEPS, 2)}  shot:\n    model: V-T2V-A\n    with:\n      prompt: |-\n        ${promptOf(block.trimEnd())}\n`;
    default:
      return `${head}${/^«?(steps|jobs|tasks|nodes)»?:/m.test(block) ? block : `${block}steps:\n  shot: { model: V-T2V-A, with: { prompt: a fox } }\n`}`;
  }
}

const STEPS = `still: { model: I-GEN-A, with: { prompt: a fox } }
takes: { matrix: { seed: [1, 2] }, model: V-T2V-A, with: { prompt: a fox, seed: "\${{ matrix.seed }}" } }
script: { model: C-D, with: { prompt: write } }
answer: { model: C-D, with: { prompt: write }, schema: { type: object, properties: { title: { type: string } } } }
`;

const promptOf = (block: string): string => (block.includes('${{') ? block : `\${{ ${block} }}`);

const indented = (block: string, by: number): string => block.replaceAll(/^(?=.)/gm, ' '.repeat(by));

/** Long things have a name in the tables. */
const filled = (block: string): string =>
  block
    .replace(/PROMPT_OF_(\d+)/, (_, length: string) => 'a'.repeat(Number(length)))
    .replace('SEVENTEEN', Array.from({ length: 17 }, (_, n) => `https://example.com/${n}.png`).join(', '));

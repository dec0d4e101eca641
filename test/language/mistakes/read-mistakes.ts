/**
 * Reads the tables of mistakes beside this file. A row is a heading, a film, and a line for each thing that is to be said:
 *
 *     ## a misspelt field
 *     ```yaml step
 *     model: V-T2V-A
 *     with: { «promt»: a fox }
 *     ```
 *     > unknown-field: did you mean `prompt`?
 *
 * « and » stand around the place that the caret shows; they are no part of the film. A block is the lines behind `shotlist` and `name`;
 * of a `step` those of its one step, of `steps` those under `steps:`, of a `file` everything, of an `expression` what a prompt holds.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Mistake {
  readonly topic: string;
  readonly name: string;
  readonly text: string;
  readonly expected: readonly Expected[];
}

export interface Expected {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  /** Part of the message. */
  readonly advice: string;
  /** Offsets into the film. */
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
  const [, name = '', form = '', block = '', said = ''] =
    /^(.*)\n```(.*)\n([\s\S]*?)```\n([\s\S]*)$/.exec(section) ?? [];
  const marked = filmOf(form.replace('yaml', '').trim(), filled(block));
  const places = [...marked.matchAll(/«([\s\S]*?)»/g)].map(({ index, 1: inside = '' }, nth) => {
    const start = index - 2 * nth;
    return { start, end: start + inside.length };
  });
  const lines = [...said.matchAll(/^> (?:(warning|hint) )?([\w-]+): (.*)$/gm)];
  if (lines.length === 0 || lines.length !== places.length)
    throw new Error(`${topic}, ${name}: ${places.length} places and ${lines.length} messages`);
  const expected = lines.map(([, severity = 'error', code = '', advice = ''], nth) => ({
    ...{ severity: severity as Expected['severity'], code, advice },
    ...(places[nth] as { start: number; end: number }),
  }));
  return { topic, name, text: marked.replaceAll(/[«»]/g, ''), expected };
}

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

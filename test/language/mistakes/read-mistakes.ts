/**
 * Reads the tables of mistakes beside this file. A row is a heading, a film, and a line for each message:
 *
 *     ## a misspelt field
 *     model: V-T2V-A
 *     with: { «promt»: a fox }
 *     > unknown-field: no field ~ did you mean `prompt`?
 *     = prompt
 *
 * « and » stand around the place that the caret shows; they are no part of the film. The lines are those of the film's one step, or with a word
 * behind the heading: `(film)` those behind `shotlist` and `name`, `(steps)` those under `steps:`, `(file)` the whole file, `(expression)` what a
 * prompt holds, `(table)` none. Lines behind `-- NAME --` are a table beside the film. The message holds the words between the signs `~`. What
 * follows the advice has no mistake: `= TEXT` is put into the marked place, `=` takes its line out, `= OLD → NEW` replaces a part of the film, and
 * lines behind `-- mended --` (`-- mended NAME --`) replace the film (the table).
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
    .filter(name => name.endsWith('.txt'))
    .flatMap(name => readTable(name.replace('.txt', ''), readFileSync(new URL(name, FOLDER), 'utf8')));

function readTable(topic: string, table: string): Mistake[] {
  return table
    .split(/^## /m)
    .slice(1)
    .map(section => readRow(topic, section));
}

const HEADING = /^(.*?)(?: \((film|steps|file|expression|table)\))?$/;

function readRow(topic: string, section: string): Mistake {
  const [heading = '', ...lines] = section.split('\n');
  const [, name = heading, form = 'step'] = HEADING.exec(heading) ?? [];
  const parts = new Map<string, string>();
  let part = 'film';
  for (const line of lines.slice(0, -1)) {
    const [, next] = /^-- (.+) --$/.exec(line) ?? [];
    if (next !== undefined) part = next;
    if (next !== undefined) parts.set(next, '');
    else if (!/^[>=]/.test(line)) parts.set(part, `${parts.get(part) ?? ''}${line}\n`);
  }
  const tablesOf = (isMended: boolean): Tables =>
    Object.fromEntries(
      [...parts]
        .filter(([part]) => part !== 'film' && part !== 'mended' && part.startsWith('mended ') === isMended)
        .map(([part, table]) => [part.replace('mended ', ''), filled(table)]),
    );
  const filmOf = (block = ''): string => wholeFilm(form, filled(block));
  const film = filmOf(parts.get('film'));
  const marked = [film, ...Object.values(tablesOf(false))].find(text => text.includes('«')) ?? '';
  const places = [...marked.matchAll(/«([\s\S]*?)»/g)].map(({ index, 1: inside = '' }, nth) => {
    const start = index - 2 * nth;
    return { start, end: start + inside.length };
  });
  const messages = [...section.matchAll(/^> (?:(warning|hint) )?([\w-]+): (.*)$/gm)];
  if (messages.length === 0 || messages.length !== places.length)
    throw new Error(`${topic}, ${name}: ${places.length} places and ${messages.length} messages`);
  const expected = messages.map(([, severity = 'error', code = '', advice = ''], nth) => ({
    ...{ severity: severity as Expected['severity'], code, advice: advice.split(' ~ ') },
    ...(places[nth] as { start: number; end: number }),
  }));
  const tables = mapped(tablesOf(false), unmarked);
  const advice = /^= ?(.*)$/m.exec(section)?.[1];
  const isMended = advice !== undefined || [...parts.keys()].some(part => part.startsWith('mended'));
  const text =
    advice === undefined ? unmarked(filmOf(parts.get('mended') ?? parts.get('film'))) : withAdvice(film, advice);
  const mended = { text, tables: { ...tables, ...tablesOf(true) } };
  return { topic, name, text: unmarked(film), tables, expected, ...(isMended && { mended }) };
}

function withAdvice(film: string, advice: string): string {
  const [old = '', by] = advice.split(' → ');
  return by === undefined
    ? film.replace(advice === '' ? MARKED_LINE : MARKED, () => advice)
    : unmarked(film).replace(old, () => by);
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

function wholeFilm(form: string, block: string): string {
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

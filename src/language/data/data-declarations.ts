/** `data:`: files beside the pipeline, read before the run, and the type that each of them has in expressions. */

import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import type { Span } from '../../model/diagnostic.ts';
import type { Data } from '../../model/pipeline.ts';
import { isObject, type Json, parseJson } from '../../model/text/json.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { Findings } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import { joinRows, row } from '../steps/matrix.ts';
import {
  ANY,
  BOOL,
  INT,
  kindOfPath,
  list,
  mediaFacts,
  PLAIN_TEXT,
  record,
  TEXT,
  type Type,
  WRONG,
} from '../types/types.ts';
import type { ProjectFile, ProjectFiles } from '../used-files.ts';
import type { MapNode, Node } from '../yaml/syntax-tree.ts';
import { readYamlValue } from '../yaml/yaml-tree.ts';

interface DataDeclarations {
  readonly list: readonly Data[];
  readonly types: ReadonlyMap<string, Type>;
}

interface DataContext {
  readonly files: ProjectFiles;
  readonly wrong: ReadonlySet<Node>;
  readonly findings: Findings;
  /** `--data scenes=other.csv`. */
  readonly given: { readonly [name: string]: string };
}

export function readData(section: MapNode | undefined, context: DataContext): DataDeclarations {
  const { findings, given, wrong } = context;
  const data: Data[] = [];
  const types = new Map<string, Type>();
  for (const { name, nameAt, value } of section?.entries ?? []) {
    const path = value.is === 'scalar' && !wrong.has(value) ? value.value : undefined;
    const asked = Object.hasOwn(given, name) ? given[name] : path;
    const read = typeof asked === 'string' ? readOne(name, asked, value.at, context) : undefined;
    types.set(name, read?.type ?? WRONG);
    if (read) data.push({ name, at: nameAt, ...read.content });
  }
  const names = section?.entries.map(({ name }) => name) ?? [];
  for (const name of Object.keys(given))
    if (!names.includes(name))
      findings.add(messages.unknownDataGiven(name, nearest(name, names), names), { start: 0, end: 0 });
  return { list: data, types };
}

interface Read {
  readonly type: Type;
  readonly content: { readonly is: 'value'; readonly value: Json } | FilesContent;
}
interface FilesContent {
  readonly is: 'files';
  readonly paths: readonly string[];
}

/** Undefined where it cannot be read, which is reported. */
function readOne(name: string, path: string, at: Span, { files, findings }: DataContext): Read | undefined {
  if (path.includes('${{')) return void findings.add(messages.computedData(name), at);
  if (isGlob(path)) {
    const found = files.list(path);
    if ('problem' in found) return void findings.add(messages.dataFile(path, found.problem), at);
    if (found.paths.length === 0) return void findings.add(messages.noFilesMatch(path), at);
    return { type: list(typeOfFile(found.paths)), content: { is: 'files', paths: found.paths } };
  }
  const found = files.read(path);
  if ('problem' in found) return void findings.add(messages.dataFile(path, found.problem), at);
  const { value, problem } = readTable(path, found.text);
  if (problem !== undefined)
    return void findings.add(messages.dataContent(path, problem), at, noteOfLine(problem, found));
  if (value === undefined) return void findings.add(messages.dataEnding(path), at);
  return { type: typeOfJson(value), content: { is: 'value', value } };
}

/** The line of the table that the problem names. */
function noteOfLine(problem: string, { path, text }: ProjectFile) {
  const line = Number(/^line (\d+):/.exec(problem)?.[1]);
  if (!(line > 0)) return undefined;
  const rows = text.split('\n');
  const start = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
  const span = { start, end: start + (rows[line - 1]?.trimEnd().length ?? 0) };
  return [{ message: messages.lineOfTable, span, source: { path, text } }];
}

const isGlob = (path: string): boolean => /[*?[\]{}]/.test(path);

/** One of the files that a glob matches: what all of them are, where they are of one kind. */
function typeOfFile(paths: readonly string[]): Type {
  const kinds = new Set(paths.map(kindOfPath));
  const [kind] = kinds;
  const leadsTo = kinds.size === 1 ? kind : undefined;
  const fields: Record<string, Type> = {
    file: { is: 'text', ...(leadsTo && { leadsTo }) },
    name: PLAIN_TEXT,
    sha256: PLAIN_TEXT,
    bytes: INT,
    media: mediaFacts,
  };
  return record('a file', Object.entries(fields), 'Json', leadsTo);
}

/** The type of a value that is known before the run: a misspelt column is found like a misspelt field. */

/** Rows are looked at one by one up to this many; a longer table is taken to go on like that. */
const ROWS = 1_000;

function typeOfJson(value: Json): Type {
  if (value === null) return ANY;
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'number') return { is: Number.isInteger(value) ? 'int' : 'double' };
  if (isObject(value)) return row(Object.entries(value).map(([name, field]) => [name, typeOfJson(field)] as const));
  const types = (value as readonly Json[]).slice(0, ROWS).map(typeOfJson);
  return list(types.length === 0 ? ANY : types.reduce(joinRows));
}

/** The text of a data file → its rows, by the ending of its name. */
interface Table {
  /** Undefined where the ending is none that is known, or something is wrong. */
  readonly value?: Json;
  /** `line 3: …` */
  readonly problem?: string;
}

function readTable(path: string, text: string): Table {
  const plain = text.replace(/^\uFEFF/, '');
  switch (/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase()) {
    case 'csv':
      return csv(plain, delimiterOf(plain));
    case 'tsv':
      return csv(plain, '\t');
    case 'json':
      return json(plain);
    case 'jsonl':
    case 'ndjson':
      return lines(plain);
    case 'yaml':
    case 'yml':
      return readYamlValue(plain);
    case 'txt':
    case 'md':
    case 'srt':
    case 'vtt':
    case 'html':
    case 'xml':
      return { value: plain };
    default:
      return {};
  }
}

/** Spreadsheets of many countries write `;`, because their numbers have commas. The first line decides. */
function delimiterOf(text: string): string {
  const [names = ''] = text.split(/\r?\n/, 1);
  const bare = names.replaceAll(/"[^"]*"/g, '');
  if (bare.includes(',')) return ',';
  return [';', '\t'].find(one => bare.includes(one)) ?? ',';
}

/** The first row names the columns. A column of numbers alone holds numbers, one of true and false holds those, any other holds texts. */
function csv(text: string, delimiter: string): Table {
  const [ofSpreadsheet] = /^sep=.?(?=\r?\n)/.exec(text) ?? [];
  if (ofSpreadsheet !== undefined)
    return { problem: `line 1: \`${ofSpreadsheet}\` is for spreadsheets alone; take the line out` };
  try {
    const rows = parseCsv(text, { delimiter, skip_empty_lines: true, trim: true }) as string[][];
    const [names, ...cells] = rows;
    if (!names) return { problem: 'it is empty; its first line names the columns' };
    const seen = new Set<string>();
    const odd = names.find(name => name === '' || seen.has(name) || !seen.add(name));
    if (odd !== undefined)
      return {
        problem: odd === '' ? 'line 1: a column has no name' : `line 1: two columns are called \`${odd}\`; rename one`,
      };
    const columns = names.map((_, index) => column(cells.map(row => row[index] ?? '')));
    // A column called `__proto__` is a column.
    return {
      value: cells.map((_, row) =>
        Object.fromEntries(names.map((name, index) => [name, columns[index]?.[row] ?? null])),
      ),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line } = error as CsvError & { readonly lines?: number };
    const words = cellCounts(error.message, text, delimiter) ?? CSV_WORDS[error.code] ?? error.message;
    return { problem: line === undefined ? words : `line ${line}: ${words}` };
  }
}

/** `Invalid Record Length: expect 2, got 3 on line 2` */
function cellCounts(message: string, text: string, delimiter: string): string | undefined {
  const [, columns, cells] = /expect (\d+), got (\d+)/.exec(message) ?? [];
  if (columns === undefined) return undefined;
  const sign = DELIMITERS[delimiter] ?? 'a comma';
  const advice = text.startsWith('#')
    ? 'a table has no comments, so take the first line out'
    : Number(cells) < Number(columns)
      ? `end it with ${sign} for each cell that is empty`
      : `put "…" around a cell that holds ${sign}`;
  return `it has ${counted(cells, 'cell')}, and the first line has ${counted(columns, 'column')}; ${advice}`;
}

const DELIMITERS: Readonly<Record<string, string>> = { ';': 'a semicolon', '\t': 'a tab' };

const counted = (count: string | undefined, thing: string): string => `${count} ${thing}${count === '1' ? '' : 's'}`;

const CSV_WORDS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quote is inside a cell; put quotes around the whole cell, and double those inside',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    'something follows a closing quote; put quotes around the whole cell, and double those inside',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote; double the quotes inside a cell',
};

/** A larger integer is usually an id, and rounding would change it. */
const isExact = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

/** A number that prints as it is written. `20.00`, `1.10` and `01234` do not: a price, a version and a zip code stay texts. */
const isNumber = (cell: string): boolean => String(Number(cell)) === cell && isExact(Number(cell));

function column(cells: readonly string[]): readonly Json[] {
  const given = cells.filter(cell => cell !== '');
  if (given.length > 0 && given.every(isNumber)) return cells.map(cell => (cell === '' ? null : Number(cell)));
  if (given.length > 0 && given.every(cell => cell === 'true' || cell === 'false'))
    return cells.map(cell => (cell === '' ? null : cell === 'true'));
  return cells;
}

function json(text: string): Table {
  try {
    const value = parseJson(text);
    const inexact = inexactIn(value);
    return inexact === undefined ? { value } : { problem: `${inexact} is too big to be exact; put it in quotes` };
  } catch (error) {
    return { problem: jsonSlip(text) ?? `it is no JSON: ${(error as Error).message}` };
  }
}

const JSON_SLIPS: readonly (readonly [RegExp, string])[] = [
  [/,(?=\s*[\]}])/, 'JSON has no comma behind the last value; take it out'],
  [/'/, 'texts and names need "…" in JSON'],
  [/\/\/|\/\*|#/, 'JSON has no comments; take it out'],
  [/(?<=[{,]\s*)[A-Za-z_]\w*(?=\s*:)/, 'names need "…" in JSON'],
];

/** What authors write in JSON that is none, at its line; undefined where it is something else. */
function jsonSlip(text: string): string | undefined {
  const plain = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, written => `"${' '.repeat(written.length - 2)}"`);
  const found = JSON_SLIPS.map(([form, words]) => ({ at: plain.search(form), words }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0];
  return found && `line ${plain.slice(0, found.at).split('\n').length}: ${found.words}`;
}

function inexactIn(value: Json): number | undefined {
  if (typeof value === 'number') return isExact(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const one of Object.values(value)) {
    const found = inexactIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lines(text: string): Table {
  const values: Json[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const { value, problem } = json(line);
    if (problem !== undefined) return { problem: `line ${index + 1}: ${problem.replace(/^line 1: /, '')}` };
    values.push(value ?? null);
  }
  return { value: values };
}

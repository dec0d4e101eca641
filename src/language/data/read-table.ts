/** The text of a data file → its rows, by the ending of its name. */
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { type Json, type JsonObject, parseJson } from '../../domain/json.ts';
import { readYamlValue } from '../yaml-tree.ts';

interface Table {
  /** Undefined where the ending is none that is known, or something is wrong. */
  readonly value?: Json;
  /** `line 3: …` */
  readonly problem?: string;
}

export function readTable(path: string, text: string): Table {
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

/** The first row names the columns. A column whose cells are all numbers holds numbers, one of true and false holds those. */
function csv(text: string, delimiter: string): Table {
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
    return {
      value: cells.map((_, row) => record(names.map((name, index) => [name, columns[index]?.[row] ?? null] as const))),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line } = error as CsvError & { readonly lines?: number };
    const words = cellCounts(error.message) ?? CSV_WORDS[error.code] ?? error.message;
    return { problem: line === undefined ? words : `line ${line}: ${words}` };
  }
}

/** `Invalid Record Length: expect 2, got 3 on line 2` */
function cellCounts(message: string): string | undefined {
  const [, columns, cells] = /expect (\d+), got (\d+)/.exec(message) ?? [];
  return (
    columns &&
    `it has ${cells} cells, and the first line has ${columns} columns; put "…" around a cell that holds a comma`
  );
}

const CSV_WORDS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell; put quotes around the whole cell, and double those inside',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind a closing quote; double the quotes inside a cell',
};

/** A larger integer is usually an id, and rounding would change it. */
const isExact = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

/** `007` stays a text: it is somebody's number, and nobody's amount. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

function column(cells: readonly string[]): readonly Json[] {
  const given = cells.filter(cell => cell !== '');
  if (given.length > 0 && given.every(cell => NUMBER.test(cell) && isExact(Number(cell))))
    return cells.map(cell => (cell === '' ? null : Number(cell)));
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
    return { problem: `it is no JSON: ${(error as Error).message}` };
  }
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
    if (problem !== undefined) return { problem: `line ${index + 1}: ${problem}` };
    values.push(value ?? null);
  }
  return { value: values };
}

/** A column called `__proto__` is a column. */
function record(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

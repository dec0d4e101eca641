/**
 * Reads YAML as we write it into a lock, line by line: maps by indentation, one-line scalars, literal blocks. Whatever else it
 * meets it gives up, and the real reader has its say; a test holds it to that reader's values. A lock of ten thousand entries
 * takes the real reader four seconds, and a run reads its lock again every ten. The layout comes first: sections, and in them entries,
 * each of which is read when it is asked for. A formatter may have indented them in another way.
 */
import { type Json, type JsonObject, recordIn } from '../../domain/json.ts';

/** One entry's lines in the file: its key's line and all that stands deeper. */
export interface Piece {
  readonly key: string;
  /** Each line with its line break. */
  readonly text: string;
  /** Its place in the file, counted from 1. */
  readonly line: number;
}

export interface Layout {
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, Piece>>;
  /** Sections two deep and entries four: what is carried over stands as it will be written. */
  readonly isOurs: boolean;
}

/** Where the entries of a lock's text stand; undefined: read it properly. */
export function layoutOf(text: string, version: number): Layout | undefined {
  // To YAML it ends a line, wherever it stands.
  if (text.includes('\r')) return undefined;
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  let at = lines.findIndex(line => !/^(?:#.*)?$/.test(line));
  if (lines[at] === '---') at++;
  if (/^shotlist: +(\d+) *$/.exec(lines[at++] ?? '')?.[1] !== String(version)) return undefined;
  const head = /^services:( \{\})?$/.exec(lines[at++] ?? '');
  if (!head) return undefined;
  const sections = new Map<string, Map<string, Piece>>();
  let sectionsAt: number | undefined;
  let entriesAt: number | undefined;
  while (at < lines.length) {
    sectionsAt ??= indentOf(lines.slice(at).find(line => line !== ''));
    if (lines[at] === '') at++;
    else {
      const [, token, empty] = /^ +(\S.*?):( \{\})?$/.exec(lines[at] ?? '') ?? [];
      const name = token && keyIn(token);
      if (head[1] || !name || indentOf(lines[at]) !== sectionsAt || sections.has(name)) return undefined;
      do at++;
      while (lines[at] === '');
      const entries = new Map<string, Piece>();
      while (at < lines.length && indentOf(lines[at]) > sectionsAt) {
        entriesAt ??= indentOf(lines[at]);
        const piece = pieceAt(lines, at, entriesAt);
        if (!piece || entries.has(piece.key)) return undefined;
        entries.set(piece.key, piece);
        at = piece.end;
      }
      // A name with nothing below it is somebody else's doing.
      if ((empty !== undefined) !== (entries.size === 0)) return undefined;
      sections.set(name, entries);
    }
  }
  return { sections, isOurs: sectionsAt === 2 && (entriesAt === undefined || entriesAt === 4) };
}

function pieceAt(
  lines: readonly string[],
  from: number,
  indent: number,
): (Piece & { readonly end: number }) | undefined {
  const first = (lines[from] ?? '').slice(indent);
  // A key too long for one line is written as `? key`, and its value as `: value`.
  const isExplicit = first.startsWith('? ');
  const token = isExplicit ? first.slice(2) : /^(\S.*):$/.exec(first)?.[1];
  const key = token && keyIn(token);
  if (!key || indentOf(lines[from]) !== indent) return undefined;
  if (isExplicit && !(indent === 4 && lines[from + 1]?.startsWith('    : '))) return undefined;
  let end = from + (isExplicit ? 2 : 1);
  while (end < lines.length && (lines[end] === '' || indentOf(lines[end]) > indent)) end++;
  if (end === from + 1) return undefined;
  return { key, text: `${lines.slice(from, end).join('\n')}\n`, line: from + 1, end };
}

/** A key that nobody could take for anything else. */
function keyIn(token: string): string | undefined {
  if (!/^["'a-z\d]/i.test(token)) return undefined;
  const name = quickName(token);
  return name === '__proto__' ? undefined : name;
}

/** The map that these lines are, in whatever indentation; undefined: read it properly. */
export function quickMap(lines: readonly string[]): JsonObject | undefined {
  const reading = { lines, next: 0 };
  const map = readMap(reading, indentOf(lines[0]));
  return reading.next === lines.length ? map : undefined;
}

interface Reading {
  readonly lines: readonly string[];
  next: number;
}

const FIELD = /^( *)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[A-Za-z_][\w.-]*(?:\[\d+\])?):(?: (.*))?$/;

function readMap(reading: Reading, indent: number): JsonObject | undefined {
  const map: Record<string, Json> = {};
  for (let line = reading.lines[reading.next]; line !== undefined; line = reading.lines[reading.next]) {
    const match = FIELD.exec(line);
    if (!match || match[1]!.length > indent) return undefined;
    if (match[1]!.length < indent) return map;
    const name = quickName(match[2]!);
    // A double name, and the one that JavaScript minds, are for the real reader to complain about.
    if (name === undefined || name === '__proto__' || Object.hasOwn(map, name)) return undefined;
    reading.next++;
    const value = readValue(reading, match[3], indent);
    if (value === undefined) return undefined;
    map[name] = value;
  }
  return map;
}

function readValue(reading: Reading, value: string | undefined, indent: number): Json | undefined {
  if (value !== undefined) return /^\|[-+]?$/.test(value) ? readLiteral(reading, value, indent) : quickScalar(value);
  const deeper = indentOf(reading.lines[reading.next]);
  return deeper > indent ? readMap(reading, deeper) : undefined;
}

function indentOf(line = ''): number {
  let deep = 0;
  while (line.charCodeAt(deep) === SPACE) deep++;
  return deep;
}

const SPACE = 32;

/** YAML 1.2, 8.1.2: a literal's text, and what becomes of the line breaks at its end. */
function readLiteral(reading: Reading, header: string, outer: number): string | undefined {
  // Its first line says how deep it stands. One that is empty has rules of its own.
  const indent = indentOf(reading.lines[reading.next]);
  if (indent <= outer) return undefined;
  const margin = ' '.repeat(indent);
  const rows: string[] = [];
  for (let line = reading.lines[reading.next]; line !== undefined; line = reading.lines[reading.next]) {
    if (line.startsWith(margin)) rows.push(line.slice(indent));
    else if (line === '') rows.push('');
    else break;
    reading.next++;
  }
  const text = `${rows.join('\n')}\n`;
  // A text of blanks alone, or one that begins with some, has rules of its own.
  if (/^\s/.test(text)) return undefined;
  if (header === '|+') return text;
  const end = text.length - /\n*$/.exec(text.slice(-1_000))![0].length;
  return header === '|' ? `${text.slice(0, end)}\n` : text.slice(0, end);
}

/** The text that a key stands for. */
function quickName(token: string): string | undefined {
  const name = quickScalar(token);
  return typeof name === 'string' ? name : undefined;
}

function quickScalar(token: string): Json | undefined {
  if (token.startsWith('"')) return quoted(token);
  if (token.startsWith("'")) {
    const inner = token.slice(1, -1);
    if (token.length < 2 || !token.endsWith("'") || /(?:^|[^'])(?:'')*'(?!')/.test(inner)) return undefined;
    return inner.replaceAll("''", "'");
  }
  if (token === '{}') return {};
  if (token === 'null') return null;
  if (token === 'true' || token === 'false') return token === 'true';
  return plain(token);
}

/** Where JSON and YAML write an escape alike. */
function quoted(token: string): string | undefined {
  const text = recordIn(token);
  return typeof text === 'string' ? text : undefined;
}

/** YAML 1.2, 7.3.3 and the core schema, 10.3.2; what only might be something else than text is given up. */
function plain(token: string): Json | undefined {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:e[-+]?\d{1,2})?$/.test(token)) return Number(token);
  if (token === '' || /^[^\w$/(\u00a1-\ud7ff]|[\t]| #|:(?: |$)|^\s|\s$/.test(token)) return undefined;
  if (/^[\d.]+(?:e[-+]?\d*)?$|^0[xo]|^(?:null|true|false)$/i.test(token)) return undefined;
  return token;
}

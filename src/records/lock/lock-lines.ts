/**
 * Reads YAML as we write it into a lock, line by line: maps by indentation, one-line scalars, literal blocks. Whatever else it
 * meets it gives up, and the real reader has its say; a test holds it to that reader's values. A lock of ten thousand entries
 * takes the real reader four seconds, and a run reads its lock again every ten. The layout comes first: sections, and in them entries,
 * each of which is read when it is asked for. A formatter may have indented them in another way.
 */
import { type Json, type JsonObject, recordIn } from '../../model/text/json.ts';

/** One entry's lines in the file: its key's line and all deeper ones. */
export interface Piece {
  readonly key: string;
  readonly text: string;
  /** Its place in the file, counted from 1. */
  readonly line: number;
}

interface Layout {
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, Piece>>;
  /** Sections two deep and entries four: what is carried over is laid out as it will be written. */
  readonly isOurs: boolean;
}

/** Where the entries of a lock's text stand; undefined: read it properly. */
export function layoutOf(text: string, version: number): Layout | undefined {
  // To YAML it ends a line, anywhere.
  if (text.includes('\r')) return undefined;
  const lines = new Lines(text);
  while (lines.isThere && /^(?:#.*)?$/.test(lines.text)) lines.next();
  if (lines.text === '---') lines.next();
  if (/^shotlist: +(\d+) *$/.exec(lines.text)?.[1] !== String(version)) return undefined;
  lines.next();
  const head = /^services:( \{\})?$/.exec(lines.text);
  if (!head) return undefined;
  lines.next();
  const sections = new Map<string, Map<string, Piece>>();
  let sectionsAt: number | undefined;
  let entriesAt: number | undefined;
  while (lines.isThere) {
    if (lines.isEmpty) lines.next();
    else {
      sectionsAt ??= lines.indent;
      const [, token, empty] = /^ +(\S.*?):( \{\})?$/.exec(lines.text) ?? [];
      const name = token && keyIn(token);
      if (head[1] || !name || lines.indent !== sectionsAt || sections.has(name)) return undefined;
      do lines.next();
      while (lines.isEmpty);
      const entries = new Map<string, Piece>();
      while (lines.isThere && lines.indent > sectionsAt) {
        entriesAt ??= lines.indent;
        const piece = pieceAt(lines, entriesAt);
        if (!piece || entries.has(piece.key)) return undefined;
        entries.set(piece.key, piece);
      }
      // A name with nothing below it was not written by us.
      if ((empty !== undefined) !== (entries.size === 0)) return undefined;
      sections.set(name, entries);
    }
  }
  return { sections, isOurs: sectionsAt === 2 && (entriesAt === undefined || entriesAt === 4) };
}

/** Leaves off where the next entry begins. */
function pieceAt(lines: Lines, indent: number): Piece | undefined {
  if (lines.indent !== indent) return undefined;
  const { at: from, number: line } = lines;
  const first = lines.text.slice(indent);
  // A key too long for one line is written as `? key`, and its value as `: value`.
  const isExplicit = first.startsWith('? ');
  const token = isExplicit ? first.slice(2) : /^\S.*:$/.test(first) ? first.slice(0, -1) : '';
  const key = token && keyIn(token);
  if (!key) return undefined;
  lines.next();
  if (isExplicit && !(indent === 4 && lines.text.startsWith('    : '))) return undefined;
  if (isExplicit) lines.next();
  else if (!lines.isEmpty && lines.indent <= indent) return undefined;
  while (lines.isEmpty || lines.indent > indent) lines.next();
  const text = lines.all.slice(from, lines.at);
  return { key, text: text.endsWith('\n') ? text : `${text}\n`, line };
}

/** Goes through a text line by line without taking it apart: a lock of ten thousand entries has sixty thousand. */
class Lines {
  readonly all: string;
  at = 0;
  /** Of this line, counted from 1. */
  number = 1;
  /** Of this line: the blanks that it begins with; 0 behind the last line. */
  indent = 0;

  constructor(all: string) {
    this.all = all;
    this.indent = this.#blanks();
  }

  get isThere(): boolean {
    return this.at < this.all.length;
  }

  /** Whether it is a line with nothing in it. */
  get isEmpty(): boolean {
    return this.all.charCodeAt(this.at) === LINE_END;
  }

  /** Without its line break; empty behind the last line. */
  get text(): string {
    return this.all.slice(this.at, this.#end());
  }

  next(): void {
    this.at = Math.min(this.#end() + 1, this.all.length);
    this.number++;
    this.indent = this.#blanks();
  }

  #end(): number {
    const end = this.all.indexOf('\n', this.at);
    return end < 0 ? this.all.length : end;
  }

  #blanks(): number {
    let to = this.at;
    while (this.all.charCodeAt(to) === SPACE) to++;
    return to - this.at;
  }
}

function keyIn(token: string): string | undefined {
  if (!/^["'a-z\d]/i.test(token)) return undefined;
  const name = quickName(token);
  return name === '__proto__' ? undefined : name;
}

/** The map that these lines are, in whatever indentation; undefined: read it properly. */
export function quickMap(text: string): JsonObject | undefined {
  // No line ends to YAML; expressions take them for some.
  if (/[\u2028\u2029]/.test(text)) return undefined;
  const lines = new Lines(text);
  const map = readMap(lines, lines.indent);
  return lines.isThere ? undefined : map;
}

const QUOTED_FIELD = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?: (.*))?$/;
/** A name that needs no quotes: any other that begins with a letter may be a text as well, and is left to the YAML reader. */
const PLAIN_NAME = /^(?!(?:null|true|false)$)[a-z_][\w.-]*(?:\[\d+\])?$/i;

function readMap(lines: Lines, indent: number): JsonObject | undefined {
  const map: Record<string, Json> = {};
  while (lines.isThere) {
    if (lines.indent > indent) return undefined;
    if (lines.indent < indent) return map;
    const field = fieldIn(lines.text.slice(indent));
    if (!field) return undefined;
    const [name, written] = field;
    // A double name, and the one that JavaScript minds, are for the real reader to complain about.
    if (name === '__proto__' || Object.hasOwn(map, name)) return undefined;
    lines.next();
    const value = readValue(lines, written, indent);
    if (value === undefined) return undefined;
    map[name] = value;
  }
  return map;
}

/** The name of a field and the rest of its line. */
function fieldIn(line: string): readonly [string, string | undefined] | undefined {
  const quotes = line.charCodeAt(0);
  if (quotes === DOUBLE_QUOTE || quotes === SINGLE_QUOTE) {
    const [, token = '', value] = QUOTED_FIELD.exec(line) ?? [];
    const name = quickName(token);
    return name === undefined ? undefined : [name, value];
  }
  const colon = line.indexOf(':');
  const token = line.slice(0, colon);
  if (colon < 0 || !PLAIN_NAME.test(token)) return undefined;
  if (colon === line.length - 1) return [token, undefined];
  return line.charCodeAt(colon + 1) === SPACE ? [token, line.slice(colon + 2)] : undefined;
}

function readValue(lines: Lines, value: string | undefined, indent: number): Json | undefined {
  if (value !== undefined) return /^\|[-+]?$/.test(value) ? readLiteral(lines, value, indent) : quickScalar(value);
  return lines.indent > indent ? readMap(lines, lines.indent) : undefined;
}

const SPACE = 32;
const LINE_END = 10;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** YAML 1.2, 8.1.2: a literal's text, and what becomes of the line breaks at its end. */
function readLiteral(lines: Lines, header: string, outer: number): string | undefined {
  // Its first line shows its depth. An empty one has rules of its own.
  const { indent } = lines;
  if (indent <= outer) return undefined;
  const rows: string[] = [];
  while (lines.isThere) {
    if (lines.indent >= indent) rows.push(lines.text.slice(indent));
    else if (lines.isEmpty) rows.push('');
    else break;
    lines.next();
  }
  const text = `${rows.join('\n')}\n`;
  // A text of blanks alone, or one that begins with some, has rules of its own.
  if (/^\s/.test(text)) return undefined;
  if (header === '|+') return text;
  const end = text.length - /\n*$/.exec(text.slice(-1_000))![0].length;
  return header === '|' ? `${text.slice(0, end)}\n` : text.slice(0, end);
}

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

/**
 * Takes a lock's text apart by its indentation alone: sections, and in them entries, none of which is read. It knows the layout that
 * we write and the same in any other indentation, as a formatter leaves it; whatever else it meets it gives up, and the real reader
 * has its say.
 */
import { quickName } from './lock-lines.ts';

/** One entry's lines in the file: its key's line and all that stands deeper. */
export interface Piece {
  readonly key: string;
  /** Each line with its line break. */
  readonly text: string;
  /** Its place in the file, counted from 1. */
  readonly line: number;
}

export interface Layout {
  readonly sections: ReadonlyMap<string, readonly Piece[]>;
  /** Sections two deep and entries four: what is carried over stands as it will be written. */
  readonly isOurs: boolean;
}

/** Reads one line after another without taking them all apart. */
class Cursor {
  readonly text: string;
  at = 0;
  line = 1;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
  get isBlank(): boolean {
    return this.text[this.at] === '\n';
  }
  get indent(): number {
    let deep = this.at;
    while (this.text.charCodeAt(deep) === SPACE) deep++;
    return deep - this.at;
  }
  get rest(): string {
    return this.text.slice(this.at, this.#end());
  }
  next(): void {
    this.at = this.#end() + 1;
    this.line++;
  }
  skipBlank(): void {
    while (!this.isAtEnd && this.isBlank) this.next();
  }
  #end(): number {
    const end = this.text.indexOf('\n', this.at);
    return end < 0 ? this.text.length : end;
  }
}

const SPACE = 32;

export function layoutOf(text: string, version: number): Layout | undefined {
  // To YAML it ends a line, wherever it stands.
  if (text.includes('\r')) return undefined;
  const cursor = new Cursor(text.endsWith('\n') ? text : `${text}\n`);
  const sections = new Map<string, readonly Piece[]>();
  while (!cursor.isAtEnd && /^(?:#.*|)$/.test(cursor.rest)) cursor.next();
  if (cursor.rest === '---') cursor.next();
  if (/^shotlist: +(\d+) *$/.exec(cursor.rest)?.[1] !== String(version)) return undefined;
  cursor.next();
  const head = /^services:( \{\})?$/.exec(cursor.rest);
  if (!head) return undefined;
  cursor.next();
  cursor.skipBlank();
  const sectionsAt = cursor.indent;
  let entriesAt: number | undefined;
  while (!cursor.isAtEnd) {
    const [, token, empty] = /^ +(\S.*?):( \{\})?$/.exec(cursor.rest) ?? [];
    const name = token && keyIn(token);
    if (head[1] || !name || cursor.indent !== sectionsAt || sections.has(name)) return undefined;
    cursor.next();
    cursor.skipBlank();
    const isEmpty = cursor.isAtEnd || cursor.indent <= sectionsAt;
    // A name with nothing below it is somebody else's doing.
    if ((empty !== undefined) !== isEmpty) return undefined;
    if (!isEmpty) entriesAt ??= cursor.indent;
    const pieces = isEmpty ? [] : piecesAt(cursor, sectionsAt, entriesAt ?? 0);
    if (!pieces) return undefined;
    sections.set(name, pieces);
  }
  return { sections, isOurs: sectionsAt === 2 && (entriesAt === undefined || entriesAt === 4) };
}

/** The entries of one section, up to the next. */
function piecesAt(cursor: Cursor, sectionsAt: number, entriesAt: number): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  const keys = new Set<string>();
  for (let indent = cursor.indent; !cursor.isAtEnd && indent > sectionsAt; indent = cursor.indent) {
    if (indent !== entriesAt) return undefined;
    const { at, line } = cursor;
    const first = cursor.rest.slice(indent);
    const isExplicit = first.startsWith('? ');
    const token = isExplicit ? first.slice(2) : /^(\S.*):$/.exec(first)?.[1];
    const key = token && keyIn(token);
    if (!key || keys.has(key)) return undefined;
    cursor.next();
    // A key too long for one line is written as `? key`, and its value as `: value`.
    if (isExplicit && !(entriesAt === 4 && cursor.rest.startsWith('    : '))) return undefined;
    if (isExplicit) cursor.next();
    const { line: below } = cursor;
    while (!cursor.isAtEnd && (cursor.isBlank || cursor.indent > entriesAt)) cursor.next();
    if (!isExplicit && cursor.line === below) return undefined;
    keys.add(key);
    pieces.push({ key, text: cursor.text.slice(at, cursor.at), line });
  }
  return pieces;
}

/** A key that nobody could take for anything else. */
function keyIn(token: string): string | undefined {
  if (!/^["'a-z\d]/i.test(token)) return undefined;
  const name = quickName(token);
  return name === '__proto__' ? undefined : name;
}

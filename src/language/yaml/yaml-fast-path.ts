/**
 * Reads the YAML that nearly every pipeline is written in, ten times as fast as a whole YAML reader: block mappings of
 * plain keys, block lists, one-line scalars, one-line `[ ]` and `{ }`, and comments. Whatever else it meets (an anchor, a block
 * text, a tab, an escape, a double key, anything odd at all) it gives up, and the whole reader takes over (`yaml-tree.ts`). So it never
 * judges a file, and a test holds it to the whole reader's tree on thousands of mutilated files.
 */
import type { Entry, MapNode, Node, ScalarNode } from './syntax-tree.ts';

/** Undefined: the text needs the whole reader. */
export function readSimpleYaml(text: string): MapNode | undefined {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  const lines = splitLines(text);
  const read = lines && readBlock({ text, lines, next: 0 }, 0, 0);
  return read?.is === 'map' ? read : undefined;
}

/** A line that holds `key:` or `- `. Of `- key:` the item has no value, and the key is a line of its own. */
interface Line {
  readonly indent: number;
  /** Undefined: an item of a list. */
  readonly name: string | undefined;
  /** Offsets of the key, or the dash, and of what follows; the value is without surrounding blanks and may be empty. */
  readonly nameStart: number;
  readonly valueStart: number;
  readonly value: string;
}

const KEY_LINE = /^( *)([A-Za-z_][\w-]{0,99}):(?: (.*))?$/;
/** Deeper items on one line, and items without anything, are left to the whole reader. */
const ITEM_LINE = /^( *)- ([^ #-].*|-[^ ].*)$/;
/** Keys that YAML reads as something else than text, and the one that JavaScript does. */
const ODD_KEYS = /^(?:null|true|false|__proto__)$/i;

function splitLines(text: string): Line[] | undefined {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const row = text.slice(start, end);
    if (!readLine(row, start, lines)) return undefined;
    start = end + 1;
  }
  return lines;
}

/** False: it is no line of ours. */
function readLine(row: string, start: number, lines: Line[]): boolean {
  const item = ITEM_LINE.exec(row);
  const indent = item ? (item[1]?.length ?? 0) : 0;
  // The key behind a dash is deeper than the dash.
  const match = KEY_LINE.exec(item ? `${' '.repeat(indent + 2)}${item[2]}` : row);
  if (item) {
    const value = match ? '' : trimBlanks(item[2] ?? '');
    lines.push({ indent, name: undefined, nameStart: start + indent, valueStart: start + indent + 2, value });
  }
  if (match?.[2] === undefined) return item !== null || /^ *(?:#.*)?$/.test(row);
  if (ODD_KEYS.test(match[2])) return false;
  const given = trimBlanks(match[3] ?? '');
  const value = given.startsWith('#') ? '' : given;
  const [, before = ''] = match;
  const valueStart =
    value === '' ? start + row.length : start + row.indexOf(value, before.length + match[2].length + 1);
  lines.push({ indent: before.length, name: match[2], nameStart: start + before.length, valueStart, value });
  return true;
}

/** Blanks alone: to YAML a no-break space is text. A pattern would take the square of a long run of blanks. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

interface Cursor {
  readonly text: string;
  readonly lines: readonly Line[];
  next: number;
}

/** The mapping, or the list, with lines at this indentation, beginning with the next line. */
function readBlock(cursor: Cursor, indent: number, depth: number): Node | undefined {
  const first = cursor.lines[cursor.next];
  if (first?.indent !== indent || depth > 30) return undefined;
  const isMap = first.name !== undefined;
  const entries: Entry[] = [];
  const items: Node[] = [];
  let end = first.nameStart;
  for (let line: Line | undefined = first; line && line.indent >= indent; line = cursor.lines[cursor.next]) {
    if (line.indent > indent || (line.name !== undefined) !== isMap) return undefined;
    cursor.next++;
    const following = cursor.lines[cursor.next];
    const nested = following !== undefined && following.indent > indent;
    // A value followed by deeper lines continues in them; a key with neither has no value.
    if (nested !== (line.value === '')) return undefined;
    const value = nested ? readBlock(cursor, following.indent, depth + 1) : readInline(line);
    if (!value) return undefined;
    if (line.name === undefined) items.push(value);
    else {
      const nameAt = { start: line.nameStart, end: line.nameStart + line.name.length };
      entries.push({ name: line.name, nameAt, value });
    }
    end = value.at.end;
  }
  const at = { start: first.nameStart, end };
  if (!isMap) return { is: 'list', items, at };
  return hasDoubles(entries) ? undefined : { is: 'map', entries, at };
}

const hasDoubles = (entries: readonly Entry[]): boolean =>
  new Set(entries.map(entry => entry.name)).size < entries.length;

/** The value on the key's own line. */
function readInline({ value, valueStart }: Line): Node | undefined {
  const first = value[0];
  if (first === '[' || first === '{') {
    const flow: Flow = { text: value, offset: valueStart, at: 0 };
    const node = readFlow(flow, 0);
    return isComment(value.slice(flow.at)) ? node : undefined;
  }
  if (first === '"' || first === "'") {
    const [text] = QUOTED.exec(value) ?? [''];
    return text !== '' && isComment(value.slice(text.length)) ? quoted(text, valueStart) : undefined;
  }
  const comment = value.indexOf(' #');
  const text = comment < 0 ? value : trimBlanks(value.slice(0, comment));
  // A second colon, or an indicator at the start, is left to the whole reader.
  if (/^[^\w$./+(<=~^\u00a1-\uffff-]|^-(?!\w)|:(?: |$)/.test(text)) return undefined;
  return plain(text, valueStart);
}

/** Nothing, or blanks and a comment. */
const isComment = (rest: string): boolean => rest === '' || /^ +#/.test(rest);

const QUOTED = /^(?:"(?:[^"\\]|\\[nt"\\])*"|'[^']*')/;

/** `value`: a whole text with its marks. Of escapes, those that JSON has as well. */
function quoted(value: string, start: number): ScalarNode {
  const inner = value.startsWith('"') && value.includes('\\') ? (JSON.parse(value) as string) : value.slice(1, -1);
  return { is: 'scalar', value: inner, at: { start, end: start + value.length } };
}

/** YAML 1.2, core schema (10.3.2); numbers in unusual spelling are left to the whole reader. */
function plain(value: string, start: number): ScalarNode | undefined {
  const at = { start, end: start + value.length };
  if (value === 'true' || value === 'false') return { is: 'scalar', value: value === 'true', at };
  if (/^(?:true|false|null|~)$/i.test(value)) return undefined;
  // A range is text, and so are the two dashes behind which a command has no options.
  if (!/^[-+.\d]/.test(value) || /^(?:\d+\.\.\d+|--)$/.test(value)) return { is: 'scalar', value, at };
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(value)) return { is: 'scalar', value: Number(value), at };
  return /^[-+.\d]+(?:e[-+]?\d+)?$|^\d[ox]|^[-+]?\.[a-z]/i.test(value) ? undefined : { is: 'scalar', value, at };
}

interface Flow {
  readonly text: string;
  /** Where `text` begins in the file. */
  readonly offset: number;
  at: number;
}

function readFlow(flow: Flow, depth: number): Node | undefined {
  const open = flow.text[flow.at];
  if (open === '[' || open === '{') return depth > 30 ? undefined : readCollection(flow, open === '{', depth);
  // Blanks inside a plain text are kept, those around it are not; a colon is part of it when something follows at once.
  const match = /(?:"(?:[^"\\]|\\[nt"\\])*"|'[^']*'|(?:[\w$./+]|-(?=[\w-]))(?:[^[\]{},:#"'\n]|:(?=[\w./]))*)/y;
  match.lastIndex = flow.at;
  const raw = match.exec(flow.text)?.[0];
  const value = raw && trimBlanks(raw);
  if (raw === undefined || !value) return undefined;
  const start = flow.offset + flow.at;
  flow.at += raw.length;
  return /^["']/.test(value) ? quoted(value, start) : plain(value, start);
}

function readCollection(flow: Flow, isMap: boolean, depth: number): Node | undefined {
  const start = flow.offset + flow.at++;
  const close = isMap ? '}' : ']';
  const entries: Entry[] = [];
  const items: Node[] = [];
  skipBlanks(flow);
  while (flow.text[flow.at] !== close) {
    const key = isMap ? readKey(flow) : undefined;
    if (isMap && !key) return undefined;
    const value = readFlow(flow, depth + 1);
    if (!value) return undefined;
    if (key) entries.push({ ...key, value });
    else items.push(value);
    skipBlanks(flow);
    if (flow.text[flow.at] === ',') {
      flow.at++;
      skipBlanks(flow);
      // A comma before the closing bracket is allowed by YAML, and rare.
      if (flow.text[flow.at] === close) return undefined;
    } else if (flow.text[flow.at] !== close) return undefined;
  }
  const at = { start, end: flow.offset + ++flow.at };
  if (!isMap) return { is: 'list', items, at };
  return hasDoubles(entries) ? undefined : { is: 'map', entries, at };
}

function readKey(flow: Flow): Pick<Entry, 'name' | 'nameAt'> | undefined {
  const match = /([A-Za-z_][\w-]{0,99}): +/y;
  match.lastIndex = flow.at;
  const found = match.exec(flow.text);
  if (found?.[1] === undefined || ODD_KEYS.test(found[1])) return undefined;
  const start = flow.offset + flow.at;
  flow.at += found[0].length;
  return { name: found[1], nameAt: { start, end: start + found[1].length } };
}

function skipBlanks(flow: Flow): void {
  while (flow.text[flow.at] === ' ') flow.at++;
}

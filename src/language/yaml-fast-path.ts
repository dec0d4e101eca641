/**
 * Reads the YAML that nearly every pipeline is written in, ten times as fast as a whole YAML reader: block mappings of
 * plain keys, one-line scalars, and one-line `[ ]` and `{ }`. Whatever else it meets (an anchor, a block text, a tab,
 * an escape, a double key, anything odd at all) it gives up, and the whole reader takes over (`yaml-tree.ts`). So it never
 * judges a file, and a test holds it to the whole reader's tree on thousands of mutilated files.
 */
import type { Entry, MapNode, Node, ScalarNode } from './syntax-tree.ts';

/** Undefined: the text needs the whole reader. */
export function readSimpleYaml(text: string): MapNode | undefined {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  const lines = splitLines(text);
  return lines ? readBlock({ text, lines, next: 0 }, 0, 0) : undefined;
}

/** A line that holds `key:`. */
interface Line {
  readonly indent: number;
  readonly name: string;
  /** Offsets of the key and of what follows its colon; the value is without surrounding blanks and may be empty. */
  readonly nameStart: number;
  readonly valueStart: number;
  readonly value: string;
}

const KEY_LINE = /^( *)([A-Za-z_][\w-]{0,99}):(?: (.*))?$/;
/** Keys that YAML reads as something else than text, and the one that JavaScript does. */
const ODD_KEYS = /^(?:null|true|false|__proto__)$/i;

function splitLines(text: string): Line[] | undefined {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const row = text.slice(start, end);
    const match = KEY_LINE.exec(row);
    if (match?.[2] !== undefined) {
      if (ODD_KEYS.test(match[2])) return undefined;
      const indent = match[1]!.length;
      const value = trimBlanks(match[3] ?? '');
      const valueStart = value === '' ? end : start + row.indexOf(value, indent + match[2].length + 1);
      lines.push({ indent, name: match[2], nameStart: start + indent, valueStart, value });
    } else if (!/^ *(?:#.*)?$/.test(row)) return undefined;
    start = end + 1;
  }
  return lines;
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

/** The mapping whose keys stand at this indentation, beginning with the next line. */
function readBlock(cursor: Cursor, indent: number, depth: number): MapNode | undefined {
  const first = cursor.lines[cursor.next];
  if (first?.indent !== indent || depth > 30) return undefined;
  const entries: Entry[] = [];
  let end = first.nameStart;
  for (let line: Line | undefined = first; line && line.indent >= indent; line = cursor.lines[cursor.next]) {
    if (line.indent > indent) return undefined;
    cursor.next++;
    const following = cursor.lines[cursor.next];
    const nested = following !== undefined && following.indent > indent;
    // A value followed by deeper lines continues in them; a key with neither has no value.
    if (nested !== (line.value === '')) return undefined;
    const value = nested ? readBlock(cursor, following.indent, depth + 1) : readInline(line);
    if (!value) return undefined;
    entries.push({ name: line.name, nameAt: { start: line.nameStart, end: line.nameStart + line.name.length }, value });
    end = value.at.end;
  }
  if (hasDoubles(entries)) return undefined;
  return { is: 'map', entries, at: { start: first.nameStart, end } };
}

const hasDoubles = (entries: readonly Entry[]): boolean =>
  new Set(entries.map(entry => entry.name)).size < entries.length;

/** The value on the key's own line. */
function readInline({ value, valueStart }: Line): Node | undefined {
  const first = value[0];
  if (first === '[' || first === '{') {
    const flow: Flow = { text: value, offset: valueStart, at: 0 };
    const node = readFlow(flow, 0);
    return flow.at === value.length ? node : undefined;
  }
  if (first === '"' || first === "'") return quoted(value, valueStart);
  // A comment, a second colon, or an indicator at the start is left to the whole reader.
  if (/^[^\w$./+(<=~^\u00a1-\uffff-]|^-(?!\d)| #|:(?: |$)/.test(value)) return undefined;
  return plain(value, valueStart);
}

/** Only without escapes, where the text between the quotes is the text that is meant. */
function quoted(value: string, start: number): ScalarNode | undefined {
  const mark = value[0]!;
  const inner = value.slice(1, -1);
  if (value.length < 2 || !value.endsWith(mark) || inner.includes(mark) || inner.includes('\\')) return undefined;
  return { is: 'scalar', value: inner, at: { start, end: start + value.length } };
}

/** YAML 1.2, core schema (10.3.2); numbers in unusual spelling are left to the whole reader. */
function plain(value: string, start: number): ScalarNode | undefined {
  const at = { start, end: start + value.length };
  if (value === 'true' || value === 'false') return { is: 'scalar', value: value === 'true', at };
  if (/^(?:true|false|null|~)$/i.test(value)) return undefined;
  if (!/^[-+.\d]/.test(value)) return { is: 'scalar', value, at };
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
  const match = /(?:"[^"\\]*"|'[^']*'|(?:[\w$./+]|-(?=\d))(?:[^[\]{},:#"'\n]|:(?=[\w./]))*)/y;
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

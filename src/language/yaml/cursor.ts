/**
 * The place in a file that is being edited. Such a file seldom parses: the word under the cursor is taken out, a mark that parses
 * is put in its place, what the line leaves open is closed, and the mark is looked for in the tree of that.
 */
import type { Source, Span } from '../../model/diagnostic.ts';
import type { MapNode, Node } from './syntax-tree.ts';
import { readLooseTree } from './yaml-tree.ts';

export type Cursor =
  /** In the code of an expression. */
  | { readonly is: 'expression'; readonly at: Way; readonly before: string; readonly after: string }
  /** A key is being written in the mapping at this place. */
  | { readonly is: 'key'; readonly at: Way; readonly word: Span; readonly hasColon: boolean; readonly isFlow: boolean }
  /** A value is being written at this place, which is empty otherwise. */
  | { readonly is: 'value'; readonly at: Way; readonly word: Span; readonly quote: '"' | "'" | '' };

interface Standing {
  readonly cursor: Cursor;
  /** The text that can be read, with the mark at the cursor. */
  readonly source: Source;
}

/** Keys and indexes from the root. */
export type Way = readonly (string | number)[];

/** No author writes it, and it is a plain scalar anywhere in YAML. */
const MARK = 'cursor__stands__here';

/** Undefined where there is nothing to complete, as in a comment. */
export function cursorAt(source: Source, offset: number): Standing | undefined {
  return inExpression(source, offset) ?? onWord(source, offset);
}

/** Lines that an expression may go on over. */
const MOST_LINES = 12;

function inExpression({ path, text }: Source, offset: number): Standing | undefined {
  const open = text.lastIndexOf('${{', offset - 3);
  if (open < 0 || open + 3 > offset) return undefined;
  const before = text.slice(open + 3, offset);
  const rows = before.split('\n');
  if (before.includes('}}') || rows.length > MOST_LINES || rows.slice(1).some(isKeyLine)) return undefined;
  const end = endOf(text, offset);
  const closed = text.startsWith('}}', end) ? end + 2 : end;
  const patched = { path, text: repaired(text.slice(0, open), MARK, text.slice(closed)) };
  const found = findMark(patched);
  return {
    cursor: { is: 'expression', at: found?.at ?? [], before, after: text.slice(offset, end) },
    source: patched,
  };
}

const isKeyLine = (row: string): boolean => /^\s*(?:- )?[A-Za-z_][\w-]*:(?:\s|$)/.test(row);

/** Where the code ends: at its braces, or, where they are not written yet, with what can be code on this line. */
function endOf(text: string, offset: number): number {
  const line = lineEnd(text, offset);
  const rest = text.slice(offset, line);
  const close = rest.indexOf('}}');
  const next = rest.indexOf('${{');
  if (close >= 0 && (next < 0 || close < next)) return offset + close;
  // Over several lines, where none of them is a key of its own.
  const far = text.indexOf('}}', offset);
  if (far >= 0 && next < 0) {
    const rows = text.slice(offset, far).split('\n');
    if (rows.length <= MOST_LINES && !rows.slice(1).some(isKeyLine) && !text.slice(offset, far).includes('${{'))
      return far;
  }
  return offset + /^[\w.]*/.exec(rest)![0].length;
}

function onWord({ path, text }: Source, offset: number): Standing | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const prefix = text.slice(lineStart, offset);
  if (/(?:^|\s)#/.test(withoutTexts(prefix))) return undefined;
  const start = offset - /[\w./@*~+-]*$/.exec(prefix)![0].length;
  const end = offset + /^[\w./@*~+-]*/.exec(text.slice(offset, lineEnd(text, offset)))![0].length;
  const rest = text.slice(end, lineEnd(text, end));
  const lead = text.slice(lineStart, start);
  const hasColon = /^["']?\s*:(?:\s|$)/.test(rest);
  const opened = /["']$/.exec(lead)?.[0] as '"' | "'" | undefined;
  // A line of its own begins with a key.
  const isKeyToBe = /^\s*(?:- )?$/.test(lead) && rest.trim() === '';
  const forms = isKeyToBe && !/- $/.test(lead) ? [`${MARK}:`] : isKeyToBe ? [MARK, `${MARK}:`] : [MARK];
  for (const form of forms) {
    const patched = { path, text: repaired(text.slice(0, start), form, text.slice(end)) };
    const found = findMark(patched);
    if (!found) continue;
    const word = { start, end };
    const cursor: Cursor = found.isKey
      ? { is: 'key', at: found.at, word, hasColon, isFlow: found.isFlow }
      : { is: 'value', at: found.at, word, quote: opened ?? '' };
    return { cursor, source: patched };
  }
  return undefined;
}

const withoutTexts = (line: string): string => line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, 'x');

/** With what the line opens, and nothing closes, closed at its end. */
function repaired(before: string, mark: string, after: string): string {
  const end = lineEnd(after, 0);
  const line = before.slice(before.lastIndexOf('\n') + 1) + mark + after.slice(0, end);
  return before + mark + after.slice(0, end) + closers(line, after.slice(end)) + after.slice(end);
}

function closers(line: string, rest: string): string {
  const stack: string[] = [];
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== '') {
      if (character === '\\' && quote === '"') at++;
      else if (character === quote) quote = '';
    } else if (/["']/.test(character) && /(?:^|[\s[{,:-])$/.test(line.slice(0, at))) quote = character;
    else if (character === '{' || character === '[') stack.push(character === '{' ? '}' : ']');
    else if ((character === '}' || character === ']') && stack.at(-1) === character) stack.pop();
  }
  if (quote === '' && stack.length === 0) return '';
  // What is open may be closed further down, where the next line is no key of a block.
  const next = /^\s*\n?([^\n]*)/.exec(rest.replace(/^(?:[ \t]*\n)+/, ''))?.[1] ?? '';
  const goesOn = quote === '' && next !== '' && !isKeyLine(next) && /[}\]]/.test(next);
  return goesOn ? '' : quote + stack.reverse().join('');
}

const lineEnd = (text: string, from: number): number => {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
};

interface Found {
  /** Of a key: the mapping around it. */
  readonly at: Way;
  readonly isKey: boolean;
  readonly isFlow: boolean;
}

function findMark(source: Source): Found | undefined {
  const tree = readLooseTree(source);
  if (!tree) {
    // Nothing but one word: the first key of the file.
    return source.text
      .replace(MARK, '')
      .replace(/^\s*(?:#.*)?$/gm, '')
      .replaceAll(':', '')
      .trim() === ''
      ? { at: [], isKey: true, isFlow: false }
      : undefined;
  }
  return find(tree, [], source.text);
}

function find(node: Node, at: Way, text: string): Found | undefined {
  switch (node.is) {
    case 'map':
      return findInMap(node, at, text);
    case 'list':
      for (const [index, item] of node.items.entries()) {
        const found = find(item, [...at, index], text);
        if (found) return found;
      }
      return undefined;
    case 'scalar':
      return typeof node.value === 'string' && node.value.includes(MARK)
        ? { at, isKey: false, isFlow: false }
        : undefined;
  }
}

function findInMap(map: MapNode, at: Way, text: string): Found | undefined {
  for (const { name, value } of map.entries) {
    if (name === MARK) return { at, isKey: true, isFlow: text[map.at.start] === '{' };
    const found = find(value, [...at, name], text);
    if (found) return found;
  }
  return undefined;
}

/** The node at a place of the tree. */
export function nodeAt(root: Node, way: Way): Node | undefined {
  let node: Node | undefined = root;
  for (const part of way) {
    if (node?.is === 'map') node = node.entries.find(({ name }) => name === part)?.value;
    else if (node?.is === 'list' && typeof part === 'number') node = node.items[part];
    else return undefined;
  }
  return node;
}

/** The key or the value at an offset, and the way to it. */
export function placeAt(
  root: Node,
  offset: number,
): { readonly at: Way; readonly is: 'key' | 'value'; readonly span: Span; readonly node: Node } | undefined {
  const way: (string | number)[] = [];
  let node = root;
  for (;;) {
    if (node.is === 'scalar') return holds(node.at, offset) ? { at: way, is: 'value', span: node.at, node } : undefined;
    if (node.is === 'list') {
      const index = node.items.findIndex(item => holds(item.at, offset));
      if (index < 0) return undefined;
      way.push(index);
      node = node.items[index]!;
      continue;
    }
    const key = node.entries.find(({ nameAt }) => holds(nameAt, offset));
    if (key) return { at: [...way, key.name], is: 'key', span: key.nameAt, node: key.value };
    const entry = node.entries.find(({ value }) => holds(value.at, offset));
    if (!entry) return undefined;
    way.push(entry.name);
    node = entry.value;
  }
}

const holds = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

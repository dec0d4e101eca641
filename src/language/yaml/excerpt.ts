/**
 * A diagnostic as a person reads it: where, what, the line with a caret, then the secondary places.
 *
 *     film.yaml:7:14: error: step `final` reads `steps.shoot`, which no step provides; did you mean `shot`?
 *       7 |     each: ${{ steps.shoot }}
 *         |                     ^^^^^
 */

import type { Diagnostic, Source, Span } from '../../model/diagnostic.ts';
import { cellWidth } from '../../model/text/cells.ts';
import { visible } from '../../model/text/clean.ts';

interface ExcerptOptions {
  readonly color?: boolean;
}

/** Columns of the text beside the gutter: longer lines are cut around the caret. */
const WIDTH = 100;
const TAB = 4;
/** More than anybody reads; the rest is counted. */
const MOST = 200;

export function formatDiagnostic(diagnostic: Diagnostic, options: ExcerptOptions = {}): string {
  const paint = options.color ? colors : plain;
  const { source, span, severity } = diagnostic;
  const tint = severity === 'error' ? paint.red : severity === 'warning' ? paint.yellow : paint.blue;
  const gutter = gutterWidth(diagnostic);
  return [
    `${paint.bold(place(source, span))}: ${tint(`${severity}:`)} ${paint.bold(visible(diagnostic.message))}`,
    ...excerpt(source, span, gutter, tint, paint.dim),
    ...(diagnostic.notes ?? []).flatMap(note => [
      `${' '.repeat(gutter + 1)}${paint.dim(`note: ${place(note.source ?? source, note.span)}:`)} ${visible(note.message)}`,
      ...excerpt(note.source ?? source, note.span, gutter, paint.dim, paint.dim),
    ]),
  ].join('\n');
}

/** All of them in the order of the text, a blank line between two, and the count as the last line. Empty for an empty list. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: ExcerptOptions = {}): string {
  if (diagnostics.length === 0) return '';
  const sorted = [...diagnostics].sort(
    (a, b) => compare(a.source.path, b.source.path) || a.span.start - b.span.start || a.span.end - b.span.end,
  );
  const count = (['error', 'warning', 'hint'] as const)
    .map(severity => ({ severity, many: diagnostics.filter(one => one.severity === severity).length }))
    .filter(({ many }) => many > 0)
    .map(({ severity, many }) => counted(many, severity))
    .join(', ');
  const shown = sorted.slice(0, MOST).map(diagnostic => formatDiagnostic(diagnostic, options));
  if (sorted.length > MOST) shown.push(`… and ${sorted.length - MOST} more`);
  return `${shown.join('\n\n')}\n\n${count}`;
}

/** Line and column, both counted from 1; columns count characters as a reader does, not UTF-16 units. */
export function position(source: Source, offset: number): { readonly line: number; readonly column: number } {
  const { line, start } = lineAt(source, offset);
  let column = 1;
  for (let i = start; i < Math.min(offset, source.text.length); i++)
    if (!isSecondHalf(source.text, i) && source.text[i] !== '\ufeff') column++;
  return { line, column };
}

/** The second of the two units of a character beyond the first 65,536. */
const isSecondHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function place(source: Source, span: Span): string {
  const { line, column } = position(source, span.start);
  return `${visible(source.path)}:${line}:${column}`;
}

function gutterWidth(diagnostic: Diagnostic): number {
  const lines = [diagnostic, ...(diagnostic.notes ?? [])].map(
    ({ source = diagnostic.source, span }) => lineAt(source, span.start).line,
  );
  const last = Math.max(...lines);
  return Math.max(3, String(last).length + 1);
}

type Paint = (text: string) => string;

function excerpt(source: Source, span: Span, gutter: number, caret: Paint, dim: Paint): string[] {
  const { line, start, end } = lineAt(source, span.start);
  // Only the neighbourhood of the place is looked at: a line may be megabytes long.
  let left = Math.max(start, span.start - 4 * WIDTH);
  if (isSecondHalf(source.text, left)) left++;
  const text = source.text.slice(left, Math.min(end, Math.max(left, span.start) + 8 * WIDTH)).replace(/^\ufeff/, '');
  const hidden = left + (source.text[left] === '\ufeff' ? 1 : 0);
  const from = Math.max(0, span.start - hidden);
  const to = Math.min(text.length, Math.max(from, span.end - hidden));
  const shown = clip(cells(text, from, to), left > start);
  const numbered = `${String(line).padStart(gutter)} |`;
  const empty = `${' '.repeat(gutter)} |`;
  return [
    `${dim(numbered)} ${shown.text}`.trimEnd(),
    `${dim(empty)} ${' '.repeat(shown.from)}${caret('^'.repeat(Math.max(1, shown.to - shown.from)))}`,
  ];
}

interface Cells {
  readonly cells: readonly { readonly text: string; readonly width: number }[];
  /** The marked range, in indices of `cells`. */
  readonly from: number;
  readonly to: number;
}

/** The line in terminal cells: tabs become blanks, wide characters count twice, what would move the cursor is made visible. */
function cells(text: string, from: number, to: number): Cells {
  const list: { text: string; width: number }[] = [];
  let offset = 0;
  let column = 0;
  let first = -1;
  let last = -1;
  for (const character of text) {
    if (offset >= from && first < 0) first = list.length;
    if (offset >= to && last < 0) last = list.length;
    const shown = character === '\t' ? ' '.repeat(TAB - (column % TAB)) : visible(character);
    const width = character === '\t' ? shown.length : cellWidth(shown);
    list.push({ text: shown, width });
    column += width;
    offset += character.length;
  }
  return { cells: list, from: first < 0 ? list.length : first, to: last < 0 ? list.length : last };
}

function clip(line: Cells, cutBefore: boolean): { readonly text: string; readonly from: number; readonly to: number } {
  const total = line.cells.reduce((sum, cell) => sum + cell.width, 0);
  let first = 0;
  let last = line.cells.length;
  if (total > WIDTH || cutBefore) {
    first = line.from;
    for (let room = 30; first > 0 && room > 0; first--) room -= line.cells[first - 1]!.width;
    last = first;
    for (let room = WIDTH - 2; last < line.cells.length && room > 0; last++) room -= line.cells[last]!.width;
  }
  const before = first > 0 ? '…' : '';
  const after = last < line.cells.length ? '…' : '';
  const width = (from: number, to: number) => line.cells.slice(from, to).reduce((sum, cell) => sum + cell.width, 0);
  const from = before.length + width(first, Math.min(line.from, last));
  return {
    text: `${before}${line.cells
      .slice(first, last)
      .map(cell => cell.text)
      .join('')}${after}`,
    from,
    to: from + width(Math.min(line.from, last), Math.min(line.to, last)),
  };
}

const lineStarts = new WeakMap<Source, readonly number[]>();

function startsOf(source: Source): readonly number[] {
  const known = lineStarts.get(source);
  if (known) return known;
  const starts = [0];
  for (let next = source.text.indexOf('\n'); next >= 0; next = source.text.indexOf('\n', next + 1))
    starts.push(next + 1);
  lineStarts.set(source, starts);
  return starts;
}

/** The line of an offset, from 1, and the offsets of its first character and behind its last. */
export function lineAt(
  source: Source,
  offset: number,
): { readonly line: number; readonly start: number; readonly end: number } {
  const starts = startsOf(source);
  const at = Math.min(offset, source.text.length);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  const start = starts[low]!;
  let end = low + 1 < starts.length ? starts[low + 1]! - 1 : source.text.length;
  if (end > start && source.text[end - 1] === '\r') end--;
  return { line: low + 1, start, end };
}

const plain = { red: same, yellow: same, blue: same, bold: same, dim: same };
const colors = { red: sgr(31), yellow: sgr(33), blue: sgr(34), bold: sgr(1), dim: sgr(2) };
function same(text: string): string {
  return text;
}
function sgr(code: number): Paint {
  return text => `\u001b[${code}m${text}\u001b[0m`;
}

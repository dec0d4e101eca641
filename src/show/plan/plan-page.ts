/** The layout of a plan's text: two ends of a line, lines filled up, colours, numbers. Every line stays within the width. */

import type { Decision } from '../../model/plan.ts';
import type { StepName } from '../../model/run/key.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd, padStart } from '../../model/text/cells.ts';
import { number } from '../../model/text/format.ts';

export interface Page {
  readonly width: number;
  /** Cells of the column with the bases of prices. */
  readonly basis: number;
  /** Nothing is billed. */
  readonly isFree: boolean;
  /** Lists of values that were shown, and the step that showed each first. */
  readonly variants: Map<string, StepName>;
  readonly paint: Readonly<Record<'bold' | 'dim' | Decision['is'], (text: string) => string>>;
}

/** A decision as it is read. */
const inWords = (is: Decision['is'] | 'open'): string => is.replace('_', ' ');

/** `12 hit, 3 run, 1 left out`: how many instances there are of each, and how many open steps. */
export const countsText = (counts: { readonly [is in Decision['is'] | 'open']?: number }): string =>
  (['hit', 'fetch', 'sent', 'run', 'maybe', 'skip', 'left_out', 'open'] as const)
    .flatMap(is => (counts[is] ? [`${number(counts[is])} ${inWords(is)}`] : []))
    .join(', ');

/** A reason without the coordinates of the instances it names: `waits for shot[beat=3]` → `waits for shot`. */
export const withoutCoordinates = (text: string): string =>
  text.replaceAll(/(?<=[\w-])\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]/g, '');

/** Below the status: `maybe  `. */
export const INDENT = ' '.repeat(7);

/** The column of the status holds six letters. */
const SHORT: { readonly [is in Decision['is']]?: string } = { left_out: 'out' };

/** Cells; below that the prices of all rows do not stand in one column. */
const NARROW = 60;

/** `run    shot[seed=11]  never run            $0.60  6 s × $0.10`; whatever does not fit moves to a second line. */
export function heading(
  page: Page,
  { is }: Pick<Decision, 'is'>,
  key: string,
  why: string,
  inColumn: string,
): string[] {
  const { width, paint } = page;
  const room = width - INDENT.length;
  const name = clipMiddle(key, room);
  // On a narrow terminal a price gives up its column before it takes a line of its own.
  const money = width < NARROW ? inColumn.trimEnd() : inColumn;
  const word = SHORT[is] ?? is;
  const status = paint[is](word) + ' '.repeat(INDENT.length - word.length);
  const left = room - cellWidth(name) - (money === '' ? 0 : cellWidth(money) + 2);
  if (cellWidth(why) + 2 <= left)
    return [`${status}${paint.bold(name)}  ${justified(why, money, room - cellWidth(name) - 2, paint.dim)}`];
  if (left >= 0)
    return [`${status}${justified(name, money, room, paint.bold)}`, `${INDENT}${paint.dim(clipEnd(why, room))}`];
  const title = `${status}${paint.bold(name)}`;
  if (cellWidth(why) + cellWidth(money) + 2 <= room)
    return [title, `${INDENT}${justified(why, money, room, paint.dim)}`];
  return [title, `${INDENT}${paint.dim(clipEnd(why, room))}`, `${INDENT}${justified('', money, room, paint.dim)}`];
}

/** One at the left end, one at the right. */
function justified(left: string, right: string, room: number, paint: (text: string) => string): string {
  const clipped = right === '' ? clipEnd(left, room) : clipEnd(left, room - cellWidth(right) - 2);
  return `${paint(clipped)}${' '.repeat(Math.max(0, room - cellWidth(clipped) - cellWidth(right)))}${right}`.trimEnd();
}

/** As many on a line as fit; each is short enough for a line of its own. */
export function wrapped(chunks: readonly string[], separator: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const chunk of chunks) {
    const joined = `${lines.at(-1)}${separator}${chunk}`;
    if (lines.length > 0 && cellWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(chunk);
  }
  return lines;
}

/** Columns side by side, numbers at the right of theirs; where there is no room for that, `dollars: spent $1.50, limit $4.00` of each row. */
export function aligned(rows: readonly (readonly string[])[], room: number): readonly string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map(row => cellWidth(row[column] ?? ''))));
  if (widths.reduce((sum, width) => sum + width + 2, -2) <= room)
    return rows.map(row =>
      row
        .map((cell, column) => (column === 0 ? padEnd : padStart)(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  return rows
    .slice(1)
    .flatMap(([name = '', ...cells]) =>
      wrapped(
        [`${name}:`, ...cells.map((cell, at) => `${head[at + 1]} ${cell}${at < cells.length - 1 ? ',' : ''}`)],
        ' ',
        room,
      ),
    );
}

export const paintFor = (color: boolean): Page['paint'] => (color ? colors : plain);

const same = (text: string): string => text;
const plain: Page['paint'] = {
  ...{ bold: same, dim: same },
  ...{ hit: same, fetch: same, sent: same, run: same, maybe: same, skip: same, left_out: same },
};
const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`;
const colors: Page['paint'] = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  hit: sgr(32, 39),
  fetch: sgr(34, 39),
  sent: sgr(35, 39),
  run: sgr(36, 39),
  maybe: sgr(33, 39),
  skip: sgr(90, 39),
  left_out: sgr(90, 39),
};

/** Lines for the scroll-back: one for each instance or group that ended, and the summary at the end. Pure. */
import { cellWidth } from '../domain/cells.ts';
import type { RunView, Settled } from '../records/views/run-view.ts';
import { openingLine } from '../telling/opening-and-outcome.ts';
import type { PlainWords } from '../telling/plain-lines.ts';
import { type SummaryLine, summaryLines } from '../telling/summary.ts';
import { columnsFor } from './columns.ts';
import { type Line, text, wrapped } from './line.ts';
import { endedRow, groupRow } from './rows.ts';

/** @param from index of the first entry of `run.settled` that the scroll-back does not hold yet. */
export const pastLines = (run: RunView, from: number, columns: number, words: PlainWords): readonly Line[] =>
  run.settled.slice(from).flatMap((entry, index) => {
    const isFirstRow = ROWS.has(entry.is) && run.settled[from + index - 1]?.is === 'started';
    return [...(isFirstRow ? [[]] : []), ...entryLines(run, entry, columns, words)];
  });

const ROWS: ReadonlySet<Settled['is']> = new Set(['instance', 'group']);

function entryLines(run: RunView, entry: Settled, columns: number, words: PlainWords): readonly Line[] {
  switch (entry.is) {
    case 'started':
      return [[], ...wrapped(openingLine(run), columns, 2, 'strong')];
    case 'instance':
      return [endedRow(entry.instance, columnsFor(run, columns))];
    case 'group':
      return [groupRow(entry, columnsFor(run, columns))];
    case 'finished':
      return summary(run, columns, words);
  }
}

function summary(run: RunView, columns: number, { command, film }: PlainWords): readonly Line[] {
  const lines: Line[] = [[]];
  let before: SummaryLine['role'] = 'outcome';
  for (const { role, text: words } of summaryLines(run, command, 'at length', film)) {
    if (role !== before && PARAGRAPH.has(role)) lines.push([]);
    if (role === 'outcome')
      lines.push(...wrapped(words, columns, 2, run.finished?.outcome === 'done' ? 'accent' : 'strong'));
    else if (role === 'failed') lines.push([text('  '), text('✗ ', 'alarm'), text(words, 'strong')]);
    else if (role === 'output') lines.push(outputLine(words));
    else if (role === 'command') lines.push([text('  '), text(words, 'accent')]);
    else if (role === 'log') lines.push(...outputLines(words, columns));
    else lines.push(...wrapped(words, columns, role === 'detail' ? 4 : 2, 'plain'));
    before = role;
  }
  return lines;
}

/** Roles that begin a new paragraph. */
const PARAGRAPH: ReadonlySet<SummaryLine['role']> = new Set(['output', 'failed', 'next']);

/** A line of a command's output is kept as written where it fits. */
const outputLines = (words: string, columns: number): readonly Line[] =>
  cellWidth(words) + LOG_INDENT < columns
    ? [[text(' '.repeat(LOG_INDENT) + words, 'quiet')]]
    : wrapped(words, columns, LOG_INDENT, 'quiet');
const LOG_INDENT = 6;

/** A path is never clipped or wrapped, so that it can be clicked and copied. */
function outputLine(words: string): Line {
  const [path = '', facts = ''] = words.split('  ');
  return [text('  '), text(path, 'strong'), ...(cellWidth(facts) > 0 ? [text(`  ${facts}`, 'quiet')] : [])];
}

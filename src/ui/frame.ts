/**
 * What the terminal shows: a pure function of what is known of the run, the time and the terminal's size.
 *
 * Above, in the scroll-back, what is over: one line each, written once. Below it the live part, drawn again and again: a rule with the
 * film's name, what is under way, what comes next as far as there is room, and a line of counts. The live part is never taller than
 * the terminal less one row: a taller one makes the terminal scroll, flicker, and costs ten times the bytes.
 */
import { cellWidth, clipEnd } from '../domain/cells.ts';
import { heldText } from '../telling/held-back.ts';
import type { LimitsTold } from '../telling/limit-text.ts';
import { openingLine } from '../telling/opening-and-outcome.ts';
import type { RunView, Settled } from '../telling/run-view.ts';
import { type SummaryLine, summaryLines } from '../telling/summary.ts';
import type { Browsing } from './browsing.ts';
import { columnsFor } from './columns.ts';
import { footer, header } from './frame-edges.ts';
import { type AboutInstance, instanceLines, PICTURE_ROW } from './instance-in-full.ts';
import { instanceList } from './instance-list.ts';
import { keyLines } from './key-help.ts';
import { clipped, type Line, text, wrapped } from './line.ts';
import { overviewLines } from './overview.ts';
import type { PictureRoom } from './picture-beside.ts';
import { type PromptShown, promptLines } from './prompt-lines.ts';
import { endedRow, groupRow } from './rows.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Frame {
  /** New lines for the scroll-back. */
  readonly past: readonly Line[];
  /** At most `rows − 1` lines; none once the run is over. */
  readonly live: readonly Line[];
  /** Where the picture goes that was given; absent: it has no place here. */
  readonly picture?: { readonly row: number; readonly column: number };
}

export interface Beside {
  /** How many entries of `run.settled` the scroll-back holds already. */
  readonly from?: number;
  /** Runs this film again. */
  readonly command?: string | undefined;
  /** Options that say which film is meant, as they are typed. */
  readonly film?: string | undefined;
  /** What a person is asked at this moment. */
  readonly prompt?: PromptShown | undefined;
  /** Where the person at the keyboard is; absent: nobody is there. */
  readonly browsing?: Browsing | undefined;
  /** How much is done at once, as the settings have it. */
  readonly limits?: LimitsTold | undefined;
  /** The command that decides what waits for a person, as it is typed. */
  readonly deciding?: string | undefined;
  /** It is carried out elsewhere, and goes on when nobody looks. */
  readonly elsewhere?: true | undefined;
  /** What is known of an instance beside its events. */
  readonly about?: AboutInstance | undefined;
  /** Cells of the picture beside the instance that is looked at. */
  readonly picture?: PictureRoom | undefined;
}

export function frameOf(run: RunView, now: number, size: Size, beside: Beside = {}): Frame {
  const { from = 0, command, film } = beside;
  const past = run.settled.slice(from).flatMap((entry, index) => {
    const isFirstRow = ROWS.has(entry.is) && run.settled[from + index - 1]?.is === 'started';
    return [...(isFirstRow ? [[]] : []), ...pastLines(run, entry, size.columns, { command, film })];
  });
  if (run.startedAt === 0 || run.finished !== null) return { past, live: [] };
  const live = viewLines(run, now, size, beside).map(line => clipped(line, Math.max(1, size.columns - 1)));
  const { picture } = beside;
  const hasPicture = picture !== undefined && overOf(beside)?.is === 'one';
  return {
    ...{ past, live },
    ...(hasPicture && { picture: { row: PICTURE_ROW, column: size.columns - 1 - picture.columns } }),
  };
}

const ROWS: ReadonlySet<Settled['is']> = new Set(['instance', 'group']);

function pastLines(
  run: RunView,
  entry: Settled,
  columns: number,
  words: Pick<Beside, 'command' | 'film'>,
): readonly Line[] {
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

/** Over the live part lies what a person looks at; a question goes before it. */
const overOf = ({ prompt, browsing }: Beside) => (prompt === undefined ? browsing?.over : undefined);

function viewLines(run: RunView, now: number, size: Size, beside: Beside): readonly Line[] {
  const over = overOf(beside);
  const room = { columns: size.columns, lines: Math.max(1, size.rows - 1) };
  switch (over?.is) {
    case undefined:
      return liveLines(run, now, size, beside);
    case 'help':
      return keyLines(room);
    case 'list':
      return instanceList(run, over.at, now, room);
    case 'one':
      return instanceLines(run, over, now, { ...room, about: beside.about, picture: beside.picture });
  }
}

function liveLines(run: RunView, now: number, { columns, rows }: Size, beside: Beside): readonly Line[] {
  const whole = Math.max(1, rows - 1);
  const { prompt: question, browsing, limits, deciding, elsewhere } = beside;
  const hasKeys = browsing !== undefined;
  const layout = columnsFor(run, columns);
  // Two thirds are for the question, and all but a line where that leaves nothing to see.
  const forPrompt = whole < 10 ? whole - 1 : Math.max(8, Math.floor((whole * 2) / 3));
  const asked = question ? promptLines(question, { columns, lines: forPrompt - 1 }) : [];
  const prompt = asked.length > 0 ? [...asked, []] : [];
  const room = Math.max(1, Math.min(whole, tallest(rows)) - prompt.length);
  // Air around the rows is the first thing to go when the terminal is low.
  const air = room >= 10;
  const bottom = footer(run, layout, {
    ...{ columns, browsing: question ? undefined : browsing, isTall: air, elsewhere },
  });
  const held = heldText(run, now);
  const notice = held === null ? [] : [[text('  '), text(clipEnd(held, layout.width - 2), 'accent')]];
  if (browsing?.mode === 'stream') return [...prompt, ...notice, ...bottom].slice(-whole);
  if (room < 4) return [...prompt, ...bottom].slice(-whole);
  const forRows = room - (air ? 4 : 1) - bottom.length - notice.length;
  const lines = overviewLines(run, now, { columns, lines: forRows, limits, hasKeys, deciding });
  const top = header(run, now, layout);
  return air
    ? [[], top, [], ...lines, ...(lines.length > 0 ? [[]] : []), ...prompt, ...notice, ...bottom]
    : [top, ...lines, ...prompt, ...notice, ...bottom];
}

/**
 * Lines of the live part, at most: a terminal that is made narrower breaks those that are too wide for it, and what does not fit any more
 * is in the scroll-back before anybody can take it away.
 */
const tallest = (rows: number): number => Math.max(12, Math.floor(rows * 0.75));

function summary(run: RunView, columns: number, { command, film }: Pick<Beside, 'command' | 'film'>): readonly Line[] {
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

/** A line of a command's output stands as it was written, as long as there is room for it. */
const outputLines = (words: string, columns: number): readonly Line[] =>
  cellWidth(words) + LOG_INDENT < columns
    ? [[text(' '.repeat(LOG_INDENT) + words, 'quiet')]]
    : wrapped(words, columns, LOG_INDENT, 'quiet');
const LOG_INDENT = 6;

/** Like a command, a path is never clipped or broken by us: it is there to be clicked and copied. */
function outputLine(words: string): Line {
  const [path = '', facts = ''] = words.split('  ');
  return [text('  '), text(path, 'strong'), ...(cellWidth(facts) > 0 ? [text(`  ${facts}`, 'quiet')] : [])];
}

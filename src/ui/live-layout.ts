/** What the live part is made of, and what of it there is room for: never more rows than the terminal has, less one. Pure. */
import { clipEnd } from '../domain/cells.ts';
import type { RunView } from '../records/views/run-view.ts';
import { heldText } from '../telling/held-back.ts';
import { waitAfterEndText } from '../telling/state-text.ts';
import type { LimitsTold } from '../telling/step-tally.ts';
import type { Browsing } from './browsing.ts';
import { columnsFor } from './columns.ts';
import { footer, header } from './frame-edges.ts';
import { type Line, text } from './line.ts';
import { type OverviewRow, overviewRows } from './overview.ts';
import { type PromptShown, promptLines } from './prompt-lines.ts';

/** Of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface LivePartShown {
  readonly run: RunView;
  /** Unix milliseconds. */
  readonly now: number;
  readonly size: Size;
  readonly question?: PromptShown | undefined;
  /** Where the person is; absent where the run is not interactive. */
  readonly browsing?: Browsing | undefined;
  readonly limits?: LimitsTold | undefined;
  readonly deciding?: string | undefined;
  readonly elsewhere?: true | undefined;
}

export interface LiveLayout {
  /** Blank rows are the first to go on a low terminal. */
  readonly isAiry: boolean;
  /** Absent where there is room for the question and the counts alone. */
  readonly above?: { readonly header: Line; readonly rows: readonly OverviewRow[] };
  readonly question: readonly Line[];
  /** What holds requests back, or what the run waits for when an instance is over. */
  readonly notice: readonly Line[];
  readonly counts: readonly Line[];
}

export function liveLayout(shown: LivePartShown): LiveLayout {
  const { run, now, size, question, browsing, limits, deciding, elsewhere } = shown;
  const { columns, rows } = size;
  const whole = Math.max(1, rows - 1);
  const layout = columnsFor(run, columns);
  const asked = question ? promptLines(question, { columns, lines: roomOfQuestion(whole) - 1 }) : [];
  const room = Math.max(1, Math.min(whole, tallest(rows)) - (asked.length > 0 ? asked.length + 1 : 0));
  const isAiry = room >= 10;
  const counts = footer(run, layout, {
    ...{ columns, browsing: question ? undefined : browsing, isTall: isAiry, elsewhere },
  });
  const held = heldText(run, now) ?? waitAfterEndText(run, now);
  const notice: readonly Line[] = held === null ? [] : [[text('  '), text(clipEnd(held, layout.width - 2), 'accent')]];
  const isLow = room < 4;
  const below = { isAiry, question: asked, notice: isLow ? [] : notice, counts };
  if (isLow || browsing?.mode === 'stream') return lowest(below, whole);
  const lines = room - (isAiry ? 4 : 1) - counts.length - notice.length;
  const overview = overviewRows(run, now, { columns, lines, limits, hasKeys: browsing !== undefined, deciding });
  return { ...below, above: { header: header(run, now, layout), rows: overview } };
}

/** The counts come first, then what holds requests back, then the end of the question. */
function lowest(below: LiveLayout, whole: number): LiveLayout {
  const notice = below.notice.slice(0, Math.max(0, whole - below.counts.length));
  const left = whole - below.counts.length - notice.length - 1;
  return { ...below, notice, question: left > 0 ? below.question.slice(-left) : [] };
}

/** Two thirds of the rows, or all but one where that would leave nothing to see. */
const roomOfQuestion = (rows: number): number => (rows < 10 ? rows - 1 : Math.max(8, Math.floor((rows * 2) / 3)));

/** A terminal that is made narrower wraps lines: what does not fit then is in the scroll-back, and cannot be erased. */
const tallest = (rows: number): number => Math.max(12, Math.floor(rows * 0.75));

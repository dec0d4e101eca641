/** What the live part is made of, and what of it there is room for: never more rows than the terminal has, less one. Pure. */
import { clipEnd } from '../../model/text/cells.ts';
import { phase } from '../../records/views/instance-state.ts';
import { couldStart, type InstanceView, type RunView } from '../../records/views/run-view.ts';
import { heldText } from '../text/held-requests-text.ts';
import { waitAfterEndText } from '../text/state-text.ts';
import { isOpen, type LimitsShown, placesTaken, type StepTally, stepTallies } from '../text/step-tally.ts';
import type { Browsing } from './browsing.ts';
import { columnsFor, isNarrow, MARGIN } from './columns.ts';
import { type FoldContext, foldColumns, foldNote, foldRow, narrowInstance } from './fold-row.ts';
import { type Line, text, wrapped } from './line.ts';
import { footer, header } from './pictures/frame-edges.ts';
import { type PromptShown, promptLines } from './prompts/prompt-lines.ts';
import { liveRow } from './rows.ts';

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
  readonly limits?: LimitsShown | undefined;
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

interface OverviewRoom {
  /** Of the terminal. */
  readonly columns: number;
  /** Rows that there are. */
  readonly lines: number;
  readonly limits?: LimitsShown | undefined;
  readonly hasKeys: boolean;
  readonly deciding?: string | undefined;
}

/** A step of more instances is always one row. */
const FEW = 4;

type Entry = { readonly rank: number; readonly instances: readonly InstanceView[] } & (
  | { readonly is: 'step'; readonly tally: StepTally }
  | { readonly is: 'instance' }
);

/** A step of many instances, an instance, or what has no room, with the lines below it. */
interface OverviewRow {
  /** By which it is the same row in the next frame. */
  readonly key: string;
  readonly lines: readonly Line[];
}

function overviewRows(run: RunView, now: number, room: OverviewRoom): readonly OverviewRow[] {
  const { columns, lines: most, limits, hasKeys, deciding } = room;
  const open = stepTallies(run).filter(isOpen);
  const entries = entriesFor(run, open, most);
  const shown = entries.length <= most ? entries : entries.slice(0, Math.max(0, most - 1));
  const hidden = entries.slice(shown.length).flatMap(({ instances }) => instances);
  const layout = columnsFor(run, columns);
  const folds = foldColumns(
    run,
    shown.flatMap(entry => (entry.is === 'step' ? [entry.tally] : [])),
    layout,
  );
  const context: FoldContext = { run, now, layout, columns, limits, hasKeys, deciding, folds, taken: placesTaken(run) };
  // The room that is left is for what holds a step back, and for texts while they are written.
  let spare = most - shown.length - (hidden.length > 0 ? 1 : 0);
  const rows = shown.map((entry): OverviewRow => {
    const [row, more] =
      entry.is === 'step' ? foldLines(entry.tally, context) : instanceLines(run, entry.instances[0], context);
    const kept = more.slice(0, Math.max(0, spare));
    spare -= kept.length;
    return { key: entry.is === 'step' ? entry.tally.step : (entry.instances[0]?.key ?? ''), lines: [row, ...kept] };
  });
  if (hidden.length === 0) return rows;
  return most < 1 ? [] : [...rows, { key: '…', lines: [rest(hidden)] }];
}

function foldLines(tally: StepTally, context: FoldContext): readonly [Line, readonly Line[]] {
  const { run, now, columns } = context;
  if (!isNarrow(columns)) return [foldRow(tally, context), foldNote(tally, context)];
  const going = tally.instances.filter(({ state }) => phase(state) === 'under-way').slice(0, 2);
  return [foldRow(tally, context), going.map(one => narrowInstance(run, one, now, columns))];
}

function instanceLines(
  run: RunView,
  instance: InstanceView | undefined,
  { now, layout }: FoldContext,
): readonly [Line, readonly Line[]] {
  if (instance === undefined) throw new Error('an entry holds at least one instance');
  return [liveRow(run, instance, now, layout), writtenLines(instance, layout.width)];
}

/** Lines of a text that is being written, at most. */
const WRITTEN_LINES = 3;
/** Behind the mark: a text belongs to the row above it. */
const INDENT = MARGIN + 2;

/** The last lines of a growing text. */
const writtenLines = ({ state }: InstanceView, columns: number): readonly Line[] =>
  state.is === 'writing' ? wrapped(state.tail, columns, INDENT, 'quiet').slice(-WRITTEN_LINES) : [];

/** Under way first, then what could start now, then what waits; each in the order of the plan, so that rows stay where they are. */
function entriesFor(run: RunView, open: readonly StepTally[], most: number): readonly Entry[] {
  const oneByOne = open.flatMap(tally => entriesOf(run, tally, FEW));
  const entries = oneByOne.length <= most ? oneByOne : open.flatMap(tally => entriesOf(run, tally, 1));
  return entries.toSorted((a, b) => a.rank - b.rank);
}

function entriesOf(run: RunView, tally: StepTally, few: number): readonly Entry[] {
  const going = tally.instances.filter(({ state }) => phase(state) !== 'over');
  if (tally.instances.length > few) return [{ is: 'step', tally, rank: rankOf(tally), instances: going }];
  return going.map((one): Entry => ({ is: 'instance', rank: rankOfInstance(run, one), instances: [one] }));
}

const rankOf = ({ atWork, queued, asking, next, retrying, overBudget }: StepTally): number =>
  atWork + queued + asking > 0 ? 0 : next + retrying + overBudget > 0 ? 1 : 2;

const rankOfInstance = (run: RunView, instance: InstanceView): number =>
  phase(instance.state) === 'under-way' ? 0 : couldStart(run, instance) ? 1 : 2;

function rest(hidden: readonly InstanceView[]): Line {
  const running = hidden.filter(({ state }) => phase(state) === 'under-way').length;
  const waiting = hidden.length - running;
  const parts = [
    ...(running > 0 ? [`${running} more under way`] : []),
    ...(waiting > 0 ? [`${waiting} more waiting`] : []),
  ];
  return [text(`    … ${parts.join(', ')}`, 'quiet')];
}

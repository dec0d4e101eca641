/** What a run is doing, step by step, in as many rows as there are: steps of many instances in one row each, the others one by one. */
import { phase } from '../records/views/instance-state.ts';
import { couldStart, type InstanceView, type RunView } from '../records/views/run-view.ts';
import { isOpen, type LimitsTold, placesTaken, type StepTally, stepTallies } from '../telling/step-tally.ts';
import { columnsFor, isNarrow, MARGIN } from './columns.ts';
import { type FoldContext, foldColumns, foldNote, foldRow, narrowInstance } from './fold-row.ts';
import { type Line, text, wrapped } from './line.ts';
import { liveRow } from './rows.ts';

interface OverviewRoom {
  /** Of the terminal. */
  readonly columns: number;
  /** Rows that there are. */
  readonly lines: number;
  readonly limits?: LimitsTold | undefined;
  readonly hasKeys: boolean;
  readonly deciding?: string | undefined;
}

/** A step of more instances is always told in one row. */
const FEW = 4;

type Entry = { readonly rank: number; readonly instances: readonly InstanceView[] } & (
  | { readonly is: 'step'; readonly tally: StepTally }
  | { readonly is: 'instance' }
);

/** A step of many instances, an instance, or what has no room, with what is said below it. */
export interface OverviewRow {
  /** By which it is the same row in the next frame. */
  readonly key: string;
  readonly lines: readonly Line[];
}

export function overviewRows(run: RunView, now: number, room: OverviewRoom): readonly OverviewRow[] {
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

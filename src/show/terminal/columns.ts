/**
 * How wide each column is. It depends on the plan and the terminal alone, never on what happens, so that finished rows in the
 * scroll-back and live rows stay aligned for a whole run.
 */
import { isFree } from '../../model/run/run-money.ts';
import { measuresOf, type RunView } from '../../records/views/run-view.ts';

export interface Columns {
  /** Of the whole table; a very wide terminal is not filled: the eye should not have to travel. */
  readonly width: number;
  readonly label: number;
  /** 0 where there is no room for it; likewise `money`. */
  readonly model: number;
  readonly detail: number;
  readonly bar: number;
  readonly time: number;
  readonly money: number;
}

/** Two blanks, a mark, a blank. */
export const MARGIN = 4;
export const GAP = 2;

/** A terminal with less room for a row than this many cells keeps the distinct part of names, the money and the way out. */
const NARROW = 48;
export const isNarrow = (terminal: number): boolean => terminal - 1 < NARROW;

export function columnsFor(run: Pick<RunView, 'measured' | 'instances' | 'service'>, terminal: number): Columns {
  const { widest } = measuresOf(run);
  const room = Math.max(20, terminal - 1);
  // A dollar figure in a row reads like money spent: where nothing is, none is shown.
  const money = isNarrow(terminal) || isFree(run) ? 0 : 8;
  const model = room >= 64 ? Math.min(widest.model, 16) : 0;
  const time = 7;
  const right = GAP + time + (money > 0 ? GAP + money : 0);
  const left = (label: number) => MARGIN + label + GAP + (model > 0 ? model + GAP : 0);
  // The label gets what it needs up to two fifths; the words beside it what is left, up to a comfortable line. Where there is little room,
  // the name comes first.
  const words = isNarrow(terminal) ? 9 : 16;
  const longest = isNarrow(terminal) ? widest.short : widest.label;
  const label = Math.max(6, Math.min(longest, Math.floor(room * 0.4), room - left(0) - right - words));
  const detail = Math.max(8, Math.min(60, room - left(label) - right));
  const bar = detail >= 40 ? 20 : detail >= 26 ? 10 : Math.max(2, Math.min(8, detail - 5));
  return { width: left(label) + detail + right, label, model, detail, bar, time, money };
}

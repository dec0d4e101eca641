/**
 * Which part of a film a run makes, as selectors (`selector.ts`). Without `steps`, `only`, `from` and `until` it is all of it.
 */
export interface Selection {
  /** These and what they need. */
  readonly steps: readonly string[];
  /** These and nothing else: what they need must be here already. */
  readonly only: readonly string[];
  /** These and everything behind them, with what those need. Together with `until`: what lies between. */
  readonly from: readonly string[];
  /** These and everything before them. */
  readonly until: readonly string[];
  /** Not these. */
  readonly exclude: readonly string[];
  /** These are made once more, though they are owned. */
  readonly redo: readonly string[];
  /** Unix milliseconds from which on they count as made once more: the run that was first asked for it may have ended before its time. */
  readonly redoneSince?: number;
}

export const NO_SELECTION: Selection = { steps: [], only: [], from: [], until: [], exclude: [], redo: [] };

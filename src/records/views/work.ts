/** The view of what was tried on this machine: attempts, and commands whose outcome was never recorded. */

export interface WorkView {
  /**
   * How often this film has tried this work again since it last came to an end, good or bad; `unfit`: answers that did not fit since
   * then. `until` (Unix milliseconds): before that the next attempt is not to begin.
   */
  attempts(fingerprint: string): Attempts;
  /** Whether an earlier run began this work, and ended before it knew the outcome. */
  wasCutOff(fingerprint: string): boolean;
  /**
   * The last time that some run of the project began the command with this fingerprint, where it acts outside and nobody knows
   * whether it was done: the run ended first, or the command did not end by itself.
   */
  actLeftOpen(fingerprint: string): ActLeftOpen | undefined;
}

export interface Attempts {
  readonly retried: number;
  readonly unfit: number;
  readonly until: number;
}

export interface ActLeftOpen {
  readonly film: string;
  /** Unix milliseconds of its beginning. */
  readonly at: number;
  /** No later run of that film has written anything. */
  readonly isNewest: boolean;
}

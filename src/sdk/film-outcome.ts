/** The results of a film for a program: before it is run, while it runs, and at the end. */
import type { Counts, RecordedEvent, RunOutcome } from '../model/run/event.ts';
import type { Result } from '../model/run/result.ts';
import type { RunMoney } from '../model/run/run-money.ts';
import type { JsonObject } from '../model/text/json.ts';
import type { Mistake } from './pipeline-source.ts';

export type PlannedFilm =
  | {
      readonly is: 'planned';
      /** What `shotlist plan --json` prints. */
      readonly plan: JsonObject;
      /** What `shotlist plan` prints. */
      readonly text: string;
      readonly warnings: readonly Mistake[];
    }
  | { readonly is: 'mistaken'; readonly mistakes: readonly Mistake[] }
  /** The service does not give its models and prices. */
  | { readonly is: 'unreachable'; readonly reason: string };

export type FilmOutcome =
  | (RunMoney & {
      /**
       * `unwritable`: the journal cannot be written. `frozen`: something would have been paid for. `budget`: something does not fit into a
       * budget, and was not sent; where that is certain beforehand, nothing is begun. `waiting`: a person has to choose.
       */
      readonly is: RunOutcome;
      readonly counts: Counts;
      /** What each finished instance gave, by its key: `shot[seed=2]`. */
      readonly results: ReadonlyMap<string, { readonly fingerprint: string; readonly result: Result }>;
      /** Paths are relative to the project's folder. */
      readonly outputs: readonly {
        readonly is: 'written' | 'failed';
        readonly output: string;
        readonly path: string;
      }[];
      /** Why the run was given up. */
      readonly reason?: string;
      readonly warnings: readonly Mistake[];
      /** Why the lock is not up to date. */
      readonly lockProblem?: string;
    })
  /** Nothing was begun. */
  | { readonly is: 'mistaken'; readonly mistakes: readonly Mistake[] };

export interface FilmRun extends AsyncIterable<RecordedEvent> {
  /**
   * Resolves when nothing of the run is at work any more in this process. Rejects for what is wrong with this machine: another run of
   * the film, a journal that cannot be read, a full disk.
   */
  readonly outcome: Promise<FilmOutcome>;
  /** Starts nothing new and ends every wait; what is under way at the service goes on there, and the next run takes it up. */
  detach(): void;
}

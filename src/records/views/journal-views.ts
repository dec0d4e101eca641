/** The views of a journal: what a run, a report and a command read of the log. None of them writes. */
import type { ChargesView } from './charges.ts';
import type { Ledger } from './ledger.ts';
import type { Activation, durationsIn } from './models.ts';
import type { OwnedView } from './owned.ts';
import type { PastRunsView } from './past-runs.ts';
import type { SentView } from './sent.ts';
import type { WorkView } from './work.ts';

export interface JournalViews {
  /** Which film of the project. */
  readonly film: string;
  /**
   * Looks with all questions answered from one moment of the log: ten thousand are asked twice as fast. `look` writes nothing.
   * @param asked fingerprints that `look` will ask `owned` for: a journal may read them together. It may ask for others as well.
   */
  atOneMoment<T>(look: () => T, asked?: () => readonly string[]): T;
  /** Submissions of this film with results that are not owned yet, with all appended events applied. */
  readonly ledger: Ledger;
  readonly owned: OwnedView;
  readonly sent: SentView;
  readonly charges: ChargesView;
  readonly work: WorkView;
  readonly runs: PastRunsView;
  /** Custom models that this film's runs activated at this service and did not end, by model. */
  activations(service: string): ReadonlyMap<string, Activation>;
  /** Milliseconds that the newest finished generations of each model took, in all films: what the next ones are expected to take. */
  durations(): ReturnType<typeof durationsIn>;
}

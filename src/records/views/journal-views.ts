/** The views of a journal: what a run, a report and a command read of the log. None of them writes. */
import type { RecordedEvent } from '../../domain/event.ts';
import type { RunId } from '../../domain/key.ts';
import type { ChargesView } from './charges.ts';
import type { Ledger } from './ledger.ts';
import type { OwnedView } from './owned.ts';
import type { PastRunsView } from './past-runs.ts';
import type { SentView } from './sent.ts';
import type { WorkView } from './work.ts';

export interface JournalViews {
  /** Which film of the project. */
  readonly film: string;
  /** Submissions of this film whose results are not owned yet, with all appended events applied. */
  readonly ledger: Ledger;
  readonly owned: OwnedView;
  readonly sent: SentView;
  readonly charges: ChargesView;
  readonly work: WorkView;
  readonly runs: PastRunsView;
  /** Events of custom models that this film's runs brought up or ended, in order. */
  activations(): Iterable<{ readonly run: RunId; readonly event: RecordedEvent }>;
  /** Milliseconds each finished generation of each model took, newest 200: what the next ones are expected to take. */
  durations(): ReadonlyMap<string, readonly number[]>;
}

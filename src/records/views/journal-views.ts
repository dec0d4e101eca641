/** The views of a journal: what a run, a report and a command read of the log. None of them writes. */

import type { RecordedEvent, RunOutcome } from '../../model/run/event.ts';
import type { KeptPlan } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import type { Asked } from '../../model/run/result.ts';
import type { RunMoney } from '../../model/run/run-money.ts';
import type { ChargesView } from './charges.ts';
import type { Ledger, Submission } from './ledger.ts';
import type { Activation, durationsIn } from './model-durations.ts';
import type { OwnedView } from './owned.ts';
import type { SentView } from './sent-requests.ts';
import type { WorkView } from './work.ts';

export interface JournalViews {
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

export interface PastRun {
  readonly run: RunId;
  /** As the journal calls it: its profile is a part of that. */
  readonly film: string;
  readonly started: RecordedEvent & { readonly type: 'run_started' };
  /** Undefined: it goes on, or its process died. */
  readonly finished: (RunMoney & { readonly at: number; readonly outcome: RunOutcome }) | undefined;
  /** It was interrupted, and may have ended without another word. */
  readonly isDetached: boolean;
  /** Unix milliseconds of the last thing that was kept of it. */
  readonly last: number;
  /** No later run of the film, in the same profile, has left a trace. */
  readonly isNewest: boolean;
  /** Another process has taken the film since: a run that has not left a trace yet. */
  readonly isSuperseded: boolean;
}

/** Whole runs, for reports. No decision depends on it, so a damaged row is left out and counted. */
export interface PastRunsView {
  /** Newest first. @param profile `all`: of the film in whichever profile it was run; otherwise of just this one. */
  of(film: string, profile: 'all' | 'this'): readonly PastRun[];
  /** Films that have been run in this project, by the name that the journal has for them. */
  films(): readonly string[];
  /** What this film has sent and does not own yet, oldest first. */
  openOf(film: string): readonly Submission[];
  /** Instances that something was kept of in this run. */
  keysOf(run: RunId): readonly InstanceKey[];
  /** What instances were asked for the last time that they were made before that run. */
  askedBefore(run: RunId, film: string): (key: InstanceKey) => Asked | undefined;
  /** What the run was planned to do; undefined where nothing was kept, as in journals from before it was. */
  planOf(run: RunId): KeptPlan | undefined;
  /** The service a run was on; undefined for one that left no first word. */
  serviceOf(run: RunId): string | undefined;
}

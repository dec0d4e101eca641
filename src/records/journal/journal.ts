/**
 * The journal: the log of every event that means money or work done. A port: `local-journal.ts` keeps it in a file of this machine,
 * shared by all films of a project; a team's is in a database that many machines share (`team/journal/`).
 *
 * Appended events become durable in groups, a moment later; `durable` is awaited before acting on anything that must not be lost.
 * An event is shown only when it is durable: a listener is called with `durable` when everything appended so far is.
 */
import type { Event, EventType, RecordedEvent } from '../../model/run/event.ts';
import type { KeptPart } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import type { JournalViews } from '../views/journal-views.ts';

export interface Journal {
  /** What the log gives, with all appended events applied to the ledger. */
  readonly views: JournalViews;
  /** Unix milliseconds by the clock that events are dated by. */
  now(): number;
  /**
   * Applied to the ledger at once, durable with the next commit, at the latest a moment from now. An event without a number is numbered and
   * dated here. `plan`: parts of the run's plan that are kept with the first one; read when they are written, and once more where that failed.
   */
  append(run: RunId, events: readonly (Event | RecordedEvent)[], plan?: Iterable<KeptPart>): void;
  /** Resolves when everything appended so far is durable; rejects with a `JournalFailed`, and retries all of it next time. */
  durable(): Promise<void>;
  /** What was recorded of one run, or of one instance in it, in order. `damaged`: rows that cannot be read. */
  read(run: RunId, key?: InstanceKey): { readonly events: readonly RecordedEvent[]; readonly damaged: number };
  listen(listener: JournalListener): void;
  /** Appended events that are not durable yet, oldest first. */
  readonly pending: readonly RecordedEvent[];
  close(): Promise<void>;
}

export interface JournalListener {
  durable(): void;
  failed(failure: JournalFailed): void;
}

/** The journal cannot be written; the message names the cause and what to do. */
export class JournalFailed extends Error {}

/** A decision could not be kept, and nothing else is wrong: its caller takes back what it wrote, and may ask again. */
export class DecisionLost extends JournalFailed {}

/** Another process runs the film now: nothing more is written or sent from here, and nothing is ended, because that process goes on with it. */
export class Superseded extends JournalFailed {}

/**
 * Events that replay needs. The others are shown, and the service can be asked for them again; some of them are kept for later readers of the run
 * (`note` of the recorder).
 */
const JOURNALLED: Record<EventType, boolean> = {
  run_started: true,
  // Planning again fans it out again.
  expanded: true,
  stream_changed: false,
  service_changed: false,
  pace_changed: false,
  output_written: false,
  output_failed: false,
  journal_failed: false,
  run_detached: true,
  activation_intended: true,
  deployment_changed: false,
  activation_closed: true,
  still_billing: false,
  run_finished: true,
  reused: true,
  skipped: true,
  left_out: true,
  blocked: true,
  waiting_for: false,
  chosen: true,
  command_started: true,
  submit_intended: true,
  submit_accepted: true,
  submit_refused: true,
  submit_unknown: true,
  looking: true,
  submit_absent: true,
  submission_forgotten: true,
  taken_up: true,
  text_written: false,
  answer_cleaned: false,
  round_over: false,
  answer_unfit: true,
  over_budget: false,
  held_back: false,
  retrying: true,
  progress: false,
  generated: true,
  download_started: false,
  still_waiting: false,
  succeeded: true,
  failed: true,
  cancel_asked: false,
  cancel_failed: false,
  billed: true,
};

export const isJournalled = (event: Event): boolean => JOURNALLED[event.type];

/**
 * "One runner of this film." A port: `film-lease.ts` holds a lock of the operating system; a database that many machines share is
 * to be another form. Locks can be lost without their holder knowing (a lock file that is deleted, a machine that sleeps), so each
 * holder has a token as well, and the journal refuses what an earlier holder still wants to write.
 */
export interface Lease {
  readonly film: string;
  /** One more than that of the holder before. */
  readonly token: number;
  release(): void;
}

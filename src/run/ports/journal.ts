/**
 * The journal: every event that stands for money or for work done, and what of it is still open. A port: `local-journal.ts` keeps it
 * in a file of this machine, shared by all films of a project; a database that many machines share is to be another form.
 *
 * Appended events become durable in groups, a moment later; `commit` is awaited before acting on anything that must not be lost.
 * An event is shown only when it is durable: a listener is called with `durable` when everything appended so far is.
 */
import type { Event, EventType, LostTime, RecordedEvent } from '../../domain/event.ts';
import type { KeptPart, KeptPlan } from '../../domain/kept-plan.ts';
import type { GenerationId, InstanceKey, RunId } from '../../domain/key.ts';
import type { Ledger, Submission } from '../../records/views/ledger.ts';

export interface Journal {
  /** Which film of the project. */
  readonly film: string;
  /** Submissions of this film whose results are not owned yet, with all appended events applied. */
  readonly ledger: Ledger;
  /** Everything appended is durable. */
  readonly isSettled: boolean;
  /** Gives an event its number in this run and the time. */
  numbered(event: Event): RecordedEvent;
  /**
   * Applied to the ledger at once, durable with the next commit, at the latest a moment from now. `beside`: parts of the run's plan that are
   * kept with it; asked for when they are written, and once more where that could not be done.
   */
  append(run: RunId, event: RecordedEvent, beside?: Iterable<KeptPart>): void;
  /** Resolves when everything appended so far is durable; rejects with a `JournalFailed`, and retries all of it next time. */
  commit(): Promise<void>;
  listen(listener: JournalListener): void;
  /** Appended events that could not be made durable. */
  readonly waiting: readonly RecordedEvent[];

  /**
   * The newest success with this fingerprint in any film of the project, with its real cost where the service has told it; what no run
   * of this journal has made, and one has used, counts too: it came from a lock file, or was fetched again.
   */
  succeeded(fingerprint: string): (RecordedEvent & { readonly type: 'succeeded' | 'reused' }) | undefined;
  /** The film of the project whose run made the newest success with this fingerprint, or used it first. */
  filmOf(fingerprint: string): string | undefined;
  /** Requests of other films of the project that this account waits for. */
  openOfOtherFilms(account: string): readonly { readonly film: string; readonly submission: Submission }[];
  /** Whether `succeeded` has an answer, without reading it. */
  knows(fingerprint: string): boolean;
  /** The newest submission of this instance, to say what changed since. */
  lastIntent(key: InstanceKey): (RecordedEvent & { readonly type: 'submit_intended' }) | undefined;
  /**
   * Generations of this film that are made, and have no `billed` event: their run was cut off before it asked for the cost (made within the
   * last day), or the service did not list the cost yet (within the last hour).
   */
  unbilled(): ReadonlySet<GenerationId>;
  /** Whether a generation at the service of this account is some submission's already, as far as is known here. Another service may give the same id. */
  isClaimed(id: string, account: string): boolean;
  /** Of these generations, those that are some submission's already, in any film. */
  claimedAmong(ids: readonly string[], account: string): Promise<ReadonlySet<string>>;
  /** Generations of this account that are known to have been taken since `since` (Unix milliseconds), oldest first; `than`: the nonce they are held against. `before`: those alone that were sent before then. */
  accepted(account: string, since: number, than: string, before?: number): Promise<readonly Witness[]>;
  /** Requests of this account sent since `since` that may have a generation nobody knows: a row of the history may be theirs. */
  unaccountedFor(account: string, since: number): Promise<readonly Submission[]>;
  /** What was refused because the service was asked too often, of this account and fingerprint: sent since `since` by an instance that has not come to an end with it since then, oldest first. */
  refusedAsBusy(asked: Pick<Submission, 'fingerprint' | 'account'>, since: number): Promise<readonly Submission[]>;
  /** Of what the service lists, all that this account has sent in a time that the journal has lost is known again: it is looked for no more. Absent: none is lost. */
  lostTimeIsOver?(account: string, lostTime: LostTime): Promise<void>;
  /** Activations that this film began and has not ended. */
  activations(): Iterable<JournalRow>;
  /** The service a run was on; undefined for one that left no first word. */
  serviceOf(run: RunId): string | undefined;
  /** Whether an earlier run began this work, and ended before it knew the outcome. */
  wasCutOff(fingerprint: string): boolean;
  /**
   * How often this film has tried this work again since it last came to an end, good or bad; `unfit`: answers that did not fit since
   * then. `until` (Unix milliseconds): before that the next attempt is not to begin.
   */
  attempts(fingerprint: string): { readonly retried: number; readonly unfit: number; readonly until: number };
  /**
   * The last time that some run of the project began the command with this fingerprint, where it acts outside and nobody knows
   * whether it was done: the run ended first, or the command did not end by itself.
   */
  actLeftOpen(fingerprint: string): ActLeftOpen | undefined;
  /** Milliseconds each finished generation of each model took, newest 200: what the next ones are expected to take. */
  durations(): ReadonlyMap<string, readonly number[]>;
  /** Every event of one run, in order. */
  events(run: RunId): Iterable<RecordedEvent>;
  /** What the run was planned to do; undefined where nothing was kept, as in journals from before it was. */
  planOf(run: RunId): KeptPlan | undefined;
  /** A note stored beside the events, such as the digest of the lock file that we wrote last. */
  getNote(name: string): string | undefined;
  setNote(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}

export interface ActLeftOpen {
  readonly film: string;
  /** Unix milliseconds of its beginning. */
  readonly at: number;
  /** No later run of that film has written anything. */
  readonly isNewest: boolean;
}

export interface JournalListener {
  durable(): void;
  failed(failure: JournalFailed): void;
}

/** A generation of ours that a complete history must hold. */
export interface Witness {
  readonly id: string;
  readonly model: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Unix milliseconds when it was sent, and when it was known that the service had it. */
  readonly at: number;
  readonly acceptedAt?: number;
  /** Its request held a secret that was not journalled, so these texts are not what was sent. */
  readonly masked?: true;
  /** Written down before the one that is asked about: no clock is needed to say so, and one may have been wrong. */
  readonly isEarlier: boolean;
}

export type JournalRow = { readonly run: RunId; readonly event: RecordedEvent };

/** The journal cannot be written; the message says why and what to do. */
export class JournalFailed extends Error {}

/** A decision could not be kept, and nothing else is wrong: what it wrote is taken back by whoever asked, and it may be asked for again. */
export class DecisionLost extends JournalFailed {}

/** Somebody else runs the film now: nothing more is written or sent from here, and nothing is ended, for they go on with it. */
export class Superseded extends JournalFailed {}

/**
 * Events that replay needs. The others are shown, and the service can be asked for them again; some of them are kept for whoever looks at
 * the run later (`note` of the recorder).
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

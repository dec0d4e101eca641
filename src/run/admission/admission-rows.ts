/**
 * What admission decides over: rows of the journal, as they are at the moment of the decision. The journal of this machine reads them
 * where it stands; one that many machines share brings them here first, under a lock that nobody else of the project holds meanwhile.
 */

import type { Spending } from '../../domain/budget.ts';
import type { Call, LostTime } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { LockedCharge } from '../../records/views/charges.ts';
import type { Ledger, Submission } from '../../records/views/ledger.ts';
import type { ActLeftOpen } from '../ports/journal.ts';

/** What is about to be decided: of these, the rows are as new as they can be. */
export interface RowsFor {
  readonly fingerprint: string;
  /** Absent: a command. */
  readonly model?: string | undefined;
  /** Absent: the queue, or a command. */
  readonly via?: Call | undefined;
  /** The instance that asks; absent: none does. */
  readonly key?: InstanceKey;
}

/** What is decided is about no request: a choice, a note. */
export const NO_REQUEST: RowsFor = { fingerprint: '' };

export interface AdmissionRows {
  readonly film: string;
  /** Submissions of this film whose results are not owned yet. */
  readonly ledger: Ledger;
  readonly submissions: SentOfLate;
  readonly charges: Charges;
  /** Of other films: a request with this fingerprint that this account is waiting for. */
  openElsewhere(
    fingerprint: string,
    account: string,
  ): { readonly film: string; readonly submission: Submission } | undefined;
  /** How often a request with this fingerprint was sent and lost, since it last came to a good end. */
  timesLost(fingerprint: string): number;
  actLeftOpen(fingerprint: string): ActLeftOpen | undefined;
  /**
   * The time in which what is asked about may have been sent, or done, without a row that tells it. Undefined: no time is lost, or it was
   * asked about since. Absent: this journal never loses any.
   */
  lostTime?(): FilmsLostTime | undefined;
  /**
   * This run follows the submission from now on, which an earlier run of this film or of another one gave up. No other film can take it over
   * meanwhile, and the film that sent it still pays for it. Called within `decide`. Returns false, and changes nothing, where another film
   * has closed it since.
   */
  takeOver(submission: Submission): boolean;
  /** What whoever runs the machines allows beside the settings; absent: nothing beside them. */
  allowed?(): Allowed;
  /** Dollars that the account may cost in a day, and what the last one came to; absent: nobody bounds them. */
  readonly day?: { readonly limit: number; readonly spending: Spending } | undefined;
  /** Films that wait for a place; absent: they do not wait for one another. */
  readonly line?: PlacesLine;
  /** Unix milliseconds by the clock that the rows were written by; absent: that of this machine. */
  now?(): number;
  /** Waits until so many places may have been left, for this many milliseconds at most. Absent: just so long. */
  changed?(ms: number, signal: AbortSignal, places?: number): Promise<void>;
  /** Brings the rows up to date without holding anybody up. */
  look(at: RowsFor): Promise<void>;
  /**
   * Decides while nobody else of the project can, and makes durable what the decision keeps.
   * @throws JournalFailed with nothing of it written.
   */
  decide<T>(on: RowsFor, decision: () => T): Promise<T>;
}

export interface FilmsLostTime extends LostTime {
  /** Whether the film was there before. One that was not may have been handed in within that time, and be handed in once more now. */
  readonly isOfFilm: boolean;
}

/** For a service and a key, whoever uses it. Absent: no bound. */
export interface Allowed {
  readonly in_flight?: number | undefined;
  readonly submits_per_second?: number | undefined;
  /** Requests under way at once, of each model that has a bound of its own. */
  readonly models: Readonly<Record<string, number>>;
}

/** Films that wait for a place at a model of this account: seen while they ask for it, forgotten soon after they no more do. */
export interface PlacesLine {
  /** Of other films. */
  readonly others: readonly InLine[];
  /** Unix milliseconds since which this film waits for a place at that model; undefined: it does not. */
  since(model: string): number | undefined;
  /** This film waits for a place at that model, and asks again within so many milliseconds. Within `decide`. */
  join(model: string, ms: number): void;
  /** It has got one, and waits for another. Within `decide`. */
  joinAnew(model: string): void;
  /** It has got one. Within `decide`. */
  leave(model: string): void;
  /** It wants none any more; at any time. */
  quit(model: string): void;
}

export interface InLine {
  readonly film: string;
  readonly model: string;
  /** Unix milliseconds. */
  readonly since: number;
  /** What it has under way: of that model, and in all. */
  readonly underWay: { readonly ofModel: number; readonly all: number };
}

/** What was sent of late, and what is under way: what limits and rates count. Times are Unix milliseconds. */
export interface SentOfLate {
  /** The submits of this account since `since`, of all films, oldest first. */
  submits(account: string, since: number): readonly number[];
  /**
   * Of the intents of this account (for this model) that were written since `since`, the one with `n - 1` after it: in the order they
   * were written, whatever the clock said. `future`: the last of them that is later than `now`.
   */
  nthIntent(
    account: string,
    of: { readonly n: number; readonly since: number; readonly now: number; readonly model?: string | undefined },
  ): { readonly row: number; readonly at: number; readonly future: number | undefined } | undefined;
  /** Requests of this account (for this model) that the service may be at, of all films. */
  underWay(account: string, model: string | undefined): readonly OpenRow[];
}

/** A submission that is open. `at`: Unix milliseconds of its intent. `isIdle`: no run works on the submission until one resumes it. */
export interface OpenRow {
  readonly film: string;
  readonly nonce: string;
  readonly model: string;
  readonly state: Submission['state'];
  readonly at: number;
  readonly isIdle: boolean;
}

/** What submissions come to: what budgets count. */
export interface Charges {
  spending(account: string, of: 'film' | 'profile' | 'project', since?: number): Spending;
  /** The newest row: `spending` since then is that of what is sent from now on. */
  newest(): number;
  /** Of what a lock file names, what no submission of this project stands for. */
  unknownOf(locked: readonly LockedCharge[]): readonly LockedCharge[];
  /** Keeps what another machine has paid for. Within `decide`. */
  keep(account: string, locked: readonly LockedCharge[]): void;
}

/**
 * What admission decides over: rows of the journal, as they are at the moment of the decision. The journal of this machine reads them in place; one
 * that many machines share downloads them first, under a lock of the project.
 */

import type { Spending } from '../../model/budget.ts';
import type { Call, LostTime } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { LockedCharge } from '../views/charges.ts';
import type { JournalViews } from '../views/journal-views.ts';
import type { Submission } from '../views/ledger.ts';

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

/** Requests that a team's journal decides in one transaction, at most. */
export const MAX_TOGETHER = 32;

export interface AdmissionRows {
  readonly views: Pick<JournalViews, 'film' | 'ledger' | 'charges' | 'work'> & {
    readonly sent: Pick<JournalViews['sent'], 'openElsewhere' | 'timesLost' | 'submits' | 'nthIntent' | 'underWay'>;
  };
  /** Keeps what another machine has paid for. Within `decide`. */
  keepCharges(account: string, locked: readonly LockedCharge[]): void;
  /**
   * This run follows the submission from now on, which an earlier run of this film or of another one gave up. No other film can take it over
   * meanwhile, and the film that sent it still pays for it. Called within `decide`. Returns false, and changes nothing, where another film
   * has closed it since.
   */
  takeOver(submission: Submission): boolean;
  /** Unix milliseconds by the clock that the rows were written by. */
  now(): number;
  /** Brings the rows up to date without holding anybody up. */
  look(at: RowsFor): Promise<void>;
  /** What the other machines of a team share; absent on one machine. */
  readonly team?: TeamView;
  /**
   * Decides while no other process of the project can, and makes durable what the decision keeps. @throws JournalFailed with nothing of it written.
   */
  decide<T>(on: RowsFor, decision: () => T): Promise<T>;
}

/** What admission knows of the other machines of a team, as of the rows that were read last. */
export interface TeamView {
  /** Whether another film is being made at the moment. */
  isRunning(film: string): boolean;
  /**
   * The time in which the request may have been sent, or the act done, without a row of it. Undefined: no time is lost, or it was asked about
   * since.
   */
  lostTime(): FilmsLostTime | undefined;
  /** Of what the service lists, all that this account has sent in that time is known again: it is looked for no more. */
  lostTimeIsOver(account: string, lostTime: LostTime): Promise<void>;
  /** Whether the request was refused in the last day, whichever film sent it. */
  wasRefused(): boolean;
  allowed(): Allowed;
  /** Dollars that the account may cost in a day, and what the last one came to; undefined: no bound. */
  readonly day: { readonly limit: number; readonly spending: Spending } | undefined;
  readonly line: PlacesLine;
  /** Waits until so many places may have been left, for this many milliseconds at most. */
  changed(ms: number, signal: AbortSignal, places?: number): Promise<void>;
}

export interface FilmsLostTime extends LostTime {
  /** Whether the film was there before. One that was not may have been handed in within that time, and be handed in once more now. */
  readonly isOfFilm: boolean;
}

/** For a service and a key, over all its users. Absent: no bound. */
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

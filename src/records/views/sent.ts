/** The view of what was sent: every submission, open or closed, of all films and runs. Times are Unix milliseconds. */
import type { RecordedEvent } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { Submission } from './ledger.ts';

export interface SentView {
  /** Requests of other films of the project that this account waits for. */
  openOfOtherFilms(account: string): readonly FilmsSubmission[];
  /** Of other films: a request with this fingerprint that this account is waiting for. */
  openElsewhere(fingerprint: string, account: string): FilmsSubmission | undefined;
  /** The newest submission of this instance, to say what changed since. */
  lastIntent(key: InstanceKey): (RecordedEvent & { readonly type: 'submit_intended' }) | undefined;
  /** How often a request with this fingerprint was sent and lost, since it last came to a good end. */
  timesLost(fingerprint: string): number;
  /** What this film sent in vain, since it last came to a good end: each was proven absent, and is not sent for ever. */
  lost(): readonly Submission[];
  /** Whether a generation at the service of this account is some submission's already, as far as is known here. Another service may give the same id. */
  isClaimed(id: string, account: string): boolean;
  /** Of these generations, those that are some submission's already, in any film. */
  claimedAmong(ids: readonly string[], account: string): Promise<ReadonlySet<string>>;
  /** Generations of this account that are known to have been taken since `since`, oldest first; `than`: the nonce they are held against. `before`: those alone that were sent before then. */
  accepted(account: string, since: number, than: string, before?: number): Promise<readonly Witness[]>;
  /** Requests of this account sent since `since` that may have a generation nobody knows: a row of the history may be theirs. */
  unaccountedFor(account: string, since: number): Promise<readonly Submission[]>;
  /** What was refused because the service was asked too often, of this account and fingerprint: sent since `since` by an instance that has not come to an end with it since then, oldest first. */
  refusedAsBusy(asked: Pick<Submission, 'fingerprint' | 'account'>, since: number): Promise<readonly Submission[]>;
  /** The submits of this account since `since`, of all films, oldest first. */
  submits(account: string, since: number): readonly number[];
  /** The last `most` intents of this account (for this model) since `since`, in the order in which they were written. */
  lastIntents(
    account: string,
    of: { readonly most: number; readonly since: number; readonly model?: string | undefined },
  ): readonly number[];
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

/** A submission of a film, open or not. */
export interface FilmsSubmission {
  readonly film: string;
  readonly submission: Submission;
}

/** A submission that is open. `at`: of its intent. `isIdle`: no run works on the submission until one resumes it. */
export interface OpenRow {
  readonly film: string;
  readonly nonce: string;
  readonly model: string;
  readonly state: Submission['state'];
  readonly at: number;
  readonly isIdle: boolean;
}

/** A generation of ours that a complete history must hold. */
export interface Witness {
  readonly id: string;
  readonly model: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** When it was sent, and when it was known that the service had it. */
  readonly at: number;
  readonly acceptedAt?: number;
  /** Its request held a secret that was not journalled, so these texts are not what was sent. */
  readonly masked?: true;
  /** Written down before the one that is asked about: no clock is needed to say so, and one may have been wrong. */
  readonly isEarlier: boolean;
}

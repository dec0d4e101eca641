/** The view of what was sent: every submission, open or closed, of all films and runs. Times are Unix milliseconds. */
import type { RecordedEvent } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Ledger, Submission } from './ledger.ts';

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
  /**
   * The submissions of all films that fit a condition, oldest first: see `selectSent`.
   * @param values of its parameters, `$2` and so on
   * @param than the nonce that `isEarlier` is held against
   */
  ask(condition: string, values: readonly (string | number)[], than?: string): Promise<readonly SentRow[]>;
  /** The submits of this account since `since`, of all films, oldest first. */
  submits(account: string, since: number): readonly number[];
  /** The last `most` intents of this account (for this model) since `since`, in the order in which they were written. */
  lastIntents(
    account: string,
    of: { readonly most: number; readonly since: number; readonly model?: string | undefined },
  ): readonly number[];
  /**
   * Of the intents of this account (for this model) that were written since `since`, the one with `n - 1` after it: in the order they were written,
   * whatever the clock showed. `future`: the last of them that is later than `now`.
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

/** A submission that is open. `isIdle`: no run works on it until one resumes it. */
export interface OpenRow extends Pick<Submission, 'nonce' | 'model' | 'state' | 'at'> {
  readonly film: string;
  readonly isIdle: boolean;
}

/** A generation of ours that a complete history must hold. */
export interface Witness extends Pick<Submission, 'model' | 'request' | 'at' | 'acceptedAt' | 'masked'> {
  readonly id: string;
  /** Written down before the one that is asked about: no clock is needed to say so, and one may have been wrong. */
  readonly isEarlier: boolean;
}

interface SentRow extends FilmsSubmission {
  readonly id: string | null;
  /** Written before the submission that the question names. */
  readonly isEarlier: boolean;
}

/** @param place the column that numbers rows in the order in which they were written */
export const selectSent = (condition: string, place: 'rowid' | 'n'): string =>
  `SELECT film, generation_id AS id, ending, body, ${place} < (SELECT ${place} FROM submission WHERE nonce = $1) AS earlier
   FROM submission WHERE ${condition}`;

/** A row of `selectSent`, with the submission in its body: how it ended is newer in its column. */
export const sentRow = (row: Readonly<Record<string, unknown>>, submission: Submission): SentRow => ({
  film: String(row.film),
  id: row.id === null ? null : String(row.id),
  submission: row.ending === null ? submission : { ...submission, end: row.ending as NonNullable<Submission['end']> },
  isEarlier: row.earlier === 1 || row.earlier === true,
});

interface Views {
  readonly film: string;
  readonly ledger: Ledger;
  readonly sent: Pick<SentView, 'ask'>;
}

/** Generations that a complete history is held against. */
const WITNESSES = 200;

/**
 * Generations of this account that the service is known to have, sent since `since`, oldest first.
 * @param of.than the nonce that they are held against
 * @param of.before those alone that were sent before then
 */
export async function readAccepted(
  { sent }: Pick<Views, 'sent'>,
  of: { readonly account: string; readonly than: string; readonly since: number; readonly before?: number },
): Promise<readonly Witness[]> {
  const { account, than, since, before = Number.MAX_SAFE_INTEGER } = of;
  const newest = `generation_id IS NOT NULL ORDER BY at DESC LIMIT ${WITNESSES}`;
  const rows = await sent.ask(`account = $2 AND at >= $3 AND at < $4 AND ${newest}`, [account, since, before], than);
  return rows.map(({ submission, id, isEarlier }) => ({ ...submission, id: id ?? '', isEarlier }));
}

/** Requests of this account sent since `since` that may have an unknown generation: a row of the history may be theirs. */
export async function readUnaccounted(
  { film, ledger, sent }: Views,
  account: string,
  since: number,
): Promise<readonly Submission[]> {
  // Of other films, and those that were given up: sent again unseen, or forgotten, they may be there all the same.
  const others = await sent.ask(
    `account = $2 AND at >= $3 AND generation_id IS NULL
     AND (film <> $4 AND state IN ('intended', 'unknown') OR ending IN ('absent', 'forgotten')) ORDER BY at DESC`,
    [account, since, film],
  );
  const mine = ledger.open.filter(({ id, url }) => id === undefined && url === undefined);
  return [...mine, ...others.map(({ submission }) => submission)];
}

/**
 * Requests of this account and fingerprint that were refused because the service was asked too often: sent since `since`, by an instance
 * that has not come to an end with the request since then, oldest first.
 */
export async function readRefusedAsBusy(
  { sent }: Pick<Views, 'sent'>,
  { fingerprint, account }: Pick<Submission, 'fingerprint' | 'account'>,
  since: number,
): Promise<readonly Submission[]> {
  const rows = await sent.ask('fingerprint = $2 AND at >= $3 ORDER BY at DESC', [fingerprint, since]);
  const ended = rows.filter(({ submission: { end } }) => end === 'made' || end === 'failed' || end === 'forgotten');
  return rows.flatMap(({ film, submission: refused }) => {
    const isRefused = refused.account === account && refused.end === 'refused' && refused.busy;
    const isOver = ended.some(
      later => later.film === film && later.submission.key === refused.key && later.submission.at > refused.at,
    );
    return isRefused && !isOver ? [refused] : [];
  });
}

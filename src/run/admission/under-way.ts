/**
 * Which requests take a place at the service: those that the service may be working on. A request that a run follows takes one until its end. A
 * request that no run follows, or whose answer was lost, takes one for as long as a generation may run. Limits, rates and `team status` use the
 * same count.
 */
import type { Submission } from '../../records/views/ledger.ts';

/** Milliseconds that a generation may take: videos, 5 to 15 minutes (interface document, "Synchronous video request"). */
export const LONGEST_GENERATION = 15 * 60_000;

interface Sent {
  readonly nonce: string;
  /** Unix milliseconds of its intent. */
  readonly at: number;
  readonly state: Submission['state'];
  /** The instance failed and the submission is still open: no run works on the submission until one resumes it. */
  readonly isIdle: boolean;
}

export class PlacesTaken {
  /** When what is dated in the future was seen first, by nonce: the clock was set back since it was sent. */
  readonly #seen = new Map<string, number>();

  /**
   * @param isFollowed whether the run that sent it, or has taken it up, is there.
   * @param now Unix milliseconds, by the clock that `at` was written by.
   */
  takes(sent: Sent, isFollowed: () => boolean, now: number): boolean {
    const { state, isIdle } = sent;
    if (state === 'made' || state === 'closed') return false;
    if (this.#sentAt(sent, now) > now - LONGEST_GENERATION) return true;
    // One that is looked for may be looked for as long as others run, who would wait for its place.
    return state !== 'unknown' && !isIdle && isFollowed();
  }

  #sentAt({ nonce, at }: Sent, now: number): number {
    if (at <= now) return at;
    const seen = Math.min(now, this.#seen.get(nonce) ?? now);
    this.#seen.set(nonce, seen);
    return seen;
  }
}

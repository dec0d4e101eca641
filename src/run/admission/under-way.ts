/**
 * Which requests take a place at the service: those that it may be at. What somebody follows is, however long it takes; what nobody follows, or
 * nobody knows to be taken, may be as well for as long as a generation may run. Limits, rates and what a team is told all ask this.
 */
import type { Submission } from '../requests/ledger.ts';

/** Milliseconds that a generation may take: videos, 5 to 15 minutes (interface document, "Synchronous video request"). */
export const LONGEST_GENERATION = 15 * 60_000;

export interface Sent {
  readonly nonce: string;
  /** Unix milliseconds of its intent. */
  readonly at: number;
  readonly state: Submission['state'];
  /** Its instance has failed without an end of it: nobody works on it until it is resumed. */
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

/** How long to wait before something is tried again. */

import { codeOf } from '../error-code.ts';
import type { Clock } from './clock.ts';

interface Backoff {
  /** Milliseconds before the first repeat; default: 250. */
  readonly first?: number;
  /** Milliseconds that doubling leads to at most; default: 10,000. */
  readonly longest?: number;
  /** Milliseconds that the other side asked for; they are waited for even where they are more than `longest`. */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds to wait before repeat number `attempt` (0 is the first): doubled with each, and never less than was asked for. A service
 * that answers "at once" again and again is still not asked fifty times a second.
 */
export const backoff = (attempt: number, { first = 250, longest = 10_000, retryAfter = 0 }: Backoff = {}): number =>
  Math.max(retryAfter, Math.min(longest, first * 2 ** attempt));

/** Repeats what the machine refuses only because much goes on at once: that passes as soon as a file is closed. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY']);
/** Milliseconds before the second try, doubled with each: about three seconds in all. */
const FIRST_DELAY = 100;
const MAX_TRIES = 6;

/** Errors that were waited for in vain. A caller that repeats around another does not begin anew. */
const inVain = new WeakSet<Error>();

/** Any other error is thrown at once. */
export async function retryTransient<T>(clock: Pick<Clock, 'sleep'>, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !TRANSIENT_CODES.has(codeOf(error) ?? '') || inVain.has(error)) throw error;
      if (tried === MAX_TRIES) {
        inVain.add(error);
        throw error;
      }
      await clock.sleep(backoff(tried - 1, { first: FIRST_DELAY }));
    }
  }
}

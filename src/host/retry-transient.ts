/** Repeats what the machine refuses only because much goes on at once: that passes as soon as somebody closes a file. */
import { backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { codeOf } from './error-code.ts';

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

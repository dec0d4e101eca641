/** What the machine refuses only because much goes on at once: it passes as soon as somebody closes a file. */
import { backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { codeOf } from './error-code.ts';

const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY']);
/** Milliseconds before the second try, doubled with each: about three seconds in all. */
const WAIT = 100;
const TRIES = 6;

/** Who waits around somebody who has waited in vain does not begin anew. */
const inVain = new WeakSet<Error>();

/** Tries again what may pass; everything else is an answer. */
export async function retryTransient<T>(clock: Pick<Clock, 'sleep'>, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !PASSING.has(codeOf(error) ?? '') || inVain.has(error)) throw error;
      if (tried === TRIES) {
        inVain.add(error);
        throw error;
      }
      await clock.sleep(backoff(tried - 1, { first: WAIT }));
    }
  }
}

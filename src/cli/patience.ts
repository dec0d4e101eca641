/** "Too many requests" is provably no: it is sent again when the service says. Nothing else ever is. */
import type { ChatAnswer, Enqueued, GeneratedNow, NotTaken } from '../api/service.ts';
import { formatSeconds } from '../domain/format.ts';
import { systemClock } from '../host/clock.ts';

/** Tries, and the longest wait in milliseconds that is worth it. */
const TRIES = 5;
const LONGEST_WAIT = 120_000;

export async function patiently<T extends Enqueued | GeneratedNow | ChatAnswer>(
  signal: AbortSignal,
  tell: (line: string) => void,
  send: () => Promise<T | NotTaken>,
): Promise<T | NotTaken> {
  for (let tried = 1; ; tried++) {
    const outcome = await send();
    const answer: Enqueued | GeneratedNow | ChatAnswer = outcome;
    if (answer.is !== 'refused' || answer.retryAfter === undefined) return outcome;
    if (answer.retryAfter > LONGEST_WAIT || tried === TRIES) return outcome;
    tell(`${answer.message}; sending it again in ${formatSeconds(answer.retryAfter / 1000)}`);
    await systemClock.sleep(answer.retryAfter, signal);
    if (signal.aborted) return outcome;
  }
}

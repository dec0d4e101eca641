/** "Too many requests" is provably no: it is sent again when the service says, a few times. Nothing else ever is by itself. */
import type { ChatAnswer, NotTaken } from '../../api/service.ts';
import { formatSeconds } from '../../domain/format.ts';
import { systemClock } from '../../host/clock.ts';

/** Tries, and the longest wait in milliseconds that is worth it. */
const TRIES = 5;
const LONGEST_WAIT = 120_000;

/** Of what is not taken for now; what may have been taken is nothing to be patient with. */
export function isWorthWaiting(answer: NotTaken, tried: number): boolean {
  if (answer.is === 'unknown') return true;
  if (answer.is === 'unreached') return false;
  return answer.status !== 429 || (tried < TRIES && (answer.retryAfter ?? 0) <= LONGEST_WAIT);
}

export async function patiently(
  signal: AbortSignal,
  tell: (line: string) => void,
  send: () => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await send();
    if (answer.is !== 'refused' || answer.retryAfter === undefined) return answer;
    if (answer.retryAfter > LONGEST_WAIT || tried === TRIES) return answer;
    tell(`${answer.message}; sending it again in ${formatSeconds(answer.retryAfter / 1000)}`);
    await systemClock.sleep(answer.retryAfter, signal);
    if (signal.aborted) return answer;
  }
}

/** A 429 provably was not taken, so it is sent again a few times, when the service says. Nothing else is sent again by itself. */
import type { ChatAnswer, NotTaken } from '../../api/service.ts';
import { formatSeconds } from '../../domain/format.ts';
import { systemClock } from '../../host/clock.ts';

/** Attempts at most, and the longest wait between two (milliseconds). */
const TRIES = 5;
const LONGEST_WAIT = 120_000;

/** False where the run should end instead. A request that may have been taken is left to the run, which looks for it. */
export function isWorthRetrying(answer: NotTaken, tried: number): boolean {
  if (answer.is === 'unknown') return true;
  if (answer.is === 'unreached') return false;
  return answer.status !== 429 || (tried < TRIES && (answer.retryAfter ?? 0) <= LONGEST_WAIT);
}

export async function retryWhenBusy(
  signal: AbortSignal,
  say: (line: string) => void,
  send: () => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await send();
    if (answer.is !== 'refused' || answer.retryAfter === undefined) return answer;
    if (answer.retryAfter > LONGEST_WAIT || tried === TRIES) return answer;
    say(`${answer.message}; sending it again in ${formatSeconds(answer.retryAfter / 1000)}`);
    await systemClock.sleep(answer.retryAfter, signal);
    if (signal.aborted) return answer;
  }
}

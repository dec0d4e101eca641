/** Waits for a team's database that is out of reach, and reports why. */
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import { isConnectionLost } from './team-database.ts';

/** Milliseconds until a database that answers nothing is reported. */
const SILENT_AFTER = 10_000;
const SILENT = 'the database has not answered for ten seconds';

export interface Reaching {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives why the database is out of reach; undefined: it is reachable again. */
  readonly trouble: (message: string | undefined) => void;
}

/** Repeats `work` until the database has answered. @throws what `work` throws for another reason, or once the signal aborts. */
export async function whileReachable<T>(work: () => Promise<T>, { clock, signal, trouble }: Reaching): Promise<T> {
  let isTroubled = false;
  const report = (message: string) => {
    isTroubled = true;
    trouble(message);
  };
  for (let attempt = 0; ; attempt++) {
    try {
      const done = await untilAnswered(work, clock, report);
      if (isTroubled) trouble(undefined);
      return done;
    } catch (error) {
      if (!isConnectionLost(error) || signal.aborted) throw error;
      report((error as Error).message);
    }
    await clock.sleep(Math.min(1_000, backoff(attempt)), signal);
  }
}

/** Returns the outcome of `work`, and reports after ten seconds that the database has not answered. */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  clock: Pick<Clock, 'sleep'>,
  report: (message: string) => void,
): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(SILENT_AFTER, answered.signal, 'in the background');
  void late.then(() => answered.signal.aborted || report(SILENT));
  try {
    return await work();
  } finally {
    answered.abort();
  }
}

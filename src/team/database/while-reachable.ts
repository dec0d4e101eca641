/** Waits for a team's database that is out of reach, and reports why. */
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { isConnectionLost } from './team-database.ts';

/** Milliseconds until a database that answers nothing is reported. */
const SILENT_AFTER = 10_000;
const SILENT = 'the database has not answered for ten seconds';
/** Why that wait ends. Without a reason each end would make an error with its stack. */
const ANSWERED = 'the database has answered';

export interface Reaching {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives why the database is out of reach; undefined: it is reachable again. */
  readonly trouble: (message: string | undefined) => void;
  /** The last attempt failed, and `trouble` has not been called with undefined since. Calls with the same object share it. */
  isTroubled?: boolean;
}

/**
 * Repeats `work` until the database has answered.
 * @param again whether `work` may be repeated after a connection that broke.
 * @throws what `work` throws for another reason, or once the signal aborts, or where `again` is false.
 */
export async function whileReachable<T>(
  work: () => Promise<T>,
  reaching: Reaching,
  again: () => boolean = () => true,
): Promise<T> {
  const { clock, signal, trouble } = reaching;
  const report = (message: string) => {
    reaching.isTroubled = true;
    trouble(message);
  };
  for (let attempt = 0; ; attempt++) {
    try {
      const done = await untilAnswered(work, clock, report);
      if (reaching.isTroubled) trouble(undefined);
      reaching.isTroubled = false;
      return done;
    } catch (error) {
      if (!isConnectionLost(error) || signal.aborted) throw error;
      report((error as Error).message);
      if (!again()) throw error;
      await clock.sleep(Math.min(1_000, backoff(attempt)), signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Returns the outcome of `work`, and reports after ten seconds that the database has not answered. */
async function untilAnswered<T>(
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
    answered.abort(ANSWERED);
  }
}

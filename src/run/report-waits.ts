/** Reports a wait of a run after ten seconds, with its reason, and then once a minute. */
import type { WaitsFor } from '../domain/event.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { RunCore } from './run-core.ts';

/** Milliseconds until the first report of a wait, and between two reports. */
const FIRST_AFTER = 10_000;
const AGAIN_AFTER = 60_000;

export interface Wait {
  /** Absent: the wait belongs to no instance of the plan, and is not reported. */
  readonly key: InstanceKey | undefined;
  readonly what: WaitsFor;
  /** Called for each report. */
  readonly reason: () => string;
}

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'state'>;

/** Returns the outcome of `work`, and reports the wait for it meanwhile. */
export async function reportWhileWaiting<T>(wait: Wait, run: Needs, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const since = run.clock.now();
  const reportOn = async () => {
    for (let pause = FIRST_AFTER; ; pause = AGAIN_AFTER) {
      await run.clock.sleep(pause, over.signal, 'in the background');
      if (over.signal.aborted) return;
      reportWait(wait, since, run);
    }
  };
  void reportOn();
  try {
    return await work();
  } finally {
    over.abort();
  }
}

/** Reports a wait now. @param since when it began, Unix milliseconds. */
export function reportWait({ key, what, reason }: Wait, since: number, { recorder, state }: Needs): void {
  if (key !== undefined && state.instances.has(key))
    recorder.emit({ type: 'still_waiting', key, what, reason: reason(), since });
}

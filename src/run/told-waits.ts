/** A wait for somebody else is told within ten seconds, with its reason, and once a minute from then on. */
import type { WaitsFor } from '../domain/event.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { RunCore } from './run-core.ts';

/** Milliseconds until a wait is told, and between two times. */
const TOLD_AFTER = 10_000;
const AGAIN_AFTER = 60_000;

export interface Wait {
  readonly key: InstanceKey;
  readonly what: WaitsFor;
  /** Asked at the moment when it is told. */
  readonly reason: () => string;
}

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'state'>;

/** The outcome of this work, which is waited for. */
export async function tellWhile<T>(wait: Wait, run: Needs, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const since = run.clock.now();
  const tellOn = async () => {
    for (let pause = TOLD_AFTER; ; pause = AGAIN_AFTER) {
      await run.clock.sleep(pause, over.signal, 'in the background');
      if (over.signal.aborted) return;
      tellWait(wait, since, run);
    }
  };
  void tellOn();
  try {
    return await work();
  } finally {
    over.abort();
  }
}

/** @param since Unix milliseconds. */
export function tellWait({ key, what, reason }: Wait, since: number, { recorder, state }: Needs): void {
  if (state.instances.has(key)) recorder.emit({ type: 'still_waiting', key, what, reason: reason(), since });
}

import type { Clock } from '../host/clock.ts';

/** Runs `work` with a signal that aborts when the caller's does, or after `ms` of our own clock, with `late` as its message. */
export async function within<T>(
  ms: number,
  late: string,
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const done = new AbortController();
  const passOn = () => stop.abort(new Error('stopped'));
  if (signal.aborted) passOn();
  signal.addEventListener('abort', passOn, { once: true });
  void clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) stop.abort(new Error(late));
  });
  try {
    return await work(stop.signal);
  } finally {
    done.abort();
    signal.removeEventListener('abort', passOn);
  }
}

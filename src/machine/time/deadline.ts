/**
 * Giving up after a while, by an injected clock. Three forms: a time limit, a limit on silence, and a piece of work with a limit.
 *
 * All of them hold to one rule. A deadline that is cleared before its time never aborts its signal, neither then nor afterwards; a deadline that
 * has aborted stays aborted. The clock itself cannot tell the two apart: it ends a cancelled sleep just as it ends a completed one.
 */
import type { Clock } from './clock.ts';

export interface Deadline extends Disposable {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Ends the wait: the signal does not abort any more. */
  clear(): void;
}

interface DeadlineOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** What the signal aborts with. */
  readonly reason?: Error;
  /** As `Clock.sleep` has it: such a wait does not keep the process alive. */
  readonly where?: 'in the background' | undefined;
}

/** @param ms undefined for no limit. */
export function deadline(ms: number | undefined, { clock, reason, where }: DeadlineOptions): Deadline {
  const cleared = new AbortController();
  const late = new AbortController();
  if (ms !== undefined) {
    void clock.sleep(ms, cleared.signal, where).then(() => {
      if (!cleared.signal.aborted) late.abort(reason);
    });
  }
  return clearedBy(cleared, late);
}

export interface Watchdog extends Deadline {
  /** Something came: the time begins anew. */
  feed(): void;
}

/** A deadline that begins anew with each sign of life. */
export function watchdog(ms: number, { clock, reason }: { readonly clock: Clock; readonly reason: Error }): Watchdog {
  const cleared = new AbortController();
  const late = new AbortController();
  let fedAt = clock.now();
  const watch = async () => {
    while (!cleared.signal.aborted) {
      const left = fedAt + ms - clock.now();
      if (left <= 0) return late.abort(reason);
      await clock.sleep(left, cleared.signal);
    }
  };
  void watch();
  return {
    ...clearedBy(cleared, late),
    feed: () => {
      fedAt = clock.now();
    },
  };
}

interface Limit {
  readonly ms: number;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The caller's own. */
  readonly signal: AbortSignal;
  /** The message of the error that the work is given up with. */
  readonly message: string;
}

/** Runs `work` with a signal that aborts when the caller's does, with an error named `stopped`, or when the time is up. */
export async function within<T>(
  { ms, clock, signal, message }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using late = deadline(ms, { clock, reason: new Error(message) });
  const either = new AbortController();
  const stop = () => either.abort(new Error('stopped'));
  const giveUp = () => either.abort(late.signal.reason);
  // Not AbortSignal.any: the caller's signal lives as long as its run, and would collect one dependent for each request.
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  late.signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await work(either.signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const CLEARED = Symbol('cleared');

function clearedBy(cleared: AbortController, late: AbortController): Deadline {
  // A reason of its own for each would be an error with its stack, thousands of times in a run.
  const clear = () => cleared.abort(CLEARED);
  return { signal: late.signal, clear, [Symbol.dispose]: clear };
}

const DONE = Symbol('done');

/** Rejects as soon as the signal aborts. undici by itself notices that only when it has a connection. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal });
  });
  return Promise.race([work, aborted]).finally(() => done.abort(DONE));
}

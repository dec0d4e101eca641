/** The machine's time, injected so that tests hold it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /**
   * Resolves after `ms` of the machine being awake, or at once when the signal aborts: callers look at the signal afterwards.
   * A deadline is a sleep, never a point of `now()`: a laptop that was shut for the night has not waited, and a clock that was
   * set has not either. A sleep in the background does not keep the process alive.
   */
  sleep(ms: number, signal?: AbortSignal, where?: 'in the background'): Promise<void>;
}

/** The machine's date and its timers. */
export interface Timer {
  now(): number;
  /** Calls `wake` once after `ms`; returns a function that cancels it. `idle`: the process need not live for it. */
  after(ms: number, wake: () => void, idle: boolean): () => void;
}

/**
 * Milliseconds of the longest single wait. Timers hold 2^31 − 1 of them and fire at once beyond that; and some machines count the
 * time they were shut as waited, so that a night costs a sleeper one slice at most.
 */
const SLICE = 15_000;

export const clockOver = (timer: Timer): Clock => ({
  now: () => timer.now(),
  sleep: (ms, signal, where) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve();
      let callOff = () => {};
      const end = () => {
        callOff();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const waitFor = (left: number) => {
        const slice = Math.min(left, SLICE);
        const next = () => (left > slice ? waitFor(left - slice) : end());
        callOff = timer.after(slice, next, where === 'in the background');
      };
      signal?.addEventListener('abort', end, { once: true });
      waitFor(ms > 0 ? ms : 0);
    }),
});

export const systemClock: Clock = clockOver({
  now: () => Date.now(),
  after: (ms, wake, idle) => {
    const timer = setTimeout(wake, ms);
    if (idle) timer.unref();
    return () => clearTimeout(timer);
  },
});

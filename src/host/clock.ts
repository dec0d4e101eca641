/** The machine's time, injected so that tests hold it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /**
   * Resolves after `ms`, or at once when the signal aborts: callers look at the signal afterwards. In the background it does
   * not keep the process alive: for what may as well never happen.
   */
  sleep(ms: number, signal?: AbortSignal, where?: 'in the background'): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal, where) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      if (where === 'in the background') timer.unref();
      signal?.addEventListener('abort', wake, { once: true });
    }),
};

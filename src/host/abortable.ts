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

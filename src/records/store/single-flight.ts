/**
 * Does one piece of work for each name at a time: a caller that asks for the same meanwhile waits for that one. Each caller may leave by
 * its own signal, and the work is called off when the last has left.
 */
export class SingleFlight<Outcome, News extends readonly unknown[]> {
  readonly #calls = new Map<string, Call<Outcome, News>>();

  async join(
    name: string,
    { signal, onNews, left }: Waiter<Outcome, News>,
    work: (signal: AbortSignal, publish: (...news: News) => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    let call = this.#calls.get(name);
    while (call?.stop.signal.aborted) {
      // That call is being called off, and lets go of its files in a moment.
      await call.outcome.catch(() => {});
      call = this.#calls.get(name);
    }
    call ??= this.#start(name, work);
    const waiter = { onNews };
    call.waiters.add(waiter);
    const gone = Promise.withResolvers<'gone'>();
    const leave = () => gone.resolve('gone');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      const first = await Promise.race([call.outcome, gone.promise]);
      if (first !== 'gone') return first;
      if (call.waiters.size > 1) return left;
      call.stop.abort(signal.reason);
      return await call.outcome;
    } finally {
      call.waiters.delete(waiter);
      signal.removeEventListener('abort', leave);
    }
  }

  #start(
    name: string,
    work: (signal: AbortSignal, publish: (...news: News) => void) => Promise<Outcome>,
  ): Call<Outcome, News> {
    const stop = new AbortController();
    const waiters: Call<Outcome, News>['waiters'] = new Set();
    const publish = (...news: News) => {
      for (const waiter of waiters) waiter.onNews?.(...news);
    };
    const outcome = work(stop.signal, publish).finally(() => this.#calls.delete(name));
    const call = { stop, waiters, outcome };
    this.#calls.set(name, call);
    return call;
  }
}

interface Waiter<Outcome, News extends readonly unknown[]> {
  readonly signal: AbortSignal;
  readonly onNews: ((...news: News) => void) | undefined;
  /** The outcome for this caller when it leaves while others wait on. */
  readonly left: Outcome;
}

interface Call<Outcome, News extends readonly unknown[]> {
  readonly stop: AbortController;
  readonly waiters: Set<{ readonly onNews: ((...news: News) => void) | undefined }>;
  readonly outcome: Promise<Outcome>;
}

/**
 * One piece of work for each name at a time: whoever asks for the same meanwhile waits for that one. Each may leave by its own
 * signal, and the work is called off when the last has left.
 */
export class SingleFlight<Outcome, News extends readonly unknown[]> {
  readonly #flights = new Map<string, Flight<Outcome, News>>();

  async join(
    name: string,
    { signal, onNews, left }: Passenger<Outcome, News>,
    work: (signal: AbortSignal, tell: (...news: News) => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    let flight = this.#flights.get(name);
    while (flight?.stop.signal.aborted) {
      // It is being called off, and what it holds is free in a moment.
      await flight.outcome.catch(() => {});
      flight = this.#flights.get(name);
    }
    flight ??= this.#start(name, work);
    const passenger = { tell: onNews };
    flight.aboard.add(passenger);
    const gone = Promise.withResolvers<'gone'>();
    const leave = () => gone.resolve('gone');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      const first = await Promise.race([flight.outcome, gone.promise]);
      if (first !== 'gone') return first;
      if (flight.aboard.size > 1) return left;
      flight.stop.abort(signal.reason);
      return await flight.outcome;
    } finally {
      flight.aboard.delete(passenger);
      signal.removeEventListener('abort', leave);
    }
  }

  #start(
    name: string,
    work: (signal: AbortSignal, tell: (...news: News) => void) => Promise<Outcome>,
  ): Flight<Outcome, News> {
    const stop = new AbortController();
    const aboard: Flight<Outcome, News>['aboard'] = new Set();
    const tell = (...news: News) => {
      for (const passenger of aboard) passenger.tell?.(...news);
    };
    const outcome = work(stop.signal, tell).finally(() => this.#flights.delete(name));
    const flight = { stop, aboard, outcome };
    this.#flights.set(name, flight);
    return flight;
  }
}

interface Passenger<Outcome, News extends readonly unknown[]> {
  readonly signal: AbortSignal;
  readonly onNews: ((...news: News) => void) | undefined;
  /** What it is told when it leaves while others wait on. */
  readonly left: Outcome;
}

interface Flight<Outcome, News extends readonly unknown[]> {
  readonly stop: AbortController;
  readonly aboard: Set<{ readonly tell: ((...news: News) => void) | undefined }>;
  readonly outcome: Promise<Outcome>;
}

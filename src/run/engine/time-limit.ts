import type { Clock } from '../../machine/time/clock.ts';
import { type Deadline, deadline } from '../../machine/time/deadline.ts';
import type { Step, Timeout } from '../../model/pipeline.ts';

/** Milliseconds that work without a queue may take in all; the times an author gives for queueing and for running bound it together. */
export function timeLimit({ timeout }: Pick<Step, 'timeout'>): number | undefined {
  if (!timeout) return undefined;
  if (timeout.total !== undefined) return timeout.total;
  return timeout.queue === undefined && timeout.run === undefined
    ? undefined
    : (timeout.queue ?? 0) + (timeout.run ?? 0);
}

/**
 * The limits of one generation that the service has taken: `queue` until it is worked on there, `run` from then on, `total` for both.
 * They are counted while this machine is awake and looks on, whatever its clock shows; a later run counts anew. When one of them is
 * over the signal aborts, and a last read may show that only the news of the queue's end was missed.
 */
export class GenerationLimits {
  readonly #timeout: Timeout;
  readonly #clock: Clock;
  readonly #deadlines = new Map<keyof Timeout, Deadline>();
  #round = new AbortController();
  #over: keyof Timeout | undefined;
  #isWorkedOn = false;

  constructor(timeout: Timeout | undefined, clock: Clock) {
    this.#timeout = timeout ?? {};
    this.#clock = clock;
    this.#begin('total');
    this.#begin('queue');
  }

  /** Aborts when one is over. After `worksOnIt` there may be another one. */
  get signal(): AbortSignal {
    return this.#round.signal;
  }

  get over(): { readonly limit: keyof Timeout; readonly ms: number } | undefined {
    return this.#over && { limit: this.#over, ms: this.#timeout[this.#over] ?? 0 };
  }

  /** The service works on it: it is out of the queue. */
  worksOnIt(): void {
    if (this.#isWorkedOn) return;
    this.#isWorkedOn = true;
    this.#deadlines.get('queue')?.clear();
    if (this.#over === 'queue') this.#goOn();
    if (!this.#over) this.#begin('run');
  }

  /** It is over at the service: what is left is not limited. */
  lift(): void {
    this.clear();
    this.#goOn();
  }

  clear(): void {
    for (const one of this.#deadlines.values()) one.clear();
  }

  #goOn(): void {
    this.#over = undefined;
    this.#round = new AbortController();
  }

  #begin(limit: keyof Timeout): void {
    const ms = this.#timeout[limit];
    if (ms === undefined) return;
    const one = deadline(ms, { clock: this.#clock });
    this.#deadlines.set(limit, one);
    const isOver = () => {
      this.#over ??= limit;
      this.#round.abort();
    };
    one.signal.addEventListener('abort', isOver, { once: true });
  }
}

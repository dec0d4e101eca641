/** Sends the newest of many values, so often at most. A failed one is sent with the next. */
import type { Clock } from '../../machine/time/clock.ts';

export class Pace<T> implements AsyncDisposable {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #tell: (value: T) => Promise<void>;
  #next: { readonly value: T } | undefined;
  #telling: Promise<void> | undefined;
  readonly #over = new AbortController();

  /** @param ms between two tellings. */
  constructor(ms: number, clock: Clock, tell: (value: T) => Promise<void>) {
    this.#ms = ms;
    this.#clock = clock;
    this.#tell = tell;
  }

  tell(value: T): void {
    if (this.#over.signal.aborted) return;
    this.#next = { value };
    this.#telling ??= this.#loop();
  }

  /** Sends nothing more; resolves when nothing is being sent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#next = undefined;
    this.#over.abort();
    await this.#telling;
  }

  async #loop(): Promise<void> {
    for (let next = this.#next; next !== undefined; next = this.#next) {
      this.#next = undefined;
      await this.#tell(next.value);
      await this.#clock.sleep(this.#ms, this.#over.signal, 'in the background');
    }
    this.#telling = undefined;
  }
}

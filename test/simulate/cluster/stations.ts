/** Something that only so many have at once, in the order in which they came: a lock, processors, connections. In virtual time. */
import type { Time } from '../time.ts';

export class Stations {
  /** Milliseconds for which they were had, all together. */
  busy = 0;
  /** The most that were had at once. */
  most = 0;
  /** Milliseconds that each of them was waited for, while it is watched. */
  readonly waits: number[] = [];
  readonly #time: Time;
  readonly #count: number;
  readonly #queue: (() => void)[] = [];
  readonly #isWatched: boolean;
  #taken = 0;

  constructor(time: Time, count: number, watched?: 'watched') {
    this.#time = time;
    this.#count = count;
    this.#isWatched = watched !== undefined;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async acquire(): Promise<void> {
    const began = this.#time.now;
    if (this.#taken < this.#count) this.#taken += 1;
    else await new Promise<void>(resolve => this.#queue.push(resolve));
    this.most = Math.max(this.most, this.#taken);
    if (this.#isWatched) this.waits.push(this.#time.now - began);
  }

  release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  /** Has one of them for so many milliseconds. */
  async hold(ms: number): Promise<void> {
    await this.acquire();
    await pause(this.#time, ms);
    this.busy += ms;
    this.release();
  }

  /** Has one of them for as long as the work takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    const began = this.#time.now;
    try {
      return await work();
    } finally {
      this.busy += this.#time.now - began;
      this.release();
    }
  }
}

export const pause = (time: Time, ms: number): Promise<void> =>
  new Promise(resolve => void time.after(ms, 'pause', resolve));

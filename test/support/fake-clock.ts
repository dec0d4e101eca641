import type { Clock } from '../../src/machine/time/clock.ts';
import { settled } from './settled.ts';

interface Sleeper {
  at: number;
  readonly wake: () => void;
  /** It may as well never wake: nobody waits for it. */
  readonly idle: boolean;
}

/**
 * Time that moves only when the test says so.
 *
 * `await clock.asleep()` waits, without any real delay, until the code under test has gone to sleep; `await clock.advance(ms)` then
 * moves time and wakes, in order, everyone who is due, letting each react before the next one wakes.
 */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly #onSleep = new Set<() => void>();

  constructor(start: number = Date.UTC(2026, 10, 20, 12)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal, where?: 'in the background'): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted || ms <= 0) return resolve();
      const sleeper: Sleeper = {
        at: this.#now + ms,
        idle: where === 'in the background',
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      signal?.addEventListener('abort', sleeper.wake, { once: true });
      this.#sleepers.add(sleeper);
      for (const look of [...this.#onSleep]) look();
    });
  }

  /** Milliseconds left for each sleeper that somebody waits for, soonest first. */
  get sleeping(): readonly number[] {
    return [...this.#sleepers]
      .filter(({ idle }) => !idle)
      .map(sleeper => sleeper.at - this.#now)
      .sort((a, b) => a - b);
  }

  /** Resolves with the milliseconds left of the first sleeper that matches, as soon as there is one. */
  asleep(matches: (msLeft: number) => boolean = () => true): Promise<number> {
    return new Promise(resolve => {
      const look = () => {
        const found = this.sleeping.find(matches);
        if (found === undefined) return;
        this.#onSleep.delete(look);
        resolve(found);
      };
      this.#onSleep.add(look);
      look();
    });
  }

  /** Somebody sets the clock, forward or back: who sleeps has as much left of it as before. */
  set(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) sleeper.at += ms;
  }

  /** A moment goes by in which nobody is due. */
  tick(ms = 1): void {
    this.#now += ms;
  }

  /** Moves time, waking sleepers in the order they are due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#sleepers].filter(sleeper => sleeper.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settled();
    }
    this.#now = Math.max(this.#now, end);
    await settled();
  }
}

/** The one clock of a team: that of its database, as far as this machine's own differs from it. Waiting is this machine's. */

import type { Clock } from '../../machine/time/clock.ts';
import type { Queries } from '../database/team-database.ts';

/** Milliseconds that an answer may take for its time to be believed. */
const PROMPT = 2_000;

export class TeamClock implements Clock {
  readonly #own: Clock;
  #offset = 0;

  constructor(own: Clock) {
    this.#own = own;
  }

  /** Milliseconds that the database's clock is ahead. */
  get offset(): number {
    return this.#offset;
  }

  now(): number {
    return this.#own.now() + this.#offset;
  }

  sleep(...args: Parameters<Clock['sleep']>): Promise<void> {
    return this.#own.sleep(...args);
  }

  /** @throws the database's error; the time stays as it was. */
  async set({ query }: Queries): Promise<void> {
    const before = this.#own.now();
    const [row] = await query<{ now: number }>('SELECT now_ms() AS now');
    const after = this.#own.now();
    // An answer that came late, or during which the machine's own clock was set, proves nothing.
    if (!row || after < before || after - before > PROMPT) return;
    this.#offset = Math.round(row.now - (before + after) / 2);
  }
}

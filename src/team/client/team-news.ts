/**
 * Notifications on the team's channel: one connection for all of a process, made anew when it breaks. News wakes, and looking now and then is
 * the truth: waiters are woken after a reconnect as well, because notifications during the gap are lost.
 */

import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { TeamDatabase } from '../database/team-database.ts';

interface TeamNewsOptions {
  readonly team: Pick<TeamDatabase, 'listen'>;
  readonly clock: Clock;
  /** The connection broke, with why; undefined: it is there again. */
  readonly trouble?: (message: string | undefined) => void;
}

const CHANNEL = 'shotlist';
/** Milliseconds. */
const LONGEST_PAUSE = 5_000;

/** The number of places in `freed:SERVICE:PLACES`. All where limits have changed, which is the service alone. */
const placesIn = (topic: string): number => Number(topic.split(':')[2] ?? Number.POSITIVE_INFINITY);

type Listener = (topic: string | undefined) => void;

export class TeamNews implements AsyncDisposable {
  readonly #options: TeamNewsOptions;
  readonly #listeners = new Set<Listener>();
  readonly #closing = new AbortController();
  readonly #kept: Promise<void>;

  constructor(options: TeamNewsOptions) {
    this.#options = options;
    this.#kept = this.#keep();
  }

  /** Calls back with each topic that `wanted` accepts, and whenever a notification may have been missed. Returns how to stop that. */
  on(wanted: (topic: string) => boolean, onTopic: () => void): () => void {
    const onMessage: Listener = topic => {
      if (topic === undefined || wanted(topic)) onTopic();
    };
    this.#listeners.add(onMessage);
    return () => void this.#listeners.delete(onMessage);
  }

  /** Resolves with the next of these topics, or after `ms`, or when the signal aborts. */
  async next(wanted: (topic: string) => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    await this.#until(topic => topic === undefined || wanted(topic), ms, signal);
  }

  /** Resolves when so many places at a service were left or limits changed, or after `ms`, or when the signal aborts. */
  async placesLeft(places = 1, ms: number, signal?: AbortSignal): Promise<void> {
    let left = places;
    const isEnough = (topic: string) => {
      if (topic.startsWith('freed:')) left -= placesIn(topic);
      return left <= 0;
    };
    await this.#until(topic => topic === undefined || isEnough(topic), ms, signal);
  }

  async #until(wanted: (topic: string | undefined) => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    const arrived = new AbortController();
    const onTopic: Listener = topic => {
      if (wanted(topic)) arrived.abort();
    };
    this.#listeners.add(onTopic);
    try {
      await this.#options.clock.sleep(
        ms,
        AbortSignal.any([arrived.signal, this.#closing.signal, ...(signal ? [signal] : [])]),
      );
    } finally {
      this.#listeners.delete(onTopic);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { team, clock, trouble } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const broken = Promise.withResolvers<string>();
      try {
        const listening = await team.listen(
          CHANNEL,
          topic => this.#notify(topic),
          error => broken.resolve(error.message),
        );
        if (attempt > 0) trouble?.(undefined);
        attempt = 0;
        this.#notify(undefined);
        const closed = new Promise<undefined>(resolve => {
          if (signal.aborted) resolve(undefined);
          signal.addEventListener('abort', () => resolve(undefined), { once: true });
        });
        const why = await Promise.race([broken.promise, closed]);
        await listening.close();
        if (why !== undefined) trouble?.(why);
      } catch (error) {
        trouble?.(error instanceof Error ? error.message : String(error));
      }
      await clock.sleep(Math.min(LONGEST_PAUSE, backoff(attempt)), signal);
    }
  }

  #notify(topic: string | undefined): void {
    for (const listener of [...this.#listeners]) listener(topic);
  }
}

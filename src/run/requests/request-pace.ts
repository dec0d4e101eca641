/**
 * How fast the service is asked. A service that answers "too many requests" is asked at half the pace, by all requests of the run; each
 * request that it takes brings the pace back a little, until it bounds nothing any more. A number of the settings that is reached
 * closes the same gates. Each is reported once, however many requests wait.
 */

import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { type RateReached, rateText } from '../../model/request-rates.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { RunRecorder } from '../engine/run-recorder.ts';
import type { WorkQueue } from '../engine/work-queue.ts';

interface Needs {
  readonly clock: Pick<Clock, 'now'>;
  readonly recorder: Pick<RunRecorder, 'emit'>;
  readonly queue: Pick<WorkQueue, 'closeUntil'>;
}

/** Milliseconds between two requests: at first, at most, and when it bounds nothing any more. */
const FIRST = 500;
const LONGEST = 60_000;
const NONE = 50;
/** What a request that was taken leaves of the pause. */
const RECOVERY = 0.85;
/** Requests that the pace is estimated from. */
const RECENT = 10;
/** Milliseconds by which a reported time may be passed without a new report. */
const WORTH_TELLING = 60_000;

export class RequestPace {
  readonly #needs: Needs;
  /** Milliseconds between two requests; 0: as fast as they come. */
  #pause = 0;
  /** Answers in a row that were "too many requests". */
  #strikes = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #reportedUntil = 0;
  #sent: number[] = [];
  readonly #reportedRates = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  sends(): void {
    const now = this.#needs.clock.now();
    this.#sent = [...this.#sent.slice(1 - RECENT), now];
    if (this.#pause > 0) this.#needs.queue.closeUntil(now + this.#pause);
  }

  well(): void {
    this.#strikes = 0;
    if (this.#pause === 0) return;
    this.#pause = Math.round(this.#pause * RECOVERY);
    if (this.#pause > NONE) return;
    this.#pause = 0;
    this.#needs.recorder.emit({ type: 'pace_changed', slower: false });
  }

  /** The service answers that it is asked too often; `sentAt`: of which request, in Unix milliseconds. Returns until when nothing is sent. */
  busy({ message, retryAfter }: { readonly message: string; readonly retryAfter?: number }, sentAt?: number): number {
    const { clock, recorder, queue } = this.#needs;
    const now = clock.now();
    const until = now + backoff(this.#strikes, { retryAfter });
    queue.closeUntil(until);
    // Those that were on their way already when it was slowed down say nothing new.
    if (sentAt === undefined || sentAt > this.#slowedAt) {
      const isNew = this.#pause === 0;
      this.#pause = Math.min(LONGEST, isNew ? Math.max(FIRST, Math.round(2 * this.#rhythm())) : 2 * this.#pause);
      this.#strikes += 1;
      this.#slowedAt = now;
      if (isNew || until > this.#reportedUntil + WORTH_TELLING) {
        this.#reportedUntil = until;
        recorder.emit({ type: 'pace_changed', slower: true, until, reason: message });
      }
    }
    return until;
  }

  /** A number of the settings is reached. */
  reached(key: InstanceKey, reached: RateReached, until: number): void {
    const { recorder, queue } = this.#needs;
    if (!queue.closeUntil(until, reached.model)) return;
    const text = rateText(reached);
    const first = this.#reportedRates.has(text) ? {} : ({ first: true } as const);
    this.#reportedRates.add(text);
    recorder.emit({ type: 'held_back', key, ...reached, until, ...first });
  }

  /** Milliseconds between two of the last requests, on average. */
  #rhythm(): number {
    const [first, last] = [this.#sent[0], this.#sent.at(-1)];
    return first === undefined || last === undefined ? 0 : (last - first) / Math.max(1, this.#sent.length - 1);
  }
}

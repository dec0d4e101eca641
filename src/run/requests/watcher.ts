/**
 * Follows generations to their final status. Events wake, polling is the truth: an event only ever causes one read of the
 * record, and regular reads find whatever the event stream loses, garbles or never sends.
 *
 * Regular reads are rare while the stream is up and has not been caught missing a completion, and follow the expected time of
 * this kind of generation when it is down: the first read when it is likely to be done, then a fraction of the time gone.
 */
import { type GenerationRecord, isTerminal } from '../../api/queue.ts';
import type { Answer, Service } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';

export interface Pace {
  /** Milliseconds between reads of one generation while the stream is trusted. */
  readonly slow: number;
  /** The shortest time between two reads. */
  readonly least: number;
  /** Where reading is free (the studio on this machine): how often to look for progress. */
  readonly progress?: number;
}

interface Watched {
  readonly id: string;
  /** Milliseconds this kind of generation is expected to take from now; undefined when nothing is known. */
  readonly expected: number | undefined;
  readonly progress: (record: GenerationRecord) => void;
  readonly signal: AbortSignal;
  /** It has been under way for a while, unwatched: the first read is now. */
  readonly isOld?: boolean;
}

export interface End {
  /** `lost`: the service took it, and has answered for a while that it knows no such generation. */
  readonly is: 'over' | 'lost';
  readonly record: GenerationRecord;
  /** Milliseconds it is estimated to have taken, from the reads of its record. */
  readonly took: number;
}

interface WatchHooks {
  stream(up: boolean, reason: string): void;
  well(): void;
  trouble(reason: string): void;
  /** It answers that it is asked too often. */
  busy(answer: Extract<Answer<never>, { readonly is: 'unavailable' }>): void;
  refused(reason: string): void;
}

/** The longest time in milliseconds between two reads of one generation. */
const LONGEST = 10 * 60_000;
/** How many completion events with unknown ids are kept. */
const EARLY_KEPT = 10_000;
/** Milliseconds after which a generation that the service accepted and now denies counts as lost: it may come back, and is not closed. */
const LOST_AFTER = 60_000;
/** Quick reads that follow a completion event before the usual pace returns: the event may precede the record. */
const SOON = 8;
/** What a read that was answered leaves of the longer pauses, and the longest that they get. */
const RECOVERY = 0.9;
const MOST_SLOW = 64;
/** A reason of its own for each would be an error with its stack. */
const WOKEN = Symbol('woken');

export interface WatchedService {
  /** Opens the shared stream; resolves, for everybody who asks, when it is up, or has failed, or after `patience` milliseconds. */
  listen(patience: number, signal: AbortSignal): Promise<void>;
  /** Resolves with its end; undefined when the signal aborted first. */
  watch(watched: Watched): Promise<End | undefined>;
  /** The run is over. The stream closes when the last one leaves. */
  leave(): void;
}

/** One for each service of a process, however many runs it follows. */
export class Watcher {
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #runs = new Set<WatchHooks>();
  readonly #sleepers = new Map<string, { wake: () => void }>();
  readonly #early = new Set<string>();
  #stop: (() => void) | undefined;
  #opening: Promise<void> | undefined;
  #up = false;
  /** The stream was up and missed a completion: it is not trusted again while any run goes on. */
  #missedCompletion = false;
  /** The most generations that were followed at once. */
  #most = 0;
  #streamReported: (() => void) | undefined;
  /** The factor by which pauses between reads are longer since the service answered that it is asked too often. */
  #slowness = 1;
  /** Unix milliseconds before which nothing is read, and milliseconds that this was asked for. */
  #quietUntil = 0;
  #quietFor = 0;

  constructor(service: Service, clock: Clock, pace: Pace) {
    this.#service = service;
    this.#clock = clock;
    this.#pace = pace;
  }

  join(hooks: WatchHooks): WatchedService {
    this.#runs.add(hooks);
    // A run that joins later has to learn the state of the stream.
    if (this.#up) hooks.stream(true, '');
    return {
      listen: (patience, signal) => this.#listen(patience, signal),
      watch: watched => this.#watch(watched, hooks),
      leave: () => {
        this.#runs.delete(hooks);
        if (this.#runs.size === 0) this.#close();
      },
    };
  }

  #listen(patience: number, signal: AbortSignal): Promise<void> {
    this.#opening ??= this.#open(patience, signal);
    return this.#opening;
  }

  async #open(patience: number, signal: AbortSignal): Promise<void> {
    const listening = new AbortController();
    this.#streamReported = () => listening.abort();
    this.#stop = this.#service.listen({
      completed: id => this.#completed(id),
      up: () => this.#changed(true, ''),
      down: reason => this.#changed(false, reason),
    });
    await this.#clock.sleep(patience, AbortSignal.any([signal, listening.signal]));
  }

  #close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#opening = undefined;
    this.#up = false;
    this.#missedCompletion = false;
  }

  async #watch(watched: Watched, hooks: WatchHooks): Promise<End | undefined> {
    const { id, signal } = watched;
    const began = this.#clock.now();
    let failures = 0;
    /** Milliseconds, awake, that it has been denied, or done without a result. */
    let denied = 0;
    let isDenied = false;
    let lastLook = 0;
    let isWoken = this.#early.delete(id) || watched.isOld === true;
    let asked = 0;
    let soon = 0;
    while (!signal.aborted) {
      if (!isWoken) {
        const beat = this.#wait(this.#clock.now() - began, watched.expected);
        const quick = soon > 0 ? backoff(SOON - soon, { first: this.#pace.least, longest: beat }) : beat;
        const wait = failures > 0 ? backoff(failures - 1, { retryAfter: asked }) : quick;
        soon = Math.max(0, soon - 1);
        isWoken = await this.#sleep(id, wait, signal);
        if (isDenied) denied += wait;
        if (signal.aborted) return undefined;
      }
      const byEvent = isWoken;
      isWoken = false;
      // Asked too often, the service is left alone by all, whatever its events say.
      while (!signal.aborted && this.#quietUntil > this.#clock.now()) {
        await this.#clock.sleep(Math.min(LONGEST, this.#quietUntil - this.#clock.now()), signal);
        if (this.#quietUntil - this.#clock.now() > this.#quietFor) this.#quietUntil = 0;
      }
      if (signal.aborted) return undefined;
      asked = 0;
      const answer = await this.#service.generation(id, signal);
      if (signal.aborted) return undefined;
      const gone = this.#clock.now() - began;
      switch (answer.is) {
        case 'ok':
          hooks.well();
          this.#slowness = Math.max(1, this.#slowness * RECOVERY);
          failures = 0;
          isDenied = answer.value.status === 'succeeded' && !answer.value.result_url;
          if (!isDenied) denied = 0;
          if (isTerminal(answer.value.status) && (!isDenied || denied > LOST_AFTER)) {
            if (!byEvent && this.#up && !this.#pace.progress) this.#missedCompletion = true;
            return { is: 'over', record: answer.value, took: byEvent ? gone : between(lastLook, gone) };
          }
          if (isDenied) soon ||= SOON;
          if (byEvent && soon === 0) soon = SOON;
          lastLook = gone;
          watched.progress(answer.value);
          break;
        case 'absent': {
          // A service may need a moment before it knows what it has just acknowledged.
          isDenied = true;
          failures += 1;
          if (denied > LOST_AFTER) {
            return { is: 'lost', record: { generation_id: id, status: 'unknown' }, took: gone };
          }
          break;
        }
        case 'unauthenticated':
          hooks.refused(answer.message);
          return undefined;
        case 'unavailable':
          failures += 1;
          asked = answer.retryAfter ?? 0;
          if (answer.busy) this.#slowDown(answer, hooks);
          else hooks.trouble(answer.message);
          break;
      }
    }
    return undefined;
  }

  /** Limits the pause: after a clock was set right or the machine slept, the computed pause may be as long as a day. */
  #wait(gone: number, expected: number | undefined): number {
    return Math.min(LONGEST, Math.round(this.#slowness * this.#likely(Math.max(0, gone), expected)));
  }

  #slowDown(answer: Parameters<WatchHooks['busy']>[0], hooks: WatchHooks): void {
    const now = this.#clock.now();
    // All reads of the same moment get the same answer, and it counts once.
    if (now >= this.#quietUntil) this.#slowness = Math.min(MOST_SLOW, 2 * this.#slowness);
    this.#quietFor = answer.retryAfter ?? 0;
    this.#quietUntil = Math.max(this.#quietUntil, now + this.#quietFor);
    hooks.busy(answer);
  }

  #likely(gone: number, expected: number | undefined): number {
    const { slow, least, progress } = this.#pace;
    if (progress) return progress;
    if (this.#up && !this.#missedCompletion) return Math.max(slow, 2 * (expected ?? 0) - gone);
    if (expected !== undefined && gone < expected) return Math.max(least, expected - gone);
    // Towards the end of a run nothing else fills the time: a late read delays the whole run.
    const isTail = this.#sleepers.size * 2 < this.#most;
    const first = expected === undefined && gone === 0;
    return first ? 3 * least : Math.max(least, (isTail ? 0.07 : expected === undefined ? 0.4 : 0.15) * gone);
  }

  /** True when an event woke it, false when the time was up. */
  async #sleep(id: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const woken = new AbortController();
    let byEvent = false;
    this.#sleepers.set(id, {
      wake: () => {
        byEvent = true;
        woken.abort(WOKEN);
      },
    });
    this.#most = Math.max(this.#most, this.#sleepers.size);
    await this.#clock.sleep(ms, AbortSignal.any([signal, woken.signal]));
    this.#sleepers.delete(id);
    return byEvent;
  }

  #completed(id: string): void {
    const sleeper = this.#sleepers.get(id);
    if (sleeper) {
      sleeper.wake();
      return;
    }
    // The event may overtake the answer to our own POST.
    if (this.#early.size >= EARLY_KEPT) this.#early.clear();
    this.#early.add(id);
  }

  #changed(up: boolean, reason: string): void {
    const changed = up !== this.#up;
    this.#up = up;
    this.#streamReported?.();
    if (!changed) return;
    for (const hooks of this.#runs) hooks.stream(up, reason);
    // One read of each now finds what completed while the stream was down.
    for (const sleeper of this.#sleepers.values()) sleeper.wake();
  }
}

/** Estimates when a generation ended that was running at `before` and over at `after`. If it was over at the first read, it ended earlier than that. */
const between = (before: number, after: number): number => (before === 0 ? 0.85 * after : (before + after) / 2);

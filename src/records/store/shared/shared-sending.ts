/** Sends results to a team's store behind a run: it holds nothing up and fails nothing, and the end reports what could not be sent. */
import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import { backoff } from '../../../machine/time/backoff.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import type { Store } from '../store.ts';
import { messages } from './shared-messages.ts';
import type { SharedPlace } from './shared-place.ts';

export interface SharedResultsOptions {
  readonly place: SharedPlace;
  readonly store: Store;
  readonly clock: Clock;
  /** False: nothing is sent. */
  readonly write: boolean;
  /** Milliseconds for which the first byte of a file is waited for; absent: as long as the place may take. */
  readonly patience?: number;
}

export interface SharedContent {
  readonly sha256: string;
  /** With its dot; empty where it has none. */
  readonly extension: string;
}

/** What a run reports of it at its end, in sentences. */
interface SharedEnd {
  readonly sent: number;
  readonly bytes: number;
  readonly reported: readonly string[];
}

interface EndOfSharing {
  readonly wait: 'for all' | 'for nothing';
  /** Hears that there is something to wait for. */
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** `nowhere`: no lock names what was sent, so nothing sends it later. */
  readonly named?: 'nowhere';
}

const SENDS = 4;
/** Milliseconds for which a place that failed is believed to fail. */
export const DOWN = 20_000;
/** Milliseconds after which what could not be sent is tried once more, and without a byte at the end of a run. */
const AGAIN = 5 * 60_000;
const STALLED = 30_000;
/** Files in a row that cannot be sent, before the rest is not tried for a while. */
const FAILURES = 3;
/** Milliseconds between two tries of a file that is waited for. */
const LONGEST_PAUSE = 5_000;

export class SharedSending {
  readonly to: string;
  readonly write: boolean;
  protected readonly options: SharedResultsOptions;
  protected readonly problems = new Set<string>();
  readonly #sends = new PQueue({ concurrency: SENDS });
  readonly #stop = new AbortController();
  readonly #asked = new Set<string>();
  readonly #unsent = new Map<string, { readonly content: SharedContent; readonly why: string }>();
  /** This process sent it or downloaded it. What was only looked at may have been half of it. */
  readonly #there = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  #failedAt = 0;
  /** One after the other, with nothing sent in between. */
  #failures = 0;
  #sent = { count: 0, bytes: 0 };
  /** When the last bytes that are on their way moved. */
  #movedAt = 0;
  #ending: Promise<SharedEnd> | undefined;

  constructor(options: SharedResultsOptions) {
    this.to = options.place.to;
    this.write = options.write;
    this.options = options;
  }

  /** Problems while a film was planned, each once. */
  takeProblems(): readonly string[] {
    const problems = [...this.problems];
    this.problems.clear();
    return problems;
  }

  /** Sends what is in the store of this machine, in the background. Never throws. */
  share(content: SharedContent): void {
    const { clock } = this.options;
    if (!this.write || this.#asked.has(content.sha256)) return;
    this.#asked.add(content.sha256);
    this.#send(content);
    if (this.#failedAt > 0 && clock.now() - this.#failedAt > AGAIN) this.#sendFailed();
  }

  /**
   * Resolves with true as soon as the place has this content, before others are notified; with false where the signal aborts
   * first. A place that is down is waited for, however long. What is not in the store of this machine is not sent.
   * @param trouble hears why it is not there yet, in words about the place; undefined: it is.
   */
  async sent(
    content: SharedContent,
    signal: AbortSignal,
    trouble: (message: string | undefined) => void = () => {},
  ): Promise<boolean> {
    const over = AbortSignal.any([signal, this.#stop.signal]);
    const left = Promise.withResolvers<void>();
    const leave = () => left.resolve();
    over.addEventListener('abort', leave, { once: true });
    let isTroubled = false;
    try {
      for (let attempt = 0; !over.aborted; attempt++) {
        this.#asked.add(content.sha256);
        if (!this.#there.has(content.sha256))
          await Promise.race([this.#underWay.get(content.sha256) ?? this.#begin(content), left.promise]);
        if (this.#there.has(content.sha256)) {
          if (isTroubled) trouble(undefined);
          return true;
        }
        if (over.aborted) break;
        isTroubled = true;
        trouble(messages.problem(this.to, this.#unsent.get(content.sha256)?.why ?? messages.leftOver()));
        await this.options.clock.sleep(backoff(attempt, { longest: LONGEST_PAUSE }), over);
        // A caller waits for it: the place itself is asked whether it is back.
        this.#failures = 0;
      }
      return false;
    } finally {
      over.removeEventListener('abort', leave);
    }
  }

  /** It was downloaded from there, or another part of the program put it there. */
  isThere(sha256: string): void {
    this.#there.add(sha256);
  }

  protected isKnownThere(sha256: string): boolean {
    return this.#there.has(sha256);
  }

  #sendFailed(): void {
    this.#failedAt = 0;
    for (const { content, why } of [...this.#unsent.values()]) if (why !== messages.leftOver()) this.#send(content);
  }

  #send(content: SharedContent): void {
    // Until it is there it is unsent, whatever ends this process.
    this.#unsent.set(content.sha256, { content, why: messages.leftOver() });
    void this.#begin(content);
  }

  async #begin(content: SharedContent): Promise<void> {
    const sending = this.#sends.add(() => this.#sendNow(content));
    this.#underWay.set(content.sha256, sending);
    try {
      await sending;
    } finally {
      if (this.#underWay.get(content.sha256) === sending) this.#underWay.delete(content.sha256);
    }
  }

  async #sendNow(content: SharedContent): Promise<void> {
    const { place, store, clock } = this.options;
    if (this.#stop.signal.aborted) return;
    const fail = (why: string) => {
      this.#failedAt = clock.now();
      this.#failures++;
      this.#unsent.set(content.sha256, { content, why });
    };
    // Where several failed a moment ago, the rest is left for later at once.
    const isDown = this.#failures >= FAILURES && clock.now() - this.#failedAt < DOWN;
    if (isDown) {
      this.#unsent.set(content.sha256, { content, why: this.#lastFailure() ?? messages.leftOver() });
      return;
    }
    try {
      const path = await store.pathOf(content.sha256);
      const bytes = (await stat(path)).size;
      const moved = () => {
        this.#movedAt = clock.now();
      };
      let isNew = false;
      const onProgress = (sent: number) => {
        if (sent > 0) isNew = true;
        moved();
      };
      moved();
      const sent = await place.send({ ...content, path, bytes }, onProgress, this.#stop.signal);
      moved();
      if (sent.is === 'stopped') return;
      if (sent.is === 'failed') return fail(withoutName(sent.message, this.to));
      this.#failures = 0;
      this.#unsent.delete(content.sha256);
      this.#there.add(content.sha256);
      if (isNew) this.#sent = { count: this.#sent.count + 1, bytes: this.#sent.bytes + bytes };
    } catch (error) {
      // What a cache gave up meanwhile is there.
      const isThere =
        !store.has(content.sha256) && (await place.look(content.sha256, this.#stop.signal)).is === 'there';
      if (!isThere) return fail(error instanceof Error ? error.message : String(error));
      this.#unsent.delete(content.sha256);
      this.#there.add(content.sha256);
    }
  }

  #lastFailure(): string | undefined {
    return [...this.#unsent.values()].findLast(({ why }) => why !== messages.leftOver())?.why;
  }

  /** Files that are still to be sent. */
  get open(): number {
    return this.#sends.size + this.#sends.pending;
  }

  /** Waits for what is being sent for as long as it moves, and closes. */
  end(how: EndOfSharing): Promise<SharedEnd> {
    this.#ending ??= this.#end(how);
    return this.#ending;
  }

  #later(named: EndOfSharing['named']): string {
    return named === 'nowhere' ? messages.onlyHere() : messages.pushed(this.#unsent.size);
  }

  async #end({ wait, say, signal, named }: EndOfSharing): Promise<SharedEnd> {
    const { clock, place } = this.options;
    const stop = AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])]);
    if (wait === 'for all' && this.open > 0) {
      say?.(messages.sending(this.to, this.open));
      this.#movedAt = clock.now();
      let isIdle = false;
      const idle = this.#sends.onIdle().then(() => {
        isIdle = true;
      });
      while (!isIdle && !stop.aborted && clock.now() - this.#movedAt < STALLED)
        await Promise.race([idle, clock.sleep(1_000, stop)]);
    }
    this.#stop.abort();
    this.#sends.clear();
    const reported = [...this.takeProblems()];
    if (this.#sent.count > 0) reported.push(messages.sent(this.to, this.#sent.count, this.#sent.bytes));
    if (this.#unsent.size > 0)
      reported.push(
        messages.unsent(this.to, this.#unsent.size, this.#lastFailure() ?? messages.leftOver(), this.#later(named)),
      );
    await place.close();
    return { sent: this.#sent.count, bytes: this.#sent.bytes, reported };
  }
}

const withoutName = (message: string, name: string): string =>
  message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;

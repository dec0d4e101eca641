/**
 * What a team has of results, beside what is on this machine: looked for while a film is planned, downloaded when it is needed, and sent
 * there behind a run. The lock names results by content, so any machine with the lock knows what to ask for.
 *
 * - What comes is hashed on its way and never used where it is something else.
 * - "I cannot say" is never "it is not there": the one is waited for, the other is paid for.
 * - Sending holds nothing up and fails nothing. The end reports what could not be sent, which can be sent later.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import { diskErrorFrom } from '../../../machine/files/disk-error.ts';
import { backoff } from '../../../machine/time/backoff.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { deadline } from '../../../machine/time/deadline.ts';
import { SingleFlight } from '../single-flight.ts';
import type { Store } from '../store.ts';
import { messages } from './shared-messages.ts';
import type { Looked, SharedPlace } from './shared-place.ts';

interface SharedResultsOptions {
  readonly place: SharedPlace;
  /** Of this machine. */
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

/** `there` as far as anybody knows: it is asked for when it is needed. */
type Shared = 'there' | 'missing' | 'not asked';

type DownloadOutcome =
  | { readonly is: 'ok' }
  | { readonly is: 'missing' }
  /** It may be there, and cannot be had now. */
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'stopped' };

/** What a run reports of it at its end, in sentences. */
interface SharedEnd {
  readonly sent: number;
  readonly bytes: number;
  readonly said: readonly string[];
}

interface EndOfSharing {
  readonly wait: 'for all' | 'for nothing';
  /** Hears that there is something to wait for. */
  readonly say?: (text: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** `nowhere`: no lock names what was sent, so nothing sends it later. */
  readonly named?: 'nowhere';
}

/** Questions at once, and milliseconds for all of them while a plan is made. */
const LOOKS = 32;
const LOOKING = 3_000;
/** Files at once, in each direction. */
const DOWNLOADS = 8;
const SENDS = 4;
/** Milliseconds for which a place that failed is believed to fail. */
const DOWN = 20_000;
/** Milliseconds after which what could not be sent is tried once more, and without a byte at the end of a run. */
const AGAIN = 5 * 60_000;
const STALLED = 30_000;
/** Files in a row that cannot be sent, before the rest is not tried for a while. */
const FAILURES = 3;
/** Milliseconds between two tries of a file that is waited for. */
const LONGEST_PAUSE = 5_000;
/** Times that one download is begun anew. */
const TRIES = 3;

export class SharedResults {
  readonly to: string;
  readonly write: boolean;
  readonly #options: SharedResultsOptions;
  readonly #seen = new Map<string, Shared>();
  readonly #wanted = new Set<string>();
  readonly #flights = new SingleFlight<DownloadOutcome, []>();
  readonly #downloads = new PQueue({ concurrency: DOWNLOADS });
  readonly #sends = new PQueue({ concurrency: SENDS });
  readonly #stop = new AbortController();
  readonly #asked = new Set<string>();
  readonly #unsent = new Map<string, { readonly content: SharedContent; readonly why: string }>();
  readonly #problems = new Set<string>();
  /** This process sent it or downloaded it. What was only looked at may have been half of it. */
  readonly #there = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  #looking = 0;
  #down: { readonly at: number; readonly message: string } | undefined;
  #failedAt = 0;
  /** One after the other, with nothing sent in between. */
  #failures = 0;
  #sent = { count: 0, bytes: 0 };
  /** Bytes that are on their way, and when the last of them moved. */
  #waiting = 0;
  #movedAt = 0;
  #ending: Promise<SharedEnd> | undefined;

  constructor(options: SharedResultsOptions) {
    this.to = options.place.to;
    this.write = options.write;
    this.#options = options;
  }

  /** Answers at once. `look` asks about what was not asked about yet. */
  status(sha256: string): Shared {
    const seen = this.#seen.get(sha256);
    if (seen === undefined) this.#wanted.add(sha256);
    return seen ?? 'not asked';
  }

  /** Asks about everything that `status` could not tell, for as long as a plan may take. True where something is missing there. */
  async look(): Promise<boolean> {
    const { place, clock } = this.#options;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    if (wanted.length === 0) return false;
    const left = LOOKING - this.#looking;
    const begun = clock.now();
    using late = deadline(Math.max(0, left), { clock });
    let isAnyMissing = false;
    const fault = new AbortController();
    const signal = AbortSignal.any([late.signal, fault.signal]);
    const looks = new PQueue({ concurrency: LOOKS });
    const over = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    for (const sha256 of wanted) {
      this.#seen.set(sha256, 'not asked');
      void looks.add(async () => {
        if (signal.aborted || left <= 0) return;
        const looked = await place.look(sha256, signal);
        if (signal.aborted) return;
        if (looked.is === 'fault') {
          // It fails for the next one as well, and is asked again when a run needs it.
          this.#problems.add(messages.told(this.to, looked.message));
          fault.abort();
          return;
        }
        this.#seen.set(sha256, looked.is);
        isAnyMissing ||= looked.is === 'missing';
      });
    }
    await Promise.race([looks.onIdle(), over]);
    looks.clear();
    this.#looking += clock.now() - begun;
    return isAnyMissing;
  }

  /** Problems while a film was planned, each once. */
  takeProblems(): readonly string[] {
    const problems = [...this.#problems];
    this.#problems.clear();
    return problems;
  }

  /** Asks about each, for as long as that takes; after the first that the place cannot tell of, about no other. */
  async ask(digests: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Looked>> {
    const looked = new Map<string, Looked>();
    const questions = new PQueue({ concurrency: LOOKS });
    let fault: Looked | undefined;
    for (const sha256 of digests) {
      void questions.add(async () => {
        const answer = fault ?? (await this.#options.place.look(sha256, signal));
        if (answer.is === 'fault') fault = answer;
        looked.set(sha256, answer);
      });
    }
    await questions.onIdle();
    return looked;
  }

  /** Into the store of this machine. Many may ask for the same at once: it comes once. */
  download(sha256: string, signal: AbortSignal): Promise<DownloadOutcome> {
    if (this.#options.store.has(sha256)) return Promise.resolve({ is: 'ok' });
    const waiter = { signal, onNews: undefined, left: { is: 'stopped' } as const };
    return this.#flights.join(
      sha256,
      waiter,
      async still => (await this.#downloads.add(() => this.#download(sha256, still))) ?? { is: 'stopped' },
    );
  }

  async #download(sha256: string, signal: AbortSignal): Promise<DownloadOutcome> {
    const { clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      if (signal.aborted) return { is: 'stopped' };
      if (this.#down && clock.now() - this.#down.at < DOWN) return { is: 'failed', message: this.#down.message };
      const opened = await this.#opened(sha256, signal);
      if (signal.aborted) return { is: 'stopped' };
      if (opened.is === 'fault') return this.#isDown(opened.message);
      this.#down = undefined;
      this.#seen.set(sha256, opened.is === 'missing' ? 'missing' : 'there');
      if (opened.is === 'missing') return opened;
      const taken = await this.#take(sha256, opened, signal);
      if (taken.is === 'ok') return taken;
      if (signal.aborted) return { is: 'stopped' };
      if (taken.is === 'broken' && attempt < TRIES) continue;
      return taken.is === 'broken' ? this.#isDown(taken.message) : this.#failed(taken.message);
    }
  }

  /** The answer of the place, in the time that it has. */
  async #opened(sha256: string, signal: AbortSignal): Promise<Opened> {
    const { place, clock, patience } = this.#options;
    if (patience === undefined) return await place.read(sha256, signal);
    using late = deadline(patience, { clock });
    const silent = Promise.withResolvers<Opened>();
    late.signal.addEventListener('abort', () =>
      silent.resolve({ is: 'fault', message: messages.silent(Math.round(patience / 1000)) }),
    );
    return await Promise.race([place.read(sha256, AbortSignal.any([signal, late.signal])), silent.promise]);
  }

  async #take(
    sha256: string,
    { bytes, extension }: { readonly bytes: AsyncIterable<Buffer>; readonly extension: string },
    signal: AbortSignal,
  ): Promise<{ readonly is: 'ok' } | { readonly is: 'broken' | 'failed'; readonly message: string }> {
    const { store } = this.#options;
    try {
      await store.put(checked(bytes, sha256, signal), extension);
      this.#there.add(sha256);
      return { is: 'ok' };
    } catch (error) {
      if (error instanceof OtherBytes) return { is: 'failed', message: messages.otherBytes(sha256) };
      const trouble = error instanceof BrokenOff ? undefined : diskErrorFrom(error, store.partials);
      if (trouble) return { is: 'failed', message: messages.notKept(trouble.message) };
      return { is: 'broken', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #failed(message: string): DownloadOutcome {
    this.#problems.add(messages.told(this.to, message));
    return { is: 'failed', message };
  }

  #isDown(message: string): DownloadOutcome {
    this.#down = { at: this.#options.clock.now(), message };
    return this.#failed(message);
  }

  /** Sends what is in the store of this machine, in the background. Never throws. */
  share(content: SharedContent): void {
    const { clock } = this.#options;
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
        trouble(messages.told(this.to, this.#unsent.get(content.sha256)?.why ?? messages.leftOver()));
        await this.#options.clock.sleep(backoff(attempt, { longest: LONGEST_PAUSE }), over);
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
    const { place, store, clock } = this.#options;
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
    let bytes = 0;
    try {
      const path = await store.pathOf(content.sha256);
      bytes = (await stat(path)).size;
      this.#waiting += bytes;
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
      this.#seen.set(content.sha256, 'there');
      this.#there.add(content.sha256);
      if (isNew) this.#sent = { count: this.#sent.count + 1, bytes: this.#sent.bytes + bytes };
    } catch (error) {
      // What a cache gave up meanwhile is there.
      const isThere =
        !store.has(content.sha256) && (await place.look(content.sha256, this.#stop.signal)).is === 'there';
      if (!isThere) return fail(error instanceof Error ? error.message : String(error));
      this.#unsent.delete(content.sha256);
      this.#there.add(content.sha256);
    } finally {
      this.#waiting -= bytes;
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
    const { clock, place } = this.#options;
    const stop = AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])]);
    if (wait === 'for all' && this.open > 0) {
      say?.(messages.sending(this.to, this.open, this.#waiting));
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
    const said = [...this.takeProblems()];
    if (this.#sent.count > 0) said.push(messages.sent(this.to, this.#sent.count, this.#sent.bytes));
    if (this.#unsent.size > 0)
      said.push(
        messages.unsent(this.to, this.#unsent.size, this.#lastFailure() ?? messages.leftOver(), this.#later(named)),
      );
    await place.close();
    return { sent: this.#sent.count, bytes: this.#sent.bytes, said };
  }
}

type Opened = Awaited<ReturnType<SharedPlace['read']>>;

class OtherBytes extends Error {}
/** Of the place, not of the disk of this machine: both name a system call. */
class BrokenOff extends Error {}

/** All of it, or an error before its end. */
async function* checked(
  bytes: AsyncIterable<Buffer>,
  sha256: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch(error => {
        throw new BrokenOff(error instanceof Error ? error.message : String(error), { cause: error });
      });
      if (next.done) break;
      signal.throwIfAborted();
      hash.update(next.value);
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
  if (hash.digest('hex') !== sha256) throw new OtherBytes(sha256);
}

const withoutName = (message: string, name: string): string =>
  message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;

/**
 * What a team has of results, beside what is on this machine: looked for while a film is planned, downloaded when it is needed, and sent
 * there behind a run. The lock names results by content, so any machine with the lock knows what to ask for.
 *
 * - What comes is hashed on its way and never used where it is something else.
 * - "I cannot say" is never "it is not there": the one is waited for, the other is paid for.
 * - Sending holds nothing up and fails nothing. The end reports what could not be sent, which can be sent later.
 */
import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { diskErrorFrom } from '../../../machine/files/disk-error.ts';
import { deadline } from '../../../machine/time/deadline.ts';
import { SingleFlight } from '../single-flight.ts';
import { messages } from './shared-messages.ts';
import type { Looked, SharedPlace } from './shared-place.ts';
import { DOWN, SharedSending } from './shared-sending.ts';

/** `there` as far as anybody knows: it is asked for when it is needed. */
type Shared = 'there' | 'missing' | 'not asked';

type DownloadOutcome =
  | { readonly is: 'ok' | 'missing' | 'stopped' }
  /** It may be there, and cannot be had now. */
  | { readonly is: 'failed'; readonly message: string };

/** Questions at once, and milliseconds for all of them while a plan is made. */
const LOOKS = 32;
const LOOKING = 3_000;
const DOWNLOADS = 8;
/** Times that one download is begun anew. */
const TRIES = 3;

export class SharedResults extends SharedSending {
  readonly #seen = new Map<string, Shared>();
  readonly #wanted = new Set<string>();
  readonly #flights = new SingleFlight<DownloadOutcome, []>();
  readonly #downloads = new PQueue({ concurrency: DOWNLOADS });
  #looking = 0;
  #down: { readonly at: number; readonly message: string } | undefined;

  /** Answers at once. `look` asks about what was not asked about yet. */
  status(sha256: string): Shared {
    const seen = this.isKnownThere(sha256) ? 'there' : this.#seen.get(sha256);
    if (seen === undefined) this.#wanted.add(sha256);
    return seen ?? 'not asked';
  }

  /** Asks about everything that `status` could not tell, for as long as a plan may take. True where something is missing there. */
  async look(): Promise<boolean> {
    const { place, clock } = this.options;
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
          this.problems.add(messages.problem(this.to, looked.message));
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

  /** Asks about each, for as long as that takes; after the first that the place cannot tell of, about no other. */
  async ask(digests: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Looked>> {
    const looked = new Map<string, Looked>();
    const questions = new PQueue({ concurrency: LOOKS });
    let fault: Looked | undefined;
    for (const sha256 of digests) {
      void questions.add(async () => {
        const answer = fault ?? (await this.options.place.look(sha256, signal));
        if (answer.is === 'fault') fault = answer;
        looked.set(sha256, answer);
      });
    }
    await questions.onIdle();
    return looked;
  }

  /** Into the store of this machine. Many may ask for the same at once: it comes once. */
  download(sha256: string, signal: AbortSignal): Promise<DownloadOutcome> {
    if (this.options.store.has(sha256)) return Promise.resolve({ is: 'ok' });
    const waiter = { signal, onNews: undefined, left: { is: 'stopped' } as const };
    return this.#flights.join(
      sha256,
      waiter,
      async still => (await this.#downloads.add(() => this.#download(sha256, still))) ?? { is: 'stopped' },
    );
  }

  async #download(sha256: string, signal: AbortSignal): Promise<DownloadOutcome> {
    const { clock } = this.options;
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
    const { place, clock, patience } = this.options;
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
    const { store } = this.options;
    try {
      await store.put(checked(bytes, sha256, signal), extension);
      this.isThere(sha256);
      return { is: 'ok' };
    } catch (error) {
      if (error instanceof OtherBytes) return { is: 'failed', message: messages.otherBytes(sha256) };
      const trouble = error instanceof BrokenOff ? undefined : diskErrorFrom(error, store.partials);
      if (trouble) return { is: 'failed', message: messages.notKept(trouble.message) };
      return { is: 'broken', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #failed(message: string): DownloadOutcome {
    this.problems.add(messages.problem(this.to, message));
    return { is: 'failed', message };
  }

  #isDown(message: string): DownloadOutcome {
    this.#down = { at: this.options.clock.now(), message };
    return this.#failed(message);
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

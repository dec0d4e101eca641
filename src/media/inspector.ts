/**
 * Looks at files that somebody else made, out of this process: decoders crash and spin over bytes they were not made for, and a run
 * with money on the wire must not go down with one. One helper process, started with the first file (0.1 s) and warm for the next
 * (a 5 s film in 1080p takes 30 ms, a picture 5); one file at a time, so that a crash is one file's fault.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { MediaFacts, MediaKind } from '../domain/media.ts';
import type { Clock } from '../host/clock.ts';
import { NAMES } from './came-instead.ts';
import { NotMedia } from './not-media.ts';
import type { Misfit } from './verify.ts';

export interface Question {
  readonly id: number;
  readonly path: string;
  /** Absent: whatever it is. */
  readonly kind?: MediaKind | undefined;
}

export interface Answer {
  readonly id: number;
  readonly found?: MediaFacts | Misfit;
  readonly notMedia?: string;
  readonly failed?: string;
}

export interface InspectorOptions {
  readonly clock: Clock;
  /** The program that looks; a test brings one that crashes. */
  readonly entry?: string;
}

/** Milliseconds for one file, and for each megabyte of it: a film that is read to its end may be long. */
const PATIENCE = 30_000;
const PATIENCE_EACH = 50;

/** A signal from somebody else (an operator, the kernel short of memory) says nothing about the file. */
const FROM_OUTSIDE: readonly (NodeJS.Signals | null)[] = [null, 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'];

type Ending =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'late'; readonly seconds: number }
  | { readonly is: 'crashed'; readonly signal: NodeJS.Signals | null };

export class Inspector {
  readonly #options: InspectorOptions;
  #child: ChildProcess | undefined;
  #asked = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** See `verifyMedia`. A file that no reader survives is a misfit too. @throws when nobody could look at it. */
  async verify(path: string, kind: MediaKind, signal?: AbortSignal): Promise<MediaFacts | Misfit> {
    const ending = await this.#inTurn({ path, kind }, signal);
    switch (ending.is) {
      case 'answered': {
        const { found, notMedia, failed } = ending.answer;
        if (found === undefined) throw new Error(notMedia ?? failed ?? 'the reader said nothing');
        return found;
      }
      case 'late':
        return { misfit: `${NAMES[kind]} that takes longer than ${ending.seconds} s to read` };
      case 'crashed':
        return { misfit: `${NAMES[kind]} over which its reader crashes (${ending.signal})` };
    }
  }

  /** See `probe`. @throws {NotMedia} also for a file that no reader survives. */
  async probe(path: string, signal?: AbortSignal): Promise<MediaFacts> {
    const ending = await this.#inTurn({ path }, signal);
    switch (ending.is) {
      case 'answered': {
        const { found, notMedia, failed } = ending.answer;
        if (found !== undefined && 'kind' in found) return found;
        throw notMedia === undefined ? new Error(failed ?? 'the reader said nothing') : new NotMedia(notMedia);
      }
      case 'late':
        throw new NotMedia(`reading it took longer than ${ending.seconds} s: export it again, shorter or simpler`);
      case 'crashed':
        throw new NotMedia(`reading it crashed the reader (${ending.signal}): export it again`);
    }
  }

  /** Ends the helper; the next question would start another. */
  async close(): Promise<void> {
    await this.#last;
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #inTurn(question: Omit<Question, 'id'>, signal = new AbortController().signal): Promise<Ending> {
    const turn = this.#last.then(() => this.#ask(question, signal));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask(question: Omit<Question, 'id'>, signal: AbortSignal): Promise<Ending> {
    const first = await this.#once(question, signal);
    if (first.is !== 'crashed' || !FROM_OUTSIDE.includes(first.signal)) return first;
    const second = await this.#once(question, signal);
    if (second.is !== 'crashed' || !FROM_OUTSIDE.includes(second.signal)) return second;
    throw new Error(
      `the process that looks at media was ended twice (${second.signal ?? 'it left'}); free some memory, then run again`,
    );
  }

  async #once(question: Omit<Question, 'id'>, stop: AbortSignal): Promise<Ending> {
    const { clock } = this.#options;
    const { size } = await stat(question.path);
    const seconds = Math.round((PATIENCE + (size / 1e6) * PATIENCE_EACH) / 1000);
    stop.throwIfAborted();
    const child = this.#hire();
    const id = ++this.#asked;
    const over = new AbortController();
    hold(child);
    try {
      return await new Promise<Ending>((resolve, reject) => {
        const { signal } = over;
        const hear = (answer: Answer) => answer.id === id && resolve({ is: 'answered', answer });
        const gone = (_code: number | null, signal: NodeJS.Signals | null) => resolve({ is: 'crashed', signal });
        const unfit = (error: Error) => reject(new Error(`media cannot be looked at: ${error.message}; run again`));
        child.on('message', hear).once('exit', gone).once('error', unfit);
        signal.addEventListener('abort', () => child.off('message', hear).off('exit', gone).off('error', unfit), {
          once: true,
        });
        const called = () => {
          child.kill('SIGKILL');
          reject(stop.reason);
        };
        stop.addEventListener('abort', called, { once: true, signal });
        // One that has just left is told by its exit.
        child.send({ id, ...question } satisfies Question, () => {});
        if (child.exitCode !== null || child.signalCode !== null) gone(child.exitCode, child.signalCode);
        void clock.sleep(seconds * 1000, signal).then(() => {
          if (signal.aborted) return;
          child.kill('SIGKILL');
          resolve({ is: 'late', seconds });
        });
      });
    } finally {
      over.abort();
      letGo(child);
    }
  }

  #hire(): ChildProcess {
    const alive = this.#child?.connected && this.#child.exitCode === null && this.#child.signalCode === null;
    if (alive && this.#child !== undefined && !this.#child.killed) return this.#child;
    const child = fork(this.#options.entry ?? ENTRY, [], {
      // Its memory is pictures, which V8 knows nothing of; and a stranger's bytes meet nobody's keys there.
      execArgv: ['--max-semi-space-size=2'],
      ...(platform() === 'win32' ? {} : { env: { MALLOC_ARENA_MAX: '2' } }),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Out of the terminal's reach: a Ctrl-C is the run's to hear.
      detached: platform() !== 'win32',
    });
    child.on('error', () => {});
    this.#child = child;
    return child;
  }
}

/** While it works we wait for it; while it idles it keeps nobody from ending. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref?.();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref?.();
}

/** Beside the bundle, or as it is in the source. */
const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inspector-process.ts' : './inspector-process.js', import.meta.url),
);

/**
 * Looks at foreign files, out of this process: decoders crash and spin over bytes they were not made for, and a run
 * with money on the wire must not go down with one. One worker, started with the first file (0.1 s) and warm for the next
 * (a 5 s film in 1080p takes 30 ms, a picture 5); one file at a time, so that a crash is one file's fault.
 */
import { statSync } from 'node:fs';
import { programFile } from '../../machine/process/program-url.ts';
import { WorkerPool } from '../../machine/process/worker-pool.ts';
import { type Crashed, isFromOutside, type JobOutcome } from '../../machine/process/worker-process.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { MediaFacts, MediaKind } from '../../model/media/media.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { NAMES, NotMedia } from './not-media.ts';
import type { Misfit } from './verify.ts';

export interface MediaQuestion {
  readonly path: string;
  /** Absent: whatever it is. */
  readonly kind?: MediaKind;
}

export type MediaVerdict = MediaFacts | Misfit;

interface InspectorOptions {
  readonly clock: Clock;
  /** The program that looks; a test brings one that crashes. */
  readonly entry?: string;
}

/** Milliseconds for one file, and for each megabyte of it: a film that is read to its end may be long. */
const LIMIT = 30_000;
const LIMIT_PER_MEGABYTE = 50;

type InspectionOutcome =
  | Exclude<JobOutcome<MediaVerdict>, { is: 'too late' }>
  | { readonly is: 'late'; readonly seconds: number };

export class Inspector {
  readonly #options: InspectorOptions;
  #workers: WorkerPool<MediaQuestion, MediaVerdict> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** See `verifyMedia`. A file that no reader survives is a misfit too. @throws {Refusal} when this machine could not look at it. */
  async verify(path: string, kind: MediaKind, signal?: AbortSignal): Promise<MediaFacts | Misfit> {
    const outcome = await this.#inTurn({ path, kind }, signal);
    switch (outcome.is) {
      case 'done':
        return outcome.result;
      case 'failed':
        throw new Error(outcome.message);
      case 'late':
        return { misfit: `${NAMES[kind]} that takes longer than ${outcome.seconds} s to read` };
      case 'too large':
        return { misfit: `${NAMES[kind]} that takes too much memory to read` };
      case 'crashed':
        return { misfit: `${NAMES[kind]} over which its reader crashes (${outcome.signal})` };
    }
  }

  /** See `probe`. @throws {NotMedia} also for a file that no reader survives. @throws {Refusal} when this machine could not look at it. */
  async probe(path: string, signal?: AbortSignal): Promise<MediaFacts> {
    const outcome = await this.#inTurn({ path }, signal);
    switch (outcome.is) {
      case 'done':
        if ('kind' in outcome.result) return outcome.result;
        throw new Error(outcome.result.misfit);
      case 'failed':
        throw outcome.bug === undefined ? new NotMedia(outcome.message) : new Error(outcome.message);
      case 'late':
        throw new NotMedia(`reading it took longer than ${outcome.seconds} s: export it again, shorter or simpler`);
      case 'too large':
        throw new NotMedia('reading it took too much memory: export it again, shorter or simpler');
      case 'crashed':
        throw new NotMedia(`reading it crashed the reader (${outcome.signal}): export it again`);
    }
  }

  /** Ends the worker; the next question would start another. */
  async close(): Promise<void> {
    await this.#last;
    await this.#workers?.close();
    this.#workers = undefined;
  }

  #inTurn(question: MediaQuestion, signal = new AbortController().signal): Promise<InspectionOutcome> {
    const turn = this.#last.then(() => this.#ask(question, signal));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask(question: MediaQuestion, signal: AbortSignal): Promise<InspectionOutcome> {
    const { clock, entry = ENTRY } = this.#options;
    const { size } = statSync(question.path);
    const seconds = Math.round((LIMIT + (size / 1e6) * LIMIT_PER_MEGABYTE) / 1000);
    this.#workers ??= new WorkerPool({ program: { entry, name: 'reader' }, again: hasNoReason });
    const terms = { name: question.path, signal, clock, deadline: seconds * 1000 };
    const outcome = await this.#workers.execute(question, terms);
    if (outcome.is === 'too late') return { is: 'late', seconds };
    if (outcome.is !== 'crashed') return outcome;
    if (outcome.error) throw new Refusal(`media cannot be looked at: ${outcome.error.message}; run again`);
    if (!hasNoReason(outcome)) return outcome;
    throw new Refusal(
      `the process that looks at media was ended twice (${outcome.signal ?? 'it left'}); free some memory, then run again`,
    );
  }
}

/** A process that was ended from outside, or had just left by itself, is no fault of the file. */
const hasNoReason = (crash: Crashed): boolean =>
  isFromOutside(crash) || (crash.signal === null && crash.error === undefined);

const ENTRY = programFile(import.meta.url, './inspector-program.ts', './inspector-program.js');

/**
 * Takes frames and sound out of foreign videos, out of this process: see `inspector.ts` for why. A worker is
 * started for each that is asked for at the same time (0.4 s, most of it the engine's) and stays warm for the next.
 */
import { stat } from 'node:fs/promises';
import { programFile } from '../../machine/process/program-url.ts';
import { WorkerPool } from '../../machine/process/worker-pool.ts';
import { FRUGAL, isFromOutside } from '../../machine/process/worker-process.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { DerivedPart } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { DeriveJob } from './derive.ts';

interface DeriverOptions {
  readonly clock: Clock;
  /** The program that takes them; a test brings one that crashes. */
  readonly entry?: string;
}

type Derivation =
  | { readonly is: 'ok'; readonly facts: MediaFacts }
  /** In words about the video: `it has no sound`. `here`: this machine could not read it, and neither the video nor the file is wrong. */
  | { readonly is: 'failed'; readonly message: string; readonly here?: true }
  | { readonly is: 'stopped' };

/** Milliseconds for one, and for each megabyte of the video. */
const LIMIT = 60_000;
const LIMIT_PER_MEGABYTE = 100;

/** Jobs of a worker: native libraries leak. */
const SHARE = 200;

export class Deriver {
  readonly #options: DeriverOptions;
  readonly #workers: WorkerPool<DeriveJob, MediaFacts>;

  constructor(options: DeriverOptions) {
    this.#options = options;
    const environment = { ...FRUGAL.env };
    this.#workers = new WorkerPool({
      program: { entry: options.entry ?? ENTRY, name: 'frame taker', environment },
      share: SHARE,
      again: () => true,
    });
  }

  /** @param out where it is written; nothing that can be relied on is there unless it is ok. */
  async take(path: string, what: DerivedPart, out: string, signal: AbortSignal): Promise<Derivation> {
    if (signal.aborted) return { is: 'stopped' };
    const job = { path, what, out };
    const { clock } = this.#options;
    const { size } = await stat(job.path);
    const deadline = Math.round(LIMIT + (size / 1e6) * LIMIT_PER_MEGABYTE);
    try {
      const outcome = await this.#workers.execute(job, { name: job.path, signal, clock, deadline });
      switch (outcome.is) {
        case 'done':
          return { is: 'ok', facts: outcome.result };
        case 'failed':
          return { is: 'failed', message: outcome.message, ...(outcome.bug !== undefined && { here: true }) };
        case 'too late':
          return { is: 'failed', message: `it takes longer than ${Math.round(deadline / 1000)} s to read`, here: true };
        case 'too large':
          return { is: 'failed', message: 'it takes too much memory to read', here: true };
        case 'crashed':
          return isFromOutside(outcome)
            ? { is: 'failed', message: `the process that reads it ${outcome.how}, twice; free some memory`, here: true }
            : { is: 'failed', message: `it cannot be read: the process that did so ${outcome.how}, twice`, here: true };
      }
    } catch (error) {
      if (signal.aborted) return { is: 'stopped' };
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#workers.close();
  }
}

const ENTRY = programFile(import.meta.url, './derive-program.ts', './derive-program.js');

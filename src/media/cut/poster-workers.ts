/** Small stills of many films and pictures, for a page: in processes that stay warm from one to the next, each at most 640 pixels wide. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { programFile } from '../../machine/process/program-url.ts';
import { WorkerPool } from '../../machine/process/worker-pool.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { CutTask } from './poster.ts';

interface PostersOptions {
  readonly clock: Clock;
  /** The program that draws; a test brings one that dies. */
  readonly entry?: string;
}

interface SmallStill {
  readonly file: string;
  readonly facts: Pick<MediaFacts, 'kind' | 'duration'>;
  /** Pixels. */
  readonly within: number;
  /** Where the JPEG goes; whole, or not there. */
  readonly to: string;
}

type Drawn = { readonly is: 'ok' } | { readonly is: 'failed'; readonly message: string };

/** Milliseconds for one. */
const LIMIT = 60_000;
/** Jobs of a process: native libraries leak. */
const SHARE = 200;

export class Posters implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #workers: WorkerPool<CutTask, Record<string, never>>;

  constructor({ clock, entry = ENTRY }: PostersOptions) {
    this.#clock = clock;
    this.#workers = new WorkerPool({ program: { entry, name: 'poster drawer' }, share: SHARE });
  }

  /** From the middle of a video. @throws the signal's reason when it aborts, and errors of the disk. */
  async draw({ file, facts, within, to }: SmallStill, signal: AbortSignal): Promise<Drawn> {
    const out = join(dirname(to), `.${crypto.randomUUID()}.jpg`);
    const source =
      facts.kind === 'video' ? ({ of: 'file', path: file } as const) : ({ of: 'still', path: file } as const);
    const job = { ...source, at: (facts.duration ?? 0) / 2, out, within };
    try {
      await mkdir(dirname(to), { recursive: true });
      const terms = { name: file, signal, clock: this.#clock, deadline: LIMIT };
      const outcome = await this.#workers.execute({ type: 'poster', job }, terms);
      if (outcome.is !== 'done')
        return { is: 'failed', message: outcome.is === 'failed' ? outcome.message : `drawing it: ${outcome.is}` };
      await rename(out, to);
      return { is: 'ok' };
    } finally {
      await rm(out, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workers.close();
  }
}

const ENTRY = programFile(import.meta.url, './process/cut-program.ts', './cut-program.js');

/**
 * The cutting room's door: a `Cut` becomes a file, in a process of its own. What is at the place it is asked for is a whole film or
 * nothing: it is written beside it under another name, synced, and moved there.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { diskErrorFrom } from '../../machine/files/disk-error.ts';
import { syncPath } from '../../machine/files/files.ts';
import { programFile } from '../../machine/process/program-url.ts';
import { WorkerPool } from '../../machine/process/worker-pool.ts';
import { isFromOutside, type JobOutcome } from '../../machine/process/worker-process.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { type Cut, sourcesOf } from '../../model/media/cut.ts';
import { showingAt } from './film-pictures.ts';
import type { CutTask } from './poster.ts';

export type CutOutcome =
  | { readonly is: 'ok' }
  /** A sentence for the film's author, without its first capital letter and its full stop. `here`: nothing in the cut is wrong. */
  | { readonly is: 'failed'; readonly message: string; readonly here?: true };

interface FilmOrder {
  readonly cut: Cut;
  /** Where the film goes: `.mp4`, for ProRes `.mov`. A file that is there is replaced. */
  readonly to: string;
  /** Where a source lies on this machine, by its content. */
  readonly fileOf: (sha256: string) => string;
  readonly clock: Clock;
  /** Aborted, the work stops within a moment, nothing is left behind, and its reason is thrown. */
  readonly signal: AbortSignal;
  /** Frames that are in the film so far: each time more, and at most a hundred times. */
  readonly onProgress?: (frames: number) => void;
  /** Takes what the process prints, line by line. */
  readonly log?: (line: string) => void;
  /** The program that cuts; a test brings one that dies. */
  readonly entry?: string;
}

const HOURS = 6;

/** @throws the signal's reason when it aborts; a plain Error where a source is not known to `fileOf`. */
export async function renderCut(order: FilmOrder): Promise<CutOutcome> {
  const { cut, to, fileOf, clock, signal, onProgress = () => {}, log, entry = ENTRY } = order;
  const paths = Object.fromEntries(sourcesOf(cut).map(({ sha256 }) => [sha256, fileOf(sha256)]));
  // The ending stays: it decides the container.
  const out = join(dirname(to), `.${crypto.randomUUID()}${extname(to)}`);
  let done = 0;
  const progress = (fraction: number) => {
    const frames = Math.min(cut.frames, Math.round(fraction * cut.frames));
    // A cut whose process was ended begins again at nothing.
    if (frames <= done) return;
    done = frames;
    onProgress(done);
  };
  // A process for each film: its end frees all that it held.
  const pool = new WorkerPool<CutTask, Record<string, never>>({
    program: { entry, name: 'cutter', ...(log && { log }) },
  });
  try {
    await mkdir(dirname(to), { recursive: true });
    const terms = { name: out, signal, clock, deadline: HOURS * 3_600_000, progress };
    const outcome = await pool.execute({ type: 'film', job: { cut, paths, out } }, terms);
    if (outcome.is !== 'done')
      return failureOf(outcome, showingAt(cut.shots, Math.min(cut.frames - 1, done)).at(-1)?.shot.name);
    await syncPath(out);
    await rename(out, to);
    await syncPath(dirname(to));
    return { is: 'ok' };
  } catch (error) {
    const disk = diskErrorFrom(error, to);
    if (disk === undefined) throw error;
    return { is: 'failed', message: disk.message };
  } finally {
    await pool.close();
    await rm(out, { force: true });
  }
}

/** @param near the name of the shot that was being cut. */
function failureOf(outcome: Exclude<JobOutcome<unknown>, { is: 'done' }>, near: string | undefined): CutOutcome {
  switch (outcome.is) {
    case 'failed':
      return { is: 'failed', message: outcome.message };
    case 'too late':
      return { is: 'failed', message: messages.tooLong() };
    case 'too large':
      return { is: 'failed', message: messages.tooLarge() };
    case 'crashed':
      return isFromOutside(outcome)
        ? { is: 'failed', message: messages.endedFromOutside(outcome.how), here: true }
        : { is: 'failed', message: messages.crashed(outcome.how, near), ...(near === undefined && { here: true }) };
  }
}

const messages = {
  endedFromOutside: (how: string) => `the process that cuts the film ${how}, twice; free some memory, then run again`,
  crashed: (how: string, near: string | undefined) =>
    near === undefined
      ? `the process that cuts the film crashed (it ${how}): run again`
      : `the process that cuts the film crashed near ${near} (it ${how}): make that again, or leave it out of the cut`,
  tooLong: () => `cutting took longer than ${HOURS} hours and was stopped: cut a shorter film, or a smaller one`,
  tooLarge: () => 'cutting took more memory than it may and was stopped: cut a smaller film',
} as const;

const ENTRY = programFile(import.meta.url, './process/cut-program.ts', './cut-program.js');

/**
 * The cutting room's door: a `Cut` becomes a file, in a process of its own. What is at the place it is asked for is a whole film or
 * nothing: it is written beside it under another name, synced, and moved there.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskErrorFrom } from '../../machine/files/disk-error.ts';
import { syncPath } from '../../machine/files/files.ts';
import { programUrl } from '../../machine/process/program-url.ts';
import { WorkerPool } from '../../machine/process/worker-pool.ts';
import { isFromOutside, type JobOutcome } from '../../machine/process/worker-process.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { type Cut, sourcesOf } from '../../model/media/cut.ts';
import { crashed, endedFromOutside, tooLarge, tooLong } from './cut-messages.ts';
import type { CutTask } from './poster.ts';
import { showingAt } from './timeline.ts';

export type CutOutcome =
  | { readonly is: 'ok' }
  /** A sentence for the film's author, without its first capital letter and its full stop. `here`: nothing in the cut is wrong. */
  | { readonly is: 'failed'; readonly message: string; readonly here?: true };

/** What a cut is made with. */
interface CuttingTerms {
  readonly clock: Clock;
  /** Aborted, the work stops within a moment, nothing is left behind, and its reason is thrown. */
  readonly signal: AbortSignal;
  /** Where a source lies on this machine, by its content. */
  readonly fileOf: (sha256: string) => string;
  /** Takes what the process prints, line by line. */
  readonly log?: (line: string) => void;
  /** The program that cuts; a test brings one that dies. */
  readonly entry?: string;
}

interface FilmOrder extends CuttingTerms {
  readonly cut: Cut;
  /** Where the film goes: `.mp4`, for ProRes `.mov`. A file that is there is replaced. */
  readonly to: string;
  /** Frames that are in the film so far; never fewer than before, and at most a hundred times. */
  readonly onProgress?: (frames: number) => void;
}

/** @throws the signal's reason when it aborts; a plain Error where a source is not known to `fileOf`. */
export async function renderCut(order: FilmOrder): Promise<CutOutcome> {
  const { cut, to, onProgress = () => {} } = order;
  const paths = pathsOf(cut, order.fileOf);
  let done = 0;
  const progress = (fraction: number) => {
    done = Math.min(cut.frames, Math.round(fraction * cut.frames));
    onProgress(done);
  };
  const near = () => showingAt(cut.shots, Math.min(cut.frames - 1, done)).at(-1)?.shot.name;
  return await placed(to, out => carriedOut({ type: 'film', job: { cut, paths, out } }, order, { progress, near }));
}

type PosterOrder = Omit<CuttingTerms, 'fileOf'> & {
  /** Seconds of the film; past its end, its last picture. */
  readonly at: number;
  /** `.png`, or `.jpg`. */
  readonly to: string;
} & (
    | { readonly of: 'cut'; readonly cut: Cut; readonly fileOf: (sha256: string) => string }
    | { readonly of: 'file'; readonly file: string }
  );

/** One picture of a film as a still: of a cut, whether or not it was rendered, or of a file. @throws as `renderCut`. */
export async function posterOf(order: PosterOrder): Promise<CutOutcome> {
  const { at } = order;
  const source =
    order.of === 'cut'
      ? { of: order.of, cut: order.cut, paths: pathsOf(order.cut, order.fileOf) }
      : { of: order.of, path: order.file };
  return await placed(order.to, out => carriedOut({ type: 'poster', job: { ...source, at, out } }, order, {}));
}

const pathsOf = (cut: Cut, fileOf: (sha256: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(sourcesOf(cut).map(({ sha256 }) => [sha256, fileOf(sha256)]));

/** The name that work has while it is under way. Its ending stays: the file's form hangs on it. */
async function placed(to: string, write: (path: string) => Promise<CutOutcome>): Promise<CutOutcome> {
  const draft = join(dirname(to), `.${crypto.randomUUID()}${extname(to)}`);
  try {
    await mkdir(dirname(to), { recursive: true });
    const outcome = await write(draft);
    if (outcome.is === 'failed') return outcome;
    await syncPath(draft);
    await rename(draft, to);
    await syncPath(dirname(to));
    return outcome;
  } catch (error) {
    const disk = diskErrorFrom(error, to);
    if (disk === undefined) throw error;
    return { is: 'failed', message: disk.message };
  } finally {
    await rm(draft, { force: true });
  }
}

const HOURS = 6;

interface Watch {
  readonly progress?: (fraction: number) => void;
  /** The name of the shot that is being cut. */
  readonly near?: () => string | undefined;
}

/** A process for each film: what it held is given back whatever became of it. */
async function carriedOut(
  task: CutTask,
  { clock, signal, log, entry = ENTRY }: Omit<CuttingTerms, 'fileOf'>,
  { progress = () => {}, near = () => undefined }: Watch,
): Promise<CutOutcome> {
  const program = { entry, name: 'cutter', ...(log ? { log } : {}) };
  const pool = new WorkerPool<CutTask, Record<string, never>>({ program });
  try {
    const terms = { name: task.job.out, signal, clock, deadline: HOURS * 3_600_000, progress: neverBack(progress) };
    return outcomeOf(await pool.execute(task, terms), near);
  } finally {
    await pool.close();
  }
}

/** A cut that is begun again, because its process was ended, begins again at nothing. */
function neverBack(progress: (fraction: number) => void): (fraction: number) => void {
  let most = 0;
  return fraction => {
    if (fraction <= most) return;
    most = fraction;
    progress(fraction);
  };
}

function outcomeOf(outcome: JobOutcome<unknown>, near: () => string | undefined): CutOutcome {
  switch (outcome.is) {
    case 'done':
      return { is: 'ok' };
    case 'failed':
      return { is: 'failed', message: outcome.message };
    case 'too late':
      return { is: 'failed', message: tooLong(HOURS) };
    case 'too large':
      return { is: 'failed', message: tooLarge() };
    case 'crashed':
      return isFromOutside(outcome)
        ? { is: 'failed', message: endedFromOutside(outcome.how), here: true }
        : { is: 'failed', message: crashed(outcome.how, near()), ...(near() === undefined && { here: true }) };
  }
}

const ENTRY = fileURLToPath(programUrl(import.meta.url, './process/cut-program.ts', './cut-program.js'));

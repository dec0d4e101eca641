/** Renders in processes of their own, and what their ends mean for a requester. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { programFile } from '../../../machine/process/program-url.ts';
import { WorkerPool } from '../../../machine/process/worker-pool.ts';
import { type Environment, isFromOutside, type JobOutcome } from '../../../machine/process/worker-process.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { NotMedia } from '../../../media/decode/not-media.ts';
import { RenderRefusal, type RenderResult } from '../job.ts';
import type { RenderAnswer, Renderer, RenderTask } from '../renderer.ts';

export interface RenderWorkersOptions {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly environment: Environment;
  /** The program a worker runs. */
  readonly entry?: string;
  /** Milliseconds one job may take. */
  readonly deadline?: number;
  /** Jobs after which a worker is replaced: native libraries leak. */
  readonly share?: number;
}

const DEADLINE = 30 * 60_000;
/** Milliseconds for finding out what a file is: a film of an hour takes a few seconds. */
const PROBE_DEADLINE = 30_000;
const SHARE = 20;
/** For a renderer's rehearsal. */
const REHEARSAL_DEADLINE = 60_000;

export function renderWorkers(options: RenderWorkersOptions): Renderer {
  const { clock, log, environment, entry = ENTRY, deadline = DEADLINE, share = SHARE } = options;
  const pool = new WorkerPool<RenderTask, RenderAnswer>({
    program: { entry, name: 'renderer', environment, log },
    share,
    wears: ({ type }) => type === 'render',
    rehearsal: {
      job: { type: 'rehearse' },
      terms: { name: 'rehearsal', signal: new AbortController().signal, clock, deadline: REHEARSAL_DEADLINE },
    },
    // Once more: when the whole machine is being stopped, the studio gets its signal a moment later and leaves the job undone.
    again: async (crash, task) => {
      if (!isFromOutside(crash)) return false;
      if (task.type === 'render') await clear(task.job.folder);
      return true;
    },
  });
  /** A question about a stranger's file. */
  const look = async (task: Exclude<RenderTask, { type: 'render' | 'rehearse' }>, signal: AbortSignal) =>
    lookedAt(task.path, await pool.execute(task, { name: task.path, signal, clock, deadline: PROBE_DEADLINE }));

  return {
    render: async (job, { signal, progress }) => {
      const terms = { name: `${job.id} ${job.label}`, signal, clock, deadline, progress };
      return rendered(await pool.execute({ type: 'render', job }, terms), deadline);
    },
    probe: async (path, signal) => {
      const answer = await look({ type: 'probe', path }, signal);
      if ('probed' in answer) return answer.probed;
      throw new Error('the renderer answered another question than what a file is');
    },
    colours: async (path, signal) => {
      const answer = await look({ type: 'colours', path }, signal);
      if ('colours' in answer) return answer.colours;
      throw new Error('the renderer answered another question than which colours a file has');
    },
    standBy: () => pool.standBy(),
    close: () => pool.close(),
  };
}

/** @throws {RenderRefusal} */
function rendered(outcome: JobOutcome<RenderAnswer>, deadline: number): RenderResult {
  switch (outcome.is) {
    case 'done':
      if ('rendered' in outcome.result) return outcome.result.rendered;
      throw new Error('the renderer answered a job with what a file is');
    case 'failed':
      throw new RenderRefusal(outcome.message);
    case 'too late':
      throw new RenderRefusal(
        `rendering took longer than ${Math.round(deadline / 60_000)} minutes and was stopped: ask for less at once`,
      );
    case 'too large':
      throw new RenderRefusal('rendering took more memory than it may and was stopped: ask for less at once');
    case 'crashed':
      throw new RenderRefusal(
        `the renderer crashed while drawing this (it ${outcome.how}); send the request again, or change it`,
      );
  }
}

/** @throws {NotMedia} */
function lookedAt(path: string, outcome: JobOutcome<RenderAnswer>): RenderAnswer {
  switch (outcome.is) {
    case 'done':
      return outcome.result;
    case 'failed':
      if (outcome.bug === undefined) throw new NotMedia(outcome.message);
      throw new Error(`${path} could not be probed: the renderer stumbled`);
    case 'too late':
      throw new NotMedia(`reading it took longer than ${PROBE_DEADLINE / 1000} s: send a shorter or simpler file`);
    case 'too large':
      throw new NotMedia('reading it took more memory than it may: send a shorter or simpler file');
    case 'crashed':
      throw new NotMedia(`reading it crashed the reader, which ${outcome.how}: export the file again`);
  }
}

async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

const ENTRY = programFile(import.meta.url, './render-program.ts', './render-worker.js');

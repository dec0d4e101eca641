/**
 * Renders in child processes: a native crash, a leak or an endless frame costs one generation, never the server.
 * A worker is started when it is first needed and stays warm for the next job; it is ended on cancel, past its deadline, and
 * when it has done its share.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../host/clock.ts';
import { NotMedia } from '../../../media/not-media.ts';
import type { Renderer } from '../renderer.ts';
import { Crash, type Environment, type Terms, TooLate, WorkerProcess } from './worker-process.ts';

export interface WorkerOptions {
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

export function renderWorkers(options: WorkerOptions): Renderer {
  const idle: WorkerProcess[] = [];
  const all = new Set<WorkerProcess>();
  let open = true;

  const hire = (): WorkerProcess => {
    const worker = new WorkerProcess(options.entry ?? workerEntry(), options.environment, options.log);
    all.add(worker);
    void worker.gone.then(() => {
      all.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
    });
    return worker;
  };

  const attempt = async <Answer>(work: (worker: WorkerProcess) => Promise<Answer>): Promise<Answer> => {
    if (!open) throw new Error('a render was asked for after the studio closed');
    const worker = idle.pop() ?? hire();
    try {
      return await work(worker);
    } finally {
      if (!worker.isAlive || worker.jobs >= (options.share ?? SHARE) || !open) await worker.stop();
      else idle.push(worker);
    }
  };
  const terms = (signal: AbortSignal, deadline: number): Terms => ({ signal, clock: options.clock, deadline });

  return {
    render: async (job, { signal, progress }) => {
      const once = () => attempt(worker => worker.render(job, progress, terms(signal, options.deadline ?? DEADLINE)));
      try {
        return await once();
      } catch (error) {
        if (!(error instanceof Crash && error.isFromOutside)) throw error;
        // Once more: when the whole machine is being stopped, the studio is told a moment later and leaves the job undone.
        for (const name of await readdir(job.folder))
          await rm(join(job.folder, name), { recursive: true, force: true });
        return await once();
      }
    },
    probe: async (path, signal) => {
      const once = () => attempt(worker => worker.probe(path, terms(signal, PROBE_DEADLINE)));
      try {
        return await once().catch(error => {
          if (error instanceof Crash && error.isFromOutside) return once();
          throw error;
        });
      } catch (error) {
        if (error instanceof TooLate)
          throw new NotMedia(`reading it took longer than ${PROBE_DEADLINE / 1000} s: send a shorter or simpler file`);
        if (error instanceof Crash)
          throw new NotMedia(`reading it crashed the reader, which ${error.how}: export the file again`);
        throw error;
      }
    },
    close: async () => {
      open = false;
      await Promise.all([...all].map(worker => worker.stop()));
    },
  };
}

/** Beside the bundle, or as it is in the source. */
const workerEntry = (): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './render-program.ts' : './render-worker.js', import.meta.url),
  );

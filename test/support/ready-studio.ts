/**
 * The studio's real service in this process, over ready clips. For tests of whole processes that decide when a clip is there:
 *
 *     const studio = await readyStudio();
 *     stage.trust(studio);
 *
 * Requests that name files of this machine need `localFiles: [stage.project]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderJob } from '../../src/studio/animatic/job.ts';
import type { Renderer } from '../../src/studio/animatic/renderer.ts';
import { type StudioParts, serveStudio } from '../../src/studio/service/serve.ts';
import type { Studio, StudioOptions } from '../../src/studio/service/studio-options.ts';
import { type Before, readyRenderer } from './ready-renderer.ts';

export interface ReadyStudioOptions extends Partial<Omit<StudioOptions & StudioParts, 'renderer'>> {
  readonly before?: Before;
}

export interface ReadyStudio extends Studio {
  readonly key: string;
  /** Its state. Kept after `close` only if it was given. */
  readonly folder: string;
  /** The number of requests that it accepted. */
  submits(): Promise<number>;
  /** The number of jobs whose clip is being made now. */
  readonly atWork: number;
}

/** Starts it on a free port of loopback, four jobs at a time, with the key `stage-key`. Close it in `afterAll`. */
export async function readyStudio({ before, ...options }: ReadyStudioOptions = {}): Promise<ReadyStudio> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'shotlist-ready-')));
  const key = options.key ?? 'stage-key';
  let atWork = 0;
  const ready = readyRenderer(before);
  const renderer: Renderer = {
    ...ready,
    render: (job, hooks) => {
      atWork += 1;
      return ready.render(job, hooks).finally(() => {
        atWork -= 1;
      });
    },
  };
  const studio = await serveStudio({ speed: 'draft', workers: 4, ...options, folder, key, renderer });
  return {
    ...{ url: studio.url, key, folder },
    get atWork() {
      return atWork;
    },
    submits: async () => {
      const answer = await fetch(`${studio.url}/api/ai/generations`, { headers: { authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { total_entries: number }).total_entries;
    },
    close: async () => {
      await studio.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** For `before`: the job goes on until it is cancelled or the studio closes. */
export const untilCancelled = (_job: RenderJob, signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * The renderer's own process: it takes one job after another over IPC and ends when its studio ends. A process, not a
 * thread: native code that crashes takes nothing with it, a cancelled render is killed, and its memory goes back.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackOf } from '../../../machine/error-code.ts';
import { whyNotLoaded } from '../../../machine/process/optional-packages.ts';
import { type Explained, serveJobs } from '../../../machine/process/worker-program.ts';
import { NotMedia } from '../../../media/decode/not-media.ts';
import { NoEngine } from '../../../media/libav.ts';
import { probe } from '../../../media/probe.ts';
import { RenderRefusal } from '../job.ts';
import type { RenderAnswer, RenderTask } from '../renderer.ts';
import { rendererFor } from '../renderer-for.ts';

// Drawing takes what is left: the studio answers, and a run's screen moves, as if nothing were drawn.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
serveJobs<RenderTask, RenderAnswer>({
  execute: async (task, progress) => {
    switch (task.type) {
      case 'render':
        return { rendered: await rendererFor(task.job)(task.job, { progress }) };
      case 'probe':
        return { probed: await probe(task.path) };
      case 'rehearse':
        await rehearse();
        return { rehearsed: true };
      case 'colours':
        return { colours: await (await import('./picture-colours.ts')).coloursIn(task.path) };
    }
  },
  explain: async (error, task) => {
    const explained = explain(error);
    if (explained.bug === undefined || task.type !== 'render') return explained;
    const damage = await (await import('./damaged-input.ts')).damageIn(task.job);
    return damage === undefined ? explained : { ...explained, message: damage };
  },
});

/** What the requester may read; everything else is the studio's own trouble and goes to its log. */
function explain(error: unknown): Explained {
  for (const kind of [RenderRefusal, NotMedia, NoEngine]) if (error instanceof kind) return { message: error.message };
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return { message: unloaded };
  return {
    message: 'the studio failed to draw this: the fault is the studio’s, not the request’s; its log says more',
    bug: stackOf(error),
  };
}

/** Short, and it takes what most films take: type, a place, a person in it, sound, the encoder. */
const REQUEST = { prompt: 'a walker on a hill at dawn, wide shot, slow pan right', duration: 1, seed: 1 };

/** A renderer's first film costs it half a second of loading and of warming up. Done beforehand, no request waits for it. */
async function rehearse(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-rehearsal-'));
  try {
    const job = { id: 'rehearsal', label: 'V-T2V-A', kind: 'text_to_video', request: REQUEST, inputs: {} } as const;
    await rendererFor(job)({ ...job, folder, speed: 'draft' }, { progress: () => {} });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

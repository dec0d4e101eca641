/**
 * The renderer's own process: it takes one job after another over IPC and ends when its studio ends. A process, not a
 * thread: native code that crashes takes nothing with it, a cancelled render is killed, and its memory goes back.
 */
import { constants, setPriority } from 'node:os';
import { endWithParent } from '../../../host/end-with-parent.ts';
import { whyNotLoaded } from '../../../host/optional-packages.ts';
import { NoEngine } from '../../../media/libav.ts';
import { NotMedia } from '../../../media/not-media.ts';
import { probe } from '../../../media/probe.ts';
import { type FromWorker, type RenderJob, RenderRefusal, type ToWorker } from '../job.ts';
import { rendererFor } from '../renderer-for.ts';

// Drawing takes what is left: the studio answers, and a run's screen moves, as if nothing were drawn.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// By SIGKILL: an orderly end would wait for threads that are deep in native code, and there is nothing worth saving.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
endWithParent(process.ppid);
process.on('message', (message: ToWorker) => void (message.type === 'probe' ? look(message) : render(message.job)));
tell({ type: 'ready' });

async function render(job: RenderJob): Promise<void> {
  const { id } = job;
  try {
    const renderer = rendererFor(job.label);
    const result = await renderer(job, { progress: inPercents(fraction => tell({ type: 'progress', id, fraction })) });
    tell({ type: 'done', id, result });
  } catch (error) {
    const { message, bug } = told(error);
    const damage = bug === undefined ? undefined : await (await import('./damaged-input.ts')).damageIn(job);
    tell({ type: 'failed', id, message: damage ?? message, ...(bug === undefined ? {} : { bug }) });
  }
}

async function look({ id, path }: ToWorker & { readonly type: 'probe' }): Promise<void> {
  try {
    tell({ type: 'probed', id, facts: await probe(path) });
  } catch (error) {
    tell({ type: 'failed', id, ...told(error) });
  }
}

/** At most a hundred messages a job, never backwards. */
function inPercents(send: (fraction: number) => void): (fraction: number) => void {
  let percent = 0;
  return fraction => {
    const now = Math.floor(Math.min(1, fraction) * 100);
    if (now <= percent) return;
    percent = now;
    send(now / 100);
  };
}

/** What the requester may read; everything else is the studio's own trouble and goes to its log. */
function told(error: unknown): { message: string; bug?: string } {
  for (const kind of [RenderRefusal, NotMedia, NoEngine]) if (error instanceof kind) return { message: error.message };
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return { message: unloaded };
  const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    message: 'the studio failed to draw this: the fault is the studio’s, not the request’s; its log says more',
    bug,
  };
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

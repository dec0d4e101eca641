/**
 * The renderer's own process: it takes one job after another over IPC and ends when its studio ends. A process, not a
 * thread: native code that crashes takes nothing with it, a cancelled render is killed, and its memory goes back.
 */
import { NoEngine } from '../../media/libav.ts';
import { type FromWorker, type RenderJob, RenderRefusal, type ToWorker } from './job.ts';
import { rendererFor } from './kinds.ts';

process.on('disconnect', () => process.exit());
process.on('message', (message: ToWorker) => void render(message.job));
tell({ type: 'ready' });

async function render(job: RenderJob): Promise<void> {
  const { id } = job;
  try {
    const renderer = rendererFor(job.label);
    const result = await renderer(job, { progress: inPercents(fraction => tell({ type: 'progress', id, fraction })) });
    tell({ type: 'done', id, result });
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
  if (error instanceof RenderRefusal || error instanceof NoEngine) return { message: error.message };
  const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    message: 'the studio failed to draw this: the fault is the studio’s, not the request’s; its log says more',
    bug,
  };
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

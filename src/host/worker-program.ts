/** The worker's half: a program takes one job after another over IPC, and ends when whoever started it ends. */
import { endWithParent } from './end-with-parent.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

interface WorkerProgram<Job, Result> {
  readonly execute: (job: Job, progress: (fraction: number) => void) => Promise<Result>;
  /** What the requester may read of an error, and the stack where the fault is the program's own. */
  readonly explain: (error: unknown, job: Job) => Explained | Promise<Explained>;
  /** Milliseconds without a job after which it leaves by itself; it stays when not told. */
  readonly leaveAfter?: number;
}

export interface Explained {
  readonly message: string;
  readonly bug?: string;
}

export function serveJobs<Job, Result>({ execute, explain, leaveAfter }: WorkerProgram<Job, Result>): void {
  const post = (message: FromWorker<Result>) => void process.send?.(message);
  const rest = () => (leaveAfter === undefined ? undefined : setTimeout(() => process.exit(0), leaveAfter));
  let resting = rest();

  // By SIGKILL: an orderly end would wait for threads that are deep in native code, and there is nothing worth saving.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  endWithParent(process.ppid);
  process.on('message', async ({ id, job }: ToWorker<Job>) => {
    clearTimeout(resting);
    try {
      const progress = inPercents(fraction => post({ type: 'progress', id, fraction }));
      post({ type: 'done', id, result: await execute(job, progress) });
    } catch (error) {
      post({ type: 'failed', id, ...(await explain(error, job)) });
    }
    resting = rest();
  });
  post({ type: 'ready' });
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

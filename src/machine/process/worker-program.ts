/** The worker's half: a program takes one job after another over IPC, and ends with the process that started it. */
import { Worker } from 'node:worker_threads';

interface WorkerProgram<Job, Result> {
  readonly execute: (job: Job, progress: (fraction: number) => void) => Promise<Result>;
  /** What the requester may read of an error, and the stack where the fault is the program's own. */
  readonly explain: (error: unknown, job: Job) => Explained | Promise<Explained>;
  /** Milliseconds without a job after which it leaves by itself; absent: it stays. */
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

// Ends a child process with its parent, even while it is deep in native code, or spins, and hears no disconnect.

/** The program of a thread that looks whether the parent is still the same. As text it needs no file of its own in the bundle. */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 250);
`;

function endWithParent(parent: number): void {
  new Worker(WATCH, { eval: true, workerData: parent }).unref();
}

/** What travels between this process and a worker: a program of ours in a process of its own, one job at a time. All of it is data. */
export interface ToWorker<Job> {
  readonly id: string;
  readonly job: Job;
}

export type FromWorker<Result> =
  | { readonly type: 'ready' }
  /** 0 to 1. */
  | { readonly type: 'progress'; readonly id: string; readonly fraction: number }
  | { readonly type: 'done'; readonly id: string; readonly result: Result }
  /** A sentence for the requester. `bug`: the fault is the program's own, and this is its stack, for a log. */
  | { readonly type: 'failed'; readonly id: string; readonly message: string; readonly bug?: string };

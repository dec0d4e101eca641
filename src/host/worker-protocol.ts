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

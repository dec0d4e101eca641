/**
 * Workers for one program: a native crash, a leak or an endless frame costs one job, never the process that asked for it. A worker is started
 * when it is first needed and stays warm for the next job; it is ended on abort, past its limits, and when it has done its share.
 */
import {
  type Crashed,
  isFromOutside,
  type JobOutcome,
  type JobTerms,
  type Program,
  WorkerProcess,
} from './worker-process.ts';

export interface WorkerPoolOptions<Job> {
  readonly program: Program;
  /** Jobs after which a worker is replaced: native libraries leak. Default: no limit. */
  readonly share?: number;
  /** Which jobs count for the share; default: all of them. */
  readonly wears?: (job: Job) => boolean;
  /**
   * Whether a job is carried out once more after its worker has crashed, and what must be tidied up before. Default: where the
   * worker was ended from outside. After a worker that has left, it always is.
   */
  readonly again?: (crash: Crashed, job: Job) => boolean | Promise<boolean>;
  /**
   * What a worker does beforehand, so that it is warm when it is needed: from `standBy()` on, one more than is at work is kept ready.
   * By default a worker is started when it is needed.
   */
  readonly rehearsal?: { readonly job: Job; readonly terms: JobTerms };
}

export class WorkerPool<Job, Result> {
  readonly #options: WorkerPoolOptions<Job>;
  readonly #idle: WorkerProcess<Job, Result>[] = [];
  /** How many jobs each has done of its share. */
  readonly #worn = new WeakMap<WorkerProcess<Job, Result>, number>();
  readonly #all = new Set<WorkerProcess<Job, Result>>();
  #open = true;
  #standsBy = false;
  /** The one that is being made ready; the first job takes it. */
  #next: Promise<WorkerProcess<Job, Result> | undefined> | undefined;

  constructor(options: WorkerPoolOptions<Job>) {
    this.#options = options;
  }

  /** Settles when the work has really stopped. @throws the signal's reason when it aborts; a plain Error once the pool is closed. */
  async execute(job: Job, terms: JobTerms): Promise<JobOutcome<Result>> {
    const outcome = await this.#once(job, terms);
    const { again = isFromOutside } = this.#options;
    if (outcome.is !== 'crashed') return outcome;
    return outcome.left || (await again(outcome, job)) ? this.#once(job, terms) : outcome;
  }

  /** Keeps a worker ready from now on, beside those at work. */
  standBy(): void {
    this.#standsBy = true;
    this.#rehearse();
  }

  async close(): Promise<void> {
    this.#open = false;
    await Promise.all([...this.#all].map(worker => worker.stop()));
  }

  async #once(job: Job, terms: JobTerms): Promise<JobOutcome<Result>> {
    if (!this.#open) throw new Error(`a ${this.#options.program.name} was asked for after its pool closed`);
    // With a warm worker a job begins at once.
    const found = this.#warm() ?? this.#readied();
    const worker = (found instanceof Promise ? await found : found) ?? this.#start();
    // The first to be needed next is made ready while this one is at work, and not before it has begun to get somewhere.
    const progress = (fraction: number) => {
      this.#rehearse();
      terms.progress?.(fraction);
    };
    try {
      return await worker.execute(job, { ...terms, progress });
    } finally {
      if (!worker.isAlive || this.#isWornBy(worker, job) || !this.#open) await worker.stop();
      else this.#idle.push(worker);
    }
  }

  #readied(): Promise<WorkerProcess<Job, Result> | undefined> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  #rehearse(): void {
    const { rehearsal } = this.#options;
    if (!this.#standsBy || !rehearsal || !this.#open || this.#next || this.#idle.length > 0) return;
    const worker = this.#start();
    const next = worker.execute(rehearsal.job, rehearsal.terms).then(
      // One that stumbles over the rehearsal is no better for what comes.
      async ({ is }) => (is === 'done' && worker.isAlive ? worker : void (await worker.stop())),
      () => undefined,
    );
    this.#next = next;
    void next.then(ready => {
      if (this.#next !== next) return;
      this.#next = undefined;
      if (ready && this.#open) this.#idle.push(ready);
    });
  }

  #isWornBy(worker: WorkerProcess<Job, Result>, job: Job): boolean {
    const { share = Number.POSITIVE_INFINITY, wears = () => true } = this.#options;
    const worn = (this.#worn.get(worker) ?? 0) + (wears(job) ? 1 : 0);
    this.#worn.set(worker, worn);
    return worn >= share;
  }

  #warm(): WorkerProcess<Job, Result> | undefined {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) if (worker.isAlive) return worker;
    return undefined;
  }

  #start(): WorkerProcess<Job, Result> {
    const worker = new WorkerProcess<Job, Result>(this.#options.program);
    this.#all.add(worker);
    void worker.gone.then(() => {
      this.#all.delete(worker);
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return worker;
  }
}

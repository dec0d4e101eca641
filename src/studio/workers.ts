/**
 * Renders in child processes: a native crash, a leak or an endless frame costs one generation, never the server.
 * A worker is started when it is first needed and stays warm for the next job. It holds nothing worth saving, so it is
 * stopped by SIGKILL: on cancel, past its deadline, and when it has done its share.
 */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../host/clock.ts';
import { type FromWorker, type RenderJob, RenderRefusal, type RenderResult, type ToWorker } from './render/job.ts';
import type { Renderer, RenderHooks } from './renderer.ts';

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The program a worker runs. */
  readonly entry?: string;
  /** Milliseconds one job may take. */
  readonly deadline?: number;
  /** Jobs after which a worker is replaced: native libraries leak. */
  readonly share?: number;
}

const DEADLINE = 30 * 60_000;
const SHARE = 20;

export function workers(options: WorkerOptions): Renderer {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let open = true;

  const hire = (): Worker => {
    const worker = new Worker(options);
    all.add(worker);
    void worker.gone.then(() => {
      all.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
    });
    return worker;
  };

  return {
    render: async (job, hooks) => {
      if (!open) throw new Error('a render was asked for after the studio closed');
      const worker = idle.pop() ?? hire();
      try {
        return await worker.render(job, hooks, options.clock, options.deadline ?? DEADLINE);
      } finally {
        if (!worker.isAlive || worker.jobs >= (options.share ?? SHARE) || !open) await worker.stop();
        else idle.push(worker);
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
    new URL(import.meta.url.endsWith('.ts') ? './render/worker.ts' : './render-worker.js', import.meta.url),
  );

/**
 * Its stdout goes to the log too: the studio's own belongs to whoever runs it. And it is out of the terminal's reach: a Ctrl-C
 * meant for a run would fail what is only to be interrupted. It ends when its IPC channel does.
 */
const CHILD: ForkOptions & { readonly windowsHide: boolean } = {
  execArgv: [],
  stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  detached: true,
  windowsHide: true,
};

/** One child process, one job at a time. */
class Worker {
  jobs = 0;
  /** Resolves when the process has ended and its pipes are read to their end. */
  readonly gone: Promise<string>;
  readonly #child: ChildProcess;
  readonly #log: (line: string) => void;
  #lastWords = '';

  constructor({ entry = workerEntry(), environment, log }: WorkerOptions) {
    this.#log = log;
    this.#child = fork(entry, [], { ...CHILD, env: environment });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    }
    this.gone = new Promise(resolve => {
      this.#child.once('error', error => resolve(`could not be started: ${error.message}`));
      this.#child.once('close', (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.gone;
  }

  async render(
    job: RenderJob,
    { signal, progress }: RenderHooks,
    clock: Clock,
    deadline: number,
  ): Promise<RenderResult> {
    signal.throwIfAborted();
    this.jobs++;
    const over = new AbortController();
    try {
      return await Promise.race([
        this.#answer(job, progress, over.signal),
        this.gone.then(how => this.#crashed(job, how, over.signal)),
        this.#stopped(signal, over.signal),
        this.#tooLate(clock, deadline, over.signal),
      ]);
    } catch (error) {
      // A refusal leaves the worker idle and sound; after anything else it may still be busy, so it goes.
      if (!(error instanceof Answered)) await this.stop();
      throw error instanceof Answered ? error.refusal : error;
    } finally {
      over.abort();
    }
  }

  #answer(job: RenderJob, progress: (fraction: number) => void, over: AbortSignal): Promise<RenderResult> {
    return new Promise((resolve, reject) => {
      const hear = (message: FromWorker) => {
        if (message.type === 'ready' || message.id !== job.id) return;
        if (message.type === 'progress') return progress(message.fraction);
        if (message.type === 'done') return resolve(message.result);
        if (message.bug !== undefined) this.#log(`${job.id} ${job.label}: ${message.bug}`);
        reject(new Answered(new RenderRefusal(message.message)));
      };
      this.#child.on('message', hear);
      over.addEventListener('abort', () => this.#child.off('message', hear), { once: true });
      // A child that is already going down is told by `gone`.
      this.#child.send({ type: 'render', job } satisfies ToWorker, () => {});
    });
  }

  #crashed(job: RenderJob, how: string, over: AbortSignal): never {
    if (over.aborted) throw new Error('this job was settled before its worker ended');
    this.#log(
      `${job.id} ${job.label}: the renderer ${how}${this.#lastWords === '' ? '' : `, after saying: ${this.#lastWords.trim()}`}`,
    );
    throw new RenderRefusal(
      `the renderer crashed while drawing this (it ${how}); send the request again, or change it`,
    );
  }

  #stopped(signal: AbortSignal, over: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
    });
  }

  async #tooLate(clock: Clock, deadline: number, over: AbortSignal): Promise<never> {
    await clock.sleep(deadline, over);
    throw new RenderRefusal(
      `rendering took longer than ${Math.round(deadline / 60_000)} minutes and was stopped: ask for less at once`,
    );
  }

  #hear(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-2000);
    for (const line of text.split('\n')) if (line.trim() !== '') this.#log(`renderer: ${line}`);
  }
}

/** The worker answered, and the answer was no. */
class Answered extends Error {
  readonly refusal: RenderRefusal;

  constructor(refusal: RenderRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** One renderer's process: how it is started, given a job, and ended. It holds nothing worth saving, so it ends by SIGKILL. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import type { Clock } from '../host/clock.ts';
import { signalGroup } from '../host/process-group.ts';
import { type FromWorker, type RenderJob, RenderRefusal, type RenderResult, type ToWorker } from './render/job.ts';
import type { RenderHooks } from './renderer.ts';

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

export type Environment = { readonly [name: string]: string | undefined };

/** One child process, one job at a time. */
export class WorkerProcess {
  jobs = 0;
  /** Resolves when the process has ended and its pipes are read to their end. */
  readonly gone: Promise<string>;
  readonly #child: ChildProcess;
  readonly #log: (line: string) => void;
  #lastWords = '';

  constructor(entry: string, environment: Environment, log: (line: string) => void) {
    this.#log = log;
    this.#child = fork(entry, [], { ...CHILD, env: environment });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    }
    this.gone = new Promise(resolve => {
      this.#child.once('error', error => resolve(`could not be started: ${error.message}`));
      // What it had started itself must not outlive it, nor hold its pipes open.
      this.#child.once('exit', () => this.#kill());
      this.#child.once('close', (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#kill();
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
    throw new Crash(how);
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

  /** A detached child leads a process group of its own. */
  #kill(): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
  }

  #hear(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-2000);
    for (const line of text.split('\n')) if (line.trim() !== '') this.#log(`renderer: ${line}`);
  }
}

/** A signal from somebody else (an operator, the end of a session, the kernel short of memory) says nothing about the job. */
const FROM_OUTSIDE = /SIG(TERM|INT|HUP|KILL)$/;

export class Crash extends RenderRefusal {
  readonly isFromOutside: boolean;

  constructor(how: string) {
    super(`the renderer crashed while drawing this (it ${how}); send the request again, or change it`);
    this.isFromOutside = FROM_OUTSIDE.test(how);
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

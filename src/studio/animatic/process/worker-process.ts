/** One renderer's process: how it is started, given a job, and ended. It holds nothing worth saving, so it ends by SIGKILL. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import type { MediaFacts } from '../../../domain/media.ts';
import type { Clock } from '../../../host/clock.ts';
import { signalGroup } from '../../../host/process-group.ts';
import { NotMedia } from '../../../media/not-media.ts';
import { type FromWorker, type RenderJob, RenderRefusal, type RenderResult, type ToWorker } from '../job.ts';

/**
 * A renderer's memory is pictures, which neither V8 nor glibc knows of. So they get little room to be lavish in: a young generation
 * of 2 MB where 16 are usual, and two heaps for a score of threads; together that is 60 MB less at 1080p, and no time.
 */
export const FRUGAL = { execArgv: ['--max-semi-space-size=2'], env: { MALLOC_ARENA_MAX: '2' } } as const;

/**
 * Its stdout goes to the log too: the studio's own belongs to whoever runs it. And it is out of the terminal's reach: a Ctrl-C
 * meant for a run would fail what is only to be interrupted. It ends when its IPC channel does.
 */
const CHILD: ForkOptions & { readonly windowsHide: boolean } = {
  execArgv: [...FRUGAL.execArgv],
  stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  detached: true,
  windowsHide: true,
};

export type Environment = { readonly [name: string]: string | undefined };

/** What a worker's work is bound to. */
export interface Terms {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly deadline: number;
}

interface Asking extends Terms {
  readonly id: string;
  /** How the log calls it. */
  readonly name: string;
  progress(fraction: number): void;
}

type Answer = Exclude<FromWorker, { readonly type: 'ready' | 'progress' }>;

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
    this.#child = fork(entry, [], { ...CHILD, env: { ...FRUGAL.env, ...environment } });
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

  /** @throws {RenderRefusal} {@link Crash} and {@link TooLate} among them. */
  async render(job: RenderJob, progress: (fraction: number) => void, terms: Terms): Promise<RenderResult> {
    this.jobs++;
    const name = `${job.id} ${job.label}`;
    const answer = await this.#ask({ type: 'render', job }, { ...terms, id: job.id, name, progress });
    if (answer.type === 'failed') throw new RenderRefusal(answer.message);
    if (answer.type !== 'done') throw new Error(`the renderer answered "${answer.type}" to a job`);
    return answer.result;
  }

  /** @throws {NotMedia} {@link Crash} and {@link TooLate}, which say nothing about the file yet. */
  async probe(path: string, terms: Terms): Promise<MediaFacts> {
    const id = 'probe';
    const answer = await this.#ask({ type: 'probe', id, path }, { ...terms, id, name: path, progress: () => {} });
    if (answer.type === 'failed' && answer.bug !== undefined)
      throw new Error(`${path} could not be probed: the renderer stumbled`);
    if (answer.type === 'failed') throw new NotMedia(answer.message);
    if (answer.type !== 'probed') throw new Error(`the renderer answered "${answer.type}" to a question`);
    return answer.facts;
  }

  async #ask(question: ToWorker, asking: Asking): Promise<Answer> {
    const { signal, clock, deadline } = asking;
    signal.throwIfAborted();
    const over = new AbortController();
    try {
      return await Promise.race([
        this.#answer(question, asking, over.signal),
        this.gone.then(how => this.#crashed(asking.name, how, over.signal)),
        this.#stopped(signal, over.signal),
        this.#tooLate(clock, deadline, over.signal),
      ]);
    } catch (error) {
      // An answer, also a no, leaves the worker idle and sound; after anything else it may still be busy, so it goes.
      over.abort();
      await this.stop();
      throw error;
    } finally {
      over.abort();
    }
  }

  #answer(question: ToWorker, { id, name, progress }: Asking, over: AbortSignal): Promise<Answer> {
    return new Promise(resolve => {
      const hear = (message: FromWorker) => {
        if (message.type === 'ready' || message.id !== id) return;
        if (message.type === 'progress') return progress(message.fraction);
        if (message.type === 'failed' && message.bug !== undefined) this.#log(`${name}: ${message.bug}`);
        resolve(message);
      };
      this.#child.on('message', hear);
      over.addEventListener('abort', () => this.#child.off('message', hear), { once: true });
      // A child that is already going down is told by `gone`.
      this.#child.send(question, () => {});
    });
  }

  #crashed(name: string, how: string, over: AbortSignal): never {
    if (over.aborted) throw new Error('this job was settled before its worker ended');
    this.#log(
      `${name}: the renderer ${how}${this.#lastWords === '' ? '' : `, after saying: ${this.#lastWords.trim()}`}`,
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
    throw new TooLate(deadline);
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
  /** `was ended by SIGSEGV`. */
  readonly how: string;
  readonly isFromOutside: boolean;

  constructor(how: string) {
    super(`the renderer crashed while drawing this (it ${how}); send the request again, or change it`);
    this.how = how;
    this.isFromOutside = FROM_OUTSIDE.test(how);
  }
}

export class TooLate extends RenderRefusal {
  constructor(deadline: number) {
    super(`rendering took longer than ${Math.round(deadline / 60_000)} minutes and was stopped: ask for less at once`);
  }
}

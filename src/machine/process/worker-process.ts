/** One worker: how its process is started, given a job, and ended. It holds nothing worth saving, so it ends by SIGKILL. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import type { Clock } from '../time/clock.ts';
import { signalGroup } from './process-group.ts';
import type { FromWorker, ToWorker } from './worker-program.ts';

/**
 * A worker's memory is pictures and sound, which neither V8 nor glibc knows of. So they get little room to be lavish in: a young
 * generation of 2 MB where 16 are usual, and two heaps for a score of threads; together that is 60 MB less at 1080p, and no time.
 */
export const FRUGAL = { execArgv: ['--max-semi-space-size=2'], env: { MALLOC_ARENA_MAX: '2' } } as const;

export type Environment = { readonly [name: string]: string | undefined };

export interface Program {
  /** The path of its first file: `programFile` finds ours. */
  readonly entry: string;
  /** How a log calls it: `renderer`. */
  readonly name: string;
  /** Its whole environment; ours holds keys. Default: none; on Windows, where nothing starts without, ours. */
  readonly environment?: Environment;
  /** Takes what it prints, line by line; absent: it is dropped. */
  readonly log?: (line: string) => void;
}

/** What one job is bound to. */
export interface JobTerms {
  /** How the log calls the job. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly deadline: number;
  /** Bytes that the worker may hold; absent: no limit; there is none either where the system does not report it (only Linux does). */
  readonly mostMemory?: number;
  readonly progress?: (fraction: number) => void;
}

export type JobOutcome<Result> =
  | { readonly is: 'done'; readonly result: Result }
  /** The program's own answer; `bug` is a stack, and has been logged. */
  | { readonly is: 'failed'; readonly message: string; readonly bug?: string }
  | { readonly is: 'too late' }
  | { readonly is: 'too large'; readonly bytes: number }
  | Crashed;

export interface Crashed {
  readonly is: 'crashed';
  /** `was ended by SIGSEGV`, `ended with code 3`, `could not be started: …`. */
  readonly how: string;
  readonly signal: NodeJS.Signals | null;
  /** It ended by itself, without an error: an idle worker leaves at the moment in which it is given a job. */
  readonly left?: true;
  /** Where it could not even be started. */
  readonly error?: Error;
}

/** A signal of another process (an operator, the end of a session, the kernel short of memory), or leaving, is no fault of the job. */
export const isFromOutside = ({ signal, left }: Crashed): boolean =>
  left === true || (signal !== null && ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'].includes(signal));

/** Milliseconds between two looks at a worker's memory. */
const LOOK = 250;
/** Why the waits of a job end. Without a reason each end would make an error with its stack. */
const OVER = 'the job is over';

export class WorkerProcess<Job, Result> {
  /** Resolves when the process has ended and its pipes are read to their end. */
  readonly gone: Promise<Crashed>;
  readonly #child: ChildProcess;
  readonly #program: Program;
  #sent = 0;
  #lastWords = '';

  constructor(program: Program) {
    this.#program = program;
    this.#child = fork(program.entry, [], optionsOf(program));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#log(text));
    }
    this.gone = new Promise(resolve => {
      this.#child.on('error', error =>
        resolve({ is: 'crashed', how: `could not be started: ${error.message}`, signal: null, error }),
      );
      // What it had started itself must not outlive it, nor hold its pipes open.
      this.#child.once('exit', () => this.#kill());
      this.#child.once('close', (code, signal) => {
        const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        resolve({ is: 'crashed', how, signal, ...(code === 0 && { left: true }) });
      });
    });
    this.#letIdle();
  }

  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Settles when the work has really stopped. @throws the signal's reason when it aborts; nothing else. */
  async execute(job: Job, terms: JobTerms): Promise<JobOutcome<Result>> {
    terms.signal.throwIfAborted();
    const id = String(++this.#sent);
    const over = new AbortController();
    this.#keepAwake();
    try {
      const outcome = await Promise.race([
        this.#answer({ id, job }, terms, over.signal),
        this.gone,
        aborted(terms.signal, over.signal),
        this.#tooLate(terms, over.signal),
        this.#tooLarge(terms, over.signal),
      ]);
      if (outcome.is === 'crashed') this.#logCrash(terms.name, outcome);
      // An answer, also a no, leaves the worker idle and sound; after anything else it may still be busy, so it goes.
      if (outcome.is !== 'done' && outcome.is !== 'failed') await this.stop();
      return outcome;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      over.abort(OVER);
      this.#letIdle();
    }
  }

  async stop(): Promise<void> {
    this.#keepAwake();
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#kill();
    await this.gone;
  }

  #answer(message: ToWorker<Job>, { name, progress }: JobTerms, over: AbortSignal): Promise<JobOutcome<Result>> {
    return new Promise(resolve => {
      const receive = (received: FromWorker<Result>) => {
        if (received.type === 'ready' || received.id !== message.id) return;
        if (received.type === 'progress') return progress?.(received.fraction);
        if (received.type === 'done') return resolve({ is: 'done', result: received.result });
        if (received.bug !== undefined) this.#program.log?.(`${name}: ${received.bug}`);
        resolve({
          is: 'failed',
          message: received.message,
          ...(received.bug === undefined ? {} : { bug: received.bug }),
        });
      };
      this.#child.on('message', receive);
      over.addEventListener('abort', () => this.#child.off('message', receive), { once: true });
      // `gone` reports a child that is already going down.
      this.#child.send(message, () => {});
    });
  }

  async #tooLate({ clock, deadline }: JobTerms, over: AbortSignal): Promise<{ readonly is: 'too late' }> {
    await clock.sleep(deadline, over);
    return { is: 'too late' };
  }

  async #tooLarge({ clock, mostMemory }: JobTerms, over: AbortSignal): Promise<JobOutcome<Result>> {
    const { pid } = this.#child;
    if (mostMemory === undefined || pid === undefined) return new Promise(() => {});
    for (;;) {
      await clock.sleep(LOOK, over);
      if (over.aborted) return new Promise(() => {});
      const bytes = await residentBytes(pid);
      if (bytes === null) return new Promise(() => {});
      if (bytes > mostMemory) return { is: 'too large', bytes };
    }
  }

  #logCrash(name: string, { how }: Crashed): void {
    const words = this.#lastWords === '' ? '' : `, after saying: ${this.#lastWords.trim()}`;
    this.#program.log?.(`${name}: the ${this.#program.name} ${how}${words}`);
  }

  /** A detached child leads a process group of its own. */
  #kill(): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
  }

  #log(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-2000);
    for (const line of text.split('\n')) if (line.trim() !== '') this.#program.log?.(`${this.#program.name}: ${line}`);
  }

  /** While it works, this process waits for it; while it idles, this process may end. */
  #keepAwake(): void {
    for (const handle of this.#handles()) handle.ref?.();
  }

  #letIdle(): void {
    for (const handle of this.#handles()) handle.unref?.();
  }

  #handles(): readonly { ref?(): unknown; unref?(): unknown }[] {
    const { channel, stdout, stderr } = this.#child;
    return [this.#child, channel, stdout, stderr].filter(handle => handle != null) as object[];
  }
}

/** Out of the terminal's reach: a Ctrl-C meant for a run would fail what is only to be interrupted. It ends when its IPC channel does. */
function optionsOf({ environment, log }: Program): ForkOptions & { readonly windowsHide: boolean } {
  const inherits = environment === undefined && platform() === 'win32';
  const output = log === undefined ? 'ignore' : 'pipe';
  return {
    execArgv: [...FRUGAL.execArgv],
    ...(inherits ? {} : { env: { ...FRUGAL.env, ...environment } }),
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
    windowsHide: true,
  };
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });
}

/** Bytes that are resident now; null where the system does not tell: Linux does. */
export async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

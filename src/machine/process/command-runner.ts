/**
 * Local commands, fast and safely: a bounded set of small shells starts them (`shell.ts`), and a plain spawn does where
 * there is no such shell. Values reach a command as arguments and environment, never as script text.
 *
 * `run` settles when the work has really stopped, children of children included: processes that a command leaves behind are ended with
 * it. Only those that move into a session of their own, as daemons do, are out of reach.
 */
import { constants, platform } from 'node:os';
import PQueue from 'p-queue';
import { BASE_VARIABLES } from '../../model/variable-access.ts';
import { Redactor } from '../redactor.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { type Deadline, deadline } from '../time/deadline.ts';
import { BoundedOutput, OutputLines } from './output-lines.ts';
import { endGroup } from './process-group.ts';
import { isVariableName, type JobEnd, type JobListener, Shell, type ShellJob } from './shell.ts';

/** `argv` is run as it is. A script is handed to `shell` (`sh`, `bash`, `python3`, …) as one argument. */
export type Command = { readonly argv: readonly string[] } | { readonly script: string; readonly shell: string };

interface CommandOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Declared variables. Of our own environment a command gets only those in `BASE_VARIABLES`. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path that receives stdout; without it the first MiB is kept. */
  readonly stdoutPath?: string;
  readonly signal: AbortSignal;
  /**
   * Called with each line of its output and of its log in the order in which they came, as a terminal would have left it and without
   * secrets. Two streams that are written to within a moment may come the wrong way round.
   */
  readonly line?: (line: string) => void;
  /** Milliseconds from its start. */
  readonly timeoutMs?: number;
}

export interface CommandOutcome {
  /** `stopped`: the signal aborted. */
  readonly ended: 'by itself' | 'stopped' | 'timed out';
  /** Null where a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | null;
  /** The first MiB. */
  readonly stdout: string;
  /** The last MiB, where the reason is. */
  readonly stderr: string;
  /** Some stdout was not kept. */
  readonly truncated: boolean;
}

interface CommandRunnerOptions {
  /** Our own environment, of which a command inherits the few variables named in `BASE_VARIABLES`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Commands at once; more wait. */
  readonly atOnce?: number;
  readonly clock?: Clock;
  /** Texts that are taken out of a command's output before anybody sees or keeps it. */
  readonly secrets?: Redactor;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace?: number;
}

const MiB = 2 ** 20;
/** Without these, programs on Windows do not start. */
const INHERITED_ON_WINDOWS = [
  'SystemRoot',
  'PATHEXT',
  'ComSpec',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

export class CommandRunner {
  readonly #inherited: Readonly<Record<string, string>>;
  readonly #queue: PQueue;
  readonly #clock: Clock;
  readonly #grace: number;
  readonly #secrets: Redactor;
  readonly #idle: Shell[] = [];
  /** Known from the first shell, which starts or does not. */
  #hasShells = platform() !== 'win32';

  constructor(options: CommandRunnerOptions) {
    this.#inherited = inherited(options.environment);
    this.#queue = new PQueue({ concurrency: options.atOnce ?? 8 });
    this.#clock = options.clock ?? systemClock;
    this.#grace = options.grace ?? 5_000;
    this.#secrets = options.secrets ?? new Redactor([]);
  }

  /** Never rejects for anything the command does. Commands start in the order in which they are asked for. */
  async run(command: Command, options: CommandOptions): Promise<CommandOutcome> {
    const argv = 'argv' in command ? command.argv : [...interpreter(command.shell), command.script];
    refuseNul([...argv, options.cwd, ...Object.values(options.env)]);
    // p-queue's own `signal` would free the place of a command that is still ending.
    return this.#queue.add(() => (options.signal.aborted ? NOT_STARTED : this.#watch({ argv, ...options }, options)));
  }

  /** Lets the idle shells go. Commands that still run are ended by their signals, not by this. */
  async close(): Promise<void> {
    for (const shell of this.#idle.splice(0)) shell.close();
  }

  async #watch(job: ShellJob, { signal, timeoutMs, line }: CommandOptions): Promise<CommandOutcome> {
    const stdout = new BoundedOutput(MiB, 'first', this.#secrets);
    const stderr = new BoundedOutput(MiB, 'last', this.#secrets);
    const lines = line && [new OutputLines(this.#secrets, line), new OutputLines(this.#secrets, line)];
    // These are plain variables, because an AbortSignal costs more than all else here and thousands of commands may run.
    let isOver = false;
    let ended: CommandOutcome['ended'] = 'by itself';
    let group: number | undefined;
    let groupEnd: Promise<void> | undefined;
    let timeout: Deadline | undefined;

    const end = () => {
      if (group === undefined || groupEnd !== undefined) return;
      groupEnd = endGroup(group, () => isOver, this.#grace, this.#clock);
    };
    const stop = (why: 'stopped' | 'timed out') => {
      if (isOver || ended !== 'by itself') return;
      ended = why;
      end();
    };
    const onAbort = () => stop('stopped');
    signal.addEventListener('abort', onAbort, { once: true });

    const listener: JobListener = {
      started: leader => {
        group = leader;
        // It was stopped in the moment of its start.
        if (ended !== 'by itself') return end();
        if (timeoutMs === undefined) return;
        timeout = deadline(timeoutMs, { clock: this.#clock });
        timeout.signal.addEventListener('abort', () => stop('timed out'));
      },
      stdout: chunk => {
        stdout.push(chunk);
        lines?.[0]?.push(chunk);
      },
      stderr: chunk => {
        stderr.push(chunk);
        lines?.[1]?.push(chunk);
      },
    };
    const last = await this.#start(job, listener);
    isOver = true;
    timeout?.clear();
    signal.removeEventListener('abort', onAbort);
    if (last.is === 'lost' || last.left) end();
    await groupEnd;
    if (last.is === 'ended') await last.rest;
    for (const stream of lines ?? []) stream.end();
    return { ended, ...exitOf(last), stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated };
  }

  async #start(job: ShellJob, listener: JobListener): Promise<JobEnd> {
    const shell = Object.keys(job.env).every(isVariableName) ? await this.#shell() : null;
    if (shell === null) return spawnCommand({ ...job, env: { ...this.#inherited, ...job.env } }, listener);
    const end = await shell.run(job, listener);
    // Processes that were left behind may still hold the shell's pipes, and would mix their output with the next command's.
    if (end.is === 'ended' && !end.left) this.#idle.push(shell);
    else shell.close();
    return end;
  }

  async #shell(): Promise<Shell | null> {
    for (let shell = this.#idle.pop(); shell !== undefined; shell = this.#idle.pop()) if (shell.isAlive) return shell;
    if (!this.#hasShells) return null;
    const shell = await Shell.start(this.#inherited);
    this.#hasShells = shell !== null;
    return shell;
  }
}

const NOT_STARTED: CommandOutcome = {
  ended: 'stopped',
  exit: null,
  signal: null,
  stdout: '',
  stderr: '',
  truncated: false,
};

/** A script stops at its first error, and so does a pipeline of `bash`. */
function interpreter(shell: string): readonly string[] {
  const name = shell.slice(shell.lastIndexOf('/') + 1);
  if (name === 'bash') return [shell, '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];
  if (name === 'node') return [shell, '-e'];
  if (['sh', 'dash', 'ash', 'zsh', 'ksh'].includes(name)) return [shell, '-e', '-c'];
  return [shell, '-c'];
}

function inherited(environment: CommandRunnerOptions['environment']): Record<string, string> {
  const names = platform() === 'win32' ? [...BASE_VARIABLES, ...INHERITED_ON_WINDOWS] : BASE_VARIABLES;
  const found: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** The shell encodes a signal as 128 and its number. */
function exitOf(end: JobEnd): { exit: number | null; signal: string | null } {
  if (end.is === 'lost') return { exit: null, signal: 'SIGKILL' };
  if (end.status <= 128) return { exit: end.status, signal: null };
  const signal = Object.entries(constants.signals).find(([, number]) => number === end.status - 128)?.[0];
  return signal === undefined ? { exit: end.status, signal: null } : { exit: null, signal };
}

function refuseNul(texts: readonly string[]): void {
  if (texts.some(text => text.includes('\0')))
    throw new Error('a command was given a NUL character, which no program can receive');
}

// Starts a command without a helper shell: on Windows, and on systems with an `sh` that cannot give a command its own process group.

/**
 * `job.env` is the whole environment. execa finds programs the way Windows needs; it is loaded only here, for it is slow to load.
 * When this process is killed with SIGKILL, a command started this way lives on.
 */
async function spawnCommand(job: ShellJob, listener: JobListener): Promise<JobEnd> {
  const { execa } = await import('execa');
  const [program = '', ...args] = job.argv;
  const child = execa(program, args, {
    cwd: job.cwd,
    env: job.env,
    extendEnv: false,
    // It gets a group of its own; on Windows this would open a console window.
    detached: platform() !== 'win32',
    stdin: 'ignore',
    stdout: job.stdoutPath === undefined ? 'pipe' : { file: job.stdoutPath },
    buffer: false,
    reject: false,
  });
  if (child.pid === undefined) {
    const { shortMessage } = await child;
    listener.stderr(Buffer.from(`${shortMessage ?? `${program}: not found`}\n`));
    return { is: 'ended', status: 127, left: false };
  }
  listener.started(child.pid);
  child.stderr.on('data', (chunk: Buffer) => listener.stderr(chunk));
  if (job.stdoutPath === undefined) child.stdout.on('data', (chunk: Buffer) => listener.stdout(chunk));
  const [exitCode, signal]: [number | null, NodeJS.Signals | null] = await new Promise(resolve =>
    child.nodeChildProcess.once('exit', (...how) => resolve(how)),
  );
  // Processes that it left behind may hold the pipes. The pipes are waited for when those have been ended, and not for ever.
  const rest = Promise.race([child, systemClock.sleep(1_000)]);
  return {
    is: 'ended',
    status: exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal]),
    left: platform() !== 'win32',
    rest,
  };
}

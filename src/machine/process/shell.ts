/**
 * One shell that starts commands for us, one at a time. A fork of this big process costs 1.6 ms and blocks the event loop;
 * a fork of a small shell costs a third of that, and costs it elsewhere.
 *
 *   we → stdin: a line of shell per job, values quoted    shell → fd 3: the job's process id
 *   job → stdout, stderr: its output, and after its end the shell's mark with the exit status
 *
 * Every job leads a process group of its own, so that it is ended with everything it started. Shells differ in how they grant
 * one: job control where it works without a terminal (bash), `setsid` elsewhere (dash, busybox). A shell that can do
 * neither reports that in its greeting and is not used.
 *
 * The shell's own messages are dropped: bash reports a job that a signal ended, now before and now after it is asked.
 *
 * When this process dies, even by SIGKILL, its end of fd 3 closes: a watcher beside the shell wakes and has the job killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';

export interface ShellJob {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Names must be such that `isVariableName` holds; values without NUL, like every text here. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path that receives stdout, instead of `stdout()`. */
  readonly stdoutPath?: string;
}

export interface JobListener {
  /** The job runs as the leader of process group `group`. */
  started(group: number): void;
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}

export type JobEnd =
  | {
      readonly is: 'ended';
      /** As a shell has it: 128 and its number for a signal. */
      readonly status: number;
      /** Processes of its group are still there, although the job itself has ended. */
      readonly left: boolean;
      /** Resolves when the last output has come; absent where it has come already. */
      readonly rest?: Promise<unknown>;
    }
  /** The shell itself died. */
  | { readonly is: 'lost' };

type Pipes = readonly [stdin: Socket, stdout: Socket, stderr: Socket, control: Socket];

const MARK = `shotlist:${crypto.randomUUID()}:`;

const PRELUDE = `
( while read -r _; do :; done; kill -TERM "$$" ) <&3 >/dev/null 2>&1 3>&- &
_watcher=$!
trap 'kill -s KILL -- "-$!" "$!" 2>/dev/null; exit 0' TERM
set -m 2>/dev/null
case $- in *m*) _how=job-control ;; *) _how=$(command -v setsid) ;; esac
exec 4>&2 2>/dev/null
_end() {
  wait "$!"; _status=$?
  if kill -s 0 -- "-$!" 2>/dev/null; then _left=1; else _left=0; fi
  printf '${MARK}%s %s\\n' "$_status" "$_left"
  printf '${MARK}\\n' >&4
}
echo "$_how" >&3
`;

type ShellProgram = readonly [path: string, ...args: string[]];

/** Bash grants a job its group by itself; smaller shells start `setsid` for each, which costs as much as the job's own start. */
const QUICKEST: ShellProgram = existsSync('/bin/bash') ? ['/bin/bash', '--posix'] : ['/bin/sh'];

export class Shell {
  readonly #pipes: Pipes;
  readonly #launch: string;
  #job: RunningJob | undefined;
  #isAlive = true;

  /** Null where this system's shell cannot give a job its own process group. `environment` is what every job inherits. */
  static async start(
    environment: Readonly<Record<string, string>>,
    [path, ...args]: ShellProgram = QUICKEST,
  ): Promise<Shell | null> {
    const child = spawn(path, args, {
      cwd: '/',
      env: environment,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit').then(
      () => '',
      () => '',
    );
    const pipes = child.stdio.filter(pipe => pipe instanceof Socket);
    const [stdin, stdout, stderr, control] = pipes;
    if (!stdin || !stdout || !stderr || !control) return null;
    // A pipe to a shell that has just died breaks; `exit` reports its end.
    for (const pipe of pipes) pipe.on('error', () => {});
    stdin.write(PRELUDE);
    const greeting = await Promise.race([once(control, 'data').then(([line]) => String(line).trim()), gone]);
    if (greeting === '') {
      for (const pipe of pipes) pipe.destroy();
      return null;
    }
    return new Shell(
      child,
      [stdin, stdout, stderr, control],
      greeting === 'job-control' ? 'exec' : `exec ${quoted(greeting)}`,
    );
  }

  private constructor(child: ChildProcess, pipes: Pipes, launch: string) {
    this.#pipes = pipes;
    this.#launch = launch;
    const [, stdout, stderr, control] = pipes;
    stdout.on('data', (chunk: Buffer) => this.#job?.stdout(chunk));
    stderr.on('data', (chunk: Buffer) => this.#job?.stderr(chunk));
    control.on('data', (chunk: Buffer) => this.#job?.control(chunk));
    child.once('exit', () => {
      this.#isAlive = false;
      this.#job?.lose();
      this.#job = undefined;
    });
    child.unref();
    this.#rest();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Settles when the job has ended. The caller ends the processes that it left behind. One job at a time. */
  async run(job: ShellJob, listener: JobListener): Promise<JobEnd> {
    if (this.#job !== undefined) throw new Error('a shell was given a second job before its first had ended');
    if (!this.#isAlive) return { is: 'lost' };
    for (const pipe of this.#pipes) pipe.ref();
    const end = new Promise<JobEnd>(settle => {
      this.#job = new RunningJob(listener, settle);
    });
    this.#pipes[0].write(line(job, this.#launch));
    const how = await end;
    this.#job = undefined;
    this.#rest();
    return how;
  }

  close(): void {
    const [stdin] = this.#pipes;
    stdin.end('kill "$_watcher"; exit\n');
    for (const pipe of this.#pipes.slice(1)) pipe.destroy();
  }

  /** An idle shell does not keep this process alive. */
  #rest(): void {
    for (const pipe of this.#pipes) pipe.unref();
  }
}

/** The state of the job while it runs. It is over when all three streams have ended: they are not read in step. */
class RunningJob {
  readonly #listener: JobListener;
  readonly #settle: (end: JobEnd) => void;
  readonly #stdout = new OutputDelimiter(MARK);
  readonly #stderr = new OutputDelimiter(MARK);
  #group = '';
  #exitLine: string | undefined;
  #stderrEnded = false;

  constructor(listener: JobListener, settle: (end: JobEnd) => void) {
    this.#listener = listener;
    this.#settle = settle;
  }

  stdout(chunk: Buffer): void {
    const { output, end } = this.#stdout.push(chunk);
    if (output.length > 0) this.#listener.stdout(output);
    this.#exitLine ??= end;
    this.#settleWhenOver();
  }

  stderr(chunk: Buffer): void {
    const { output, end } = this.#stderr.push(chunk);
    if (output.length > 0) this.#listener.stderr(output);
    this.#stderrEnded ||= end !== undefined;
    this.#settleWhenOver();
  }

  control(chunk: Buffer): void {
    this.#group += chunk.toString();
    if (!this.#group.endsWith('\n')) return;
    this.#listener.started(Number(this.#group));
    this.#settleWhenOver();
  }

  lose(): void {
    this.#settle({ is: 'lost' });
  }

  #settleWhenOver(): void {
    if (this.#exitLine === undefined || !this.#stderrEnded || !this.#group.endsWith('\n')) return;
    const [status, left] = this.#exitLine.split(' ');
    this.#settle({ is: 'ended', status: Number(status), left: left === '1' });
  }
}

/** Everything that comes from outside is in single quotes. */
function line({ argv, cwd, env, stdoutPath }: ShellJob, launch: string): string {
  const exports = Object.entries(env).map(([name, value]) => ` ${name}=${quoted(value)}`);
  const setUp = `cd -P -- ${quoted(cwd)} || exit 126; unset OLDPWD;${exports.length > 0 ? ` export${exports.join('')};` : ''}`;
  const to = stdoutPath === undefined ? '' : ` >${quoted(stdoutPath)}`;
  return `( ${setUp} ${launch} -- ${argv.map(quoted).join(' ')} ) 2>&4 </dev/null${to} 3>&- 4>&- &\necho "$!" >&3\n_end\n`;
}

/** Finds where the output of one command ends, in a stream that one command after the other writes to. */
export class OutputDelimiter {
  readonly #mark: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** The part of the stream so far that is certainly output, and the line after the mark once it is complete. */
  push(chunk: Buffer): { readonly output: Buffer; readonly end?: string } {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = all.indexOf(this.#mark);
    const lineEnd = at < 0 ? -1 : all.indexOf(0x0a, at);
    if (lineEnd >= 0) {
      this.#held = Buffer.alloc(0);
      return { output: all.subarray(0, at), end: all.subarray(at + this.#mark.length, lineEnd).toString() };
    }
    // The pipe may cut a mark in two, so what may be its beginning is held back, and nothing else: two streams are passed on in step.
    const sure = at >= 0 ? at : this.#beginningIn(all);
    this.#held = all.subarray(sure);
    return { output: all.subarray(0, sure) };
  }

  /** Where the mark may begin at the end of these bytes; their length where it does not. */
  #beginningIn(bytes: Buffer): number {
    const first = this.#mark[0]!;
    for (let at = Math.max(0, bytes.length - this.#mark.length + 1); at < bytes.length; at++) {
      at = bytes.indexOf(first, at);
      if (at < 0) break;
      if (this.#mark.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
    }
    return bytes.length;
  }
}

/** The text as one word of a POSIX shell: nothing inside single quotes means anything, and a quote itself is written `'\''`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A name that a shell can hold as a variable, and that does not change how it works. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.test(name);
}

/** Read-only somewhere (`UID` in bash), or read by the shell itself (`IFS`). */
const RESERVED =
  /^(_|IFS|PPID|PWD|OLDPWD|OPTIND|OPTARG|UID|EUID|GROUPS|ENV|CDPATH|SHELLOPTS|BASH.*|POSIXLY_CORRECT|PS[0-9])$/;

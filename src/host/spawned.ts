/** The way without a helping shell: Windows, and systems whose `sh` cannot give a command its own process group. */
import { createWriteStream } from 'node:fs';
import { constants, platform } from 'node:os';
import type { JobEnd, JobListener, ShellJob } from './shell.ts';

/**
 * `job.env` is the whole environment. execa finds programs the way Windows needs; it is loaded only here, for it is slow to load.
 * When this process is killed with SIGKILL, a command started this way lives on.
 */
export async function runSpawned(job: ShellJob, listener: JobListener): Promise<JobEnd> {
  const { execa } = await import('execa');
  const [program = '', ...rest] = job.argv;
  const child = execa(program, rest, {
    cwd: job.cwd,
    env: job.env,
    extendEnv: false,
    // A group of its own; on Windows this would open a console window.
    detached: platform() !== 'win32',
    stdin: 'ignore',
    buffer: false,
    reject: false,
    // Output is over when the command is: what it left behind may hold the pipes for ever.
    cleanup: true,
  });
  if (child.pid !== undefined) listener.started(child.pid);
  child.stderr.on('data', (chunk: Buffer) => listener.stderr(chunk));
  if (job.stdoutPath === undefined) child.stdout.on('data', (chunk: Buffer) => listener.stdout(chunk));
  else child.stdout.pipe(createWriteStream(job.stdoutPath));
  const result = await child;
  if (child.pid === undefined) {
    listener.stderr(Buffer.from(`${program}: not found\n`));
    return { is: 'ended', status: 127, left: false };
  }
  const status = result.exitCode ?? 128 + (result.signal === undefined ? 0 : constants.signals[result.signal]);
  return { is: 'ended', status, left: platform() !== 'win32' };
}

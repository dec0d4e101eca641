/** Starts a command without a helper shell: on Windows, and on systems whose `sh` cannot give a command its own process group. */
import { constants, platform } from 'node:os';
import { systemClock } from './clock.ts';
import type { JobEnd, JobListener, ShellJob } from './shell.ts';

/**
 * `job.env` is the whole environment. execa finds programs the way Windows needs; it is loaded only here, for it is slow to load.
 * When this process is killed with SIGKILL, a command started this way lives on.
 */
export async function spawnCommand(job: ShellJob, listener: JobListener): Promise<JobEnd> {
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

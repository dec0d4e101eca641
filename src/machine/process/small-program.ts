/** A small program of the system's, which prints a line or shows a file. Its own errors are values: it may not be there at all. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

interface SmallProgram {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Milliseconds after which it is not waited for any more. */
  readonly patience: number;
}

type SmallProgramEnd =
  | { readonly is: 'ended'; readonly status: number | null; readonly stdout: string }
  | { readonly is: 'waited_enough' }
  /** `ENOENT` and the like. */
  | { readonly is: 'not_started'; readonly code: string };

/** Characters of its answer that are read. */
const MOST = 10_000;

/** It has no terminal, and goes on when we end. Its standard error is dropped. */
export function runSmallProgram({ argv, environment, cwd, patience }: SmallProgram): Promise<SmallProgramEnd> {
  const [program, ...args] = argv;
  return new Promise(resolve => {
    const notStarted = (error: unknown) =>
      resolve({ is: 'not_started', code: (error as NodeJS.ErrnoException).code ?? 'unknown' });
    try {
      const child = spawn(program, args, {
        ...{ env: environment as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'ignore'], detached: true },
        ...(cwd !== undefined && { cwd }),
      });
      let stdout = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        if (stdout.length < MOST) stdout += text;
      });
      const timer = setTimeout(() => {
        child.stdout?.destroy();
        child.unref();
        resolve({ is: 'waited_enough' });
      }, patience);
      child.once('error', error => {
        clearTimeout(timer);
        notStarted(error);
      });
      child.once('close', status => {
        clearTimeout(timer);
        resolve({ is: 'ended', status, stdout });
      });
    } catch (error) {
      // A path or an environment that the system cannot take at all.
      notStarted(error);
    }
  });
}

/** Milliseconds that `ps` may take. */
const PS_PATIENCE = 1_000;

/**
 * Whether this process is in the foreground of its terminal: one in the background (`shotlist run film.yaml &`) is stopped by the system
 * as soon as it touches the keyboard. True where that is unknown.
 */
export async function isInForeground(
  pid: number,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return onLinux() ?? elsewhere(pid, environment);
}

/** `pid (name) state ppid pgrp session tty_nr tpgid …`: the name may hold anything. */
function onLinux(): boolean | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return undefined;
  }
}

/** `ps` marks what is in the foreground with a plus. */
async function elsewhere(pid: number, environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const end = await runSmallProgram({
    argv: ['ps', '-o', 'stat=', '-p', `${pid}`],
    environment,
    patience: PS_PATIENCE,
  });
  return end.is !== 'ended' || end.status !== 0 || end.stdout.includes('+');
}

/** Milliseconds: a viewer that is still there by then is showing it. */
const VIEWER_PATIENCE = 2_000;

/** Shows a file with the program that the system has for it. @returns what is the matter, as a sentence; undefined where it is opened. */
export async function openFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const program = platform() === 'darwin' ? 'open' : platform() === 'win32' ? 'explorer.exe' : 'xdg-open';
  const end = await runSmallProgram({ argv: [program, path], environment, patience: VIEWER_PATIENCE });
  switch (end.is) {
    case 'waited_enough':
      return undefined;
    case 'not_started':
      return end.code === 'ENOENT'
        ? `${program} is not there; open the file yourself`
        : `${program} could not be started (${end.code}); open the file yourself`;
    case 'ended':
      // The one of Windows ends with 1 whatever it has done.
      return end.status === 0 || program === 'explorer.exe'
        ? undefined
        : `${program} could not show it; open the file yourself`;
  }
}

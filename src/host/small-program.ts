/** A small program of the system's, asked for a line or told to show a file. Its own errors are values: it may not be there at all. */
import { spawn } from 'node:child_process';

interface SmallProgram {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Milliseconds after which nobody waits for it any more. */
  readonly patience: number;
}

type SmallProgramEnd =
  | { readonly is: 'ended'; readonly status: number | null; readonly stdout: string }
  | { readonly is: 'waited_enough' }
  /** `ENOENT` and the like. */
  | { readonly is: 'not_started'; readonly code: string };

/** Characters of its answer that are read. */
const MOST = 10_000;

/** It has no terminal, and goes on when we end. What it prints to standard error is nobody's. */
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

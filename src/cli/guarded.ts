/** Turns what a command cannot go on from into a sentence and an exit code. Bugs pass through: they should be seen. */
import { Refusal } from '../domain/refusal.ts';
import { UsageError } from './arguments.ts';
import { Stop } from './stop.ts';

export function guarded(
  command: (args: readonly string[]) => Promise<number>,
): (args: readonly string[]) => Promise<number> {
  return async args => {
    try {
      return await command(args);
    } catch (error) {
      const refused = diskTrouble(error) ?? error;
      const exit = exitOf(refused);
      if (exit === undefined) throw error;
      const { message } = refused as Error;
      if (message) process.stderr.write(`shotlist: ${message}\n`);
      return exit;
    }
  };
}

function exitOf(error: unknown): number | undefined {
  if (error instanceof Stop) return error.exit;
  return error instanceof UsageError || error instanceof Refusal ? 2 : undefined;
}

/** The machine's own no to a file or folder of ours is nobody's bug. */
function diskTrouble(error: unknown): Refusal | undefined {
  const { code, path, message } = error as Partial<NodeJS.ErrnoException>;
  const what = code !== undefined && path !== undefined ? DISK[code] : undefined;
  if (what === undefined) return undefined;
  return new Refusal(`${path}: ${what} (${message?.split(',')[0]}); mend that, then give the same command again`);
}

const DISK: Readonly<Record<string, string>> = {
  EACCES: 'it may not be used by you',
  EPERM: 'it may not be used by you',
  EROFS: 'it cannot be written to',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EEXIST: 'a folder is needed here, and something else is in its place',
  ENOTDIR: 'a folder is needed on the way there, and something else is in its place',
};

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
      const exit = exitOf(error);
      if (exit === undefined) throw error;
      const { message } = error as Error;
      if (message) process.stderr.write(`shotlist: ${message}\n`);
      return exit;
    }
  };
}

function exitOf(error: unknown): number | undefined {
  if (error instanceof Stop) return error.exit;
  return error instanceof UsageError || error instanceof Refusal ? 2 : undefined;
}

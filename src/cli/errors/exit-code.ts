/** Turns what a command cannot go on from into a sentence and an exit code. Bugs pass through: they should be seen. */
import { Refusal } from '../../domain/refusal.ts';
import { UsageError } from '../arguments.ts';
import { say } from '../outlets.ts';
import { Stop } from './command-error.ts';
import { machineTrouble } from './system-error-text.ts';

export function guarded(
  command: (args: readonly string[]) => Promise<number>,
): (args: readonly string[]) => Promise<number> {
  return async args => {
    try {
      return await command(args);
    } catch (error) {
      const trouble = machineTrouble(error);
      const refused = trouble === undefined ? error : new Refusal(trouble);
      const exit = exitOf(refused);
      if (exit === undefined) throw error;
      const { message } = refused as Error;
      if (message) say(`shotlist: ${message}`);
      return exit;
    }
  };
}

function exitOf(error: unknown): number | undefined {
  if (error instanceof Stop) return error.exit;
  return error instanceof UsageError || error instanceof Refusal ? 2 : undefined;
}

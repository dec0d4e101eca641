/** Turns an error that ends a command into a sentence and an exit code. Bugs pass through: they should be seen. */
import { moreAt } from '../../domain/decision-page.ts';
import { Refusal } from '../../domain/refusal.ts';
import { UsageError } from '../arguments.ts';
import { say } from '../outlets.ts';
import { CommandError } from './command-error.ts';
import type { ExitCode } from './exit-codes.ts';
import { unhandledSystemErrorText } from './unhandled-system-error.ts';

export function withExitCode(
  command: (args: readonly string[]) => Promise<ExitCode>,
): (args: readonly string[]) => Promise<ExitCode> {
  return async args => {
    try {
      return await command(args);
    } catch (error) {
      const ofTheSystem = unhandledSystemErrorText(error);
      const known = ofTheSystem === undefined ? error : new Refusal(ofTheSystem);
      const exitCode = exitCodeOf(known);
      if (exitCode === undefined) throw error;
      const { message } = known as Error;
      if (message) say(`shotlist: ${message}`);
      if (known instanceof Refusal && known.page) say(moreAt(known.page));
      return exitCode;
    }
  };
}

/** Undefined for a bug. */
function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof UsageError || error instanceof Refusal ? 2 : undefined;
}

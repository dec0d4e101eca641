/**
 * Turns an error that ends a command into a sentence and an exit code; with `--json`, where nothing else was printed, into a document as
 * well, so that standard output can be parsed however a command ends. Bugs pass through: they should be seen.
 */
import { safeJson } from '../../domain/clean.ts';
import { moreAt } from '../../domain/decision-page.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { Refusal } from '../../domain/refusal.ts';
import { UsageError } from '../arguments.ts';
import { isNothingPrinted, print, sayLine } from '../outlets.ts';
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
      const ending = endingOf(error);
      if (ending === undefined) throw error;
      const { exit, said } = ending;
      for (const line of said) sayLine(line);
      if (isJson(args) && isNothingPrinted()) print(`${await errorJson(ending)}\n`);
      return exit;
    }
  };
}

export interface Ending {
  readonly exit: ExitCode;
  readonly message: string;
  /** The message as it is said, with where there is more of it; empty where all was said before. */
  readonly said: readonly string[];
  /** What is wrong with the file, which was printed already. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How an error ends a command; undefined for a bug. */
export function endingOf(error: unknown): Ending | undefined {
  const ofTheSystem = unhandledSystemErrorText(error);
  const known = ofTheSystem === undefined ? error : new Refusal(ofTheSystem);
  const exit = exitCodeOf(known);
  if (exit === undefined) return undefined;
  const { message } = known as Error;
  const more = known instanceof Refusal && known.page ? [moreAt(known.page)] : [];
  const [first = '', ...others] =
    known instanceof CommandError || known instanceof UsageError ? known.lines : [message];
  const said = [...(message ? [`shotlist: ${first}`, ...others] : []), ...more];
  return { exit, message, said, diagnostics: known instanceof CommandError ? known.diagnostics : [] };
}

const isJson = (args: readonly string[]): boolean =>
  (args.includes('--') ? args.slice(0, args.indexOf('--')) : args).some(
    (word, at) => word === '--json' || word === '--ui=json' || (word === '--ui' && args[at + 1] === 'json'),
  );

/** On one line: a document, and a line of a stream of events alike. `schema/diagnostics.schema.json` */
async function errorJson({ exit, message, diagnostics: found }: Ending): Promise<string> {
  // Only a mistaken file needs the words that places are measured with.
  const diagnostics =
    found.length > 0 ? (await import('../../language/diagnostic-json.ts')).diagnosticsJson(found) : undefined;
  return safeJson({ version: 1, error: { exit, message }, ...(diagnostics && { diagnostics }) });
}

/** Undefined for a bug. */
function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof UsageError || error instanceof Refusal ? 2 : undefined;
}

/**
 * Turns an error that ends a command into a sentence and an exit code; with `--json`, where nothing else was printed, into a document as
 * well, so that standard output can be parsed however a command ends. Bugs pass through: they should be seen.
 */

import { type DatabaseLabel, refusalOf } from '../../machine/files/database-error.ts';
import { doneBy, errorCodeText } from '../../machine/files/disk-error.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { moreAt, Refusal } from '../../model/run/decision-page.ts';
import { safeJson } from '../../model/text/clean.ts';
import { UsageError } from '../arguments.ts';
import { isNothingPrinted, print, sayLine } from '../outlets.ts';
import type { ExitCode } from './exit-codes.ts';

export function withExitCode(
  command: (args: readonly string[]) => Promise<ExitCode>,
): (args: readonly string[]) => Promise<ExitCode> {
  return async args => {
    try {
      return await command(args);
    } catch (error) {
      const ending = endingOf(error);
      if (ending === undefined) throw error;
      const { exit, lines } = ending;
      for (const line of lines) sayLine(line);
      if (isJson(args) && isNothingPrinted()) print(`${await errorJson(ending)}\n`);
      return exit;
    }
  };
}

export interface Ending {
  readonly exit: ExitCode;
  readonly message: string;
  /** The lines to print, with a pointer to the guide; empty where everything was printed before. */
  readonly lines: readonly string[];
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
  const lines = [...(message ? [`shotlist: ${first}`, ...others] : []), ...more];
  return { exit, message, lines, diagnostics: known instanceof CommandError ? known.diagnostics : [] };
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

/** A command cannot go on; the message, when there is one, is for the person who typed it: one line or several. */
export class CommandError extends Error {
  /** Of the process. */
  readonly exitCode: ExitCode;
  /** What is wrong with the file, which was printed already; for `--json`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lines: readonly string[];
  constructor(exitCode: ExitCode, message: string | readonly string[] = '', diagnostics: readonly Diagnostic[] = []) {
    const lines = [message].flat();
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}

type SystemError = Partial<NodeJS.ErrnoException> & {
  readonly errcode?: number;
  readonly dest?: string;
  readonly port?: number;
};

const AGAIN = 'then give the same command again';

/** Undefined for an error that does not come from the system: a bug, or an error that has its words already. */
export function unhandledSystemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, syscall, port, path } = error as SystemError;
  if (errcode !== undefined && code === 'ERR_SQLITE_ERROR') return ofDatabase(error);
  // An error of the system has a code and a system call; our own errors and those of libraries have not.
  if (code === undefined || syscall === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  if (syscall === 'listen' || syscall === 'bind') return ofPort(error, code, port);
  if (syscall === 'uv_cwd') return `the folder you stand in is gone; go to one that is there (cd), ${AGAIN}`;
  return FILES.has(syscall) || path !== undefined ? ofFile(error, code) : undefined;
}

function ofFile({ path, dest, message, syscall }: SystemError & Error, code: string): string {
  const { what, mend } = errorCodeText(code, doneBy(syscall)) ?? { what: 'it cannot be used', mend: 'mend that' };
  const which = path === undefined ? '' : `${dest === undefined ? path : dest}: `;
  // The system's message contains the code as well: `ENOSPC: no space left on device, write`
  return `${which}${what.replace(` (${code})`, '')} (${message.split(',')[0]}); ${mend}, ${AGAIN}`;
}

/** System calls on files; errors of the network carry none of these. */
const FILES: ReadonlySet<string> = new Set([
  ...[
    'open',
    'close',
    'read',
    'write',
    'fsync',
    'fdatasync',
    'ftruncate',
    'stat',
    'lstat',
    'fstat',
    'statfs',
    'access',
  ],
  ...['mkdir', 'mkdtemp', 'rmdir', 'rm', 'unlink', 'rename', 'link', 'symlink', 'readlink', 'realpath', 'scandir'],
  ...['opendir', 'copyfile', 'cp', 'chmod', 'fchmod', 'chown', 'utime', 'futime', 'spawn', 'fork', 'watch'],
]);

function ofPort({ message }: Error, code: string, port: number | undefined): string {
  const which = port === undefined ? 'the address' : `port ${port}`;
  if (code === 'EADDRINUSE') return `${which} is taken by another program; end that, or choose another port`;
  if (code === 'EACCES') return `${which} may not be used by you; choose one above 1023`;
  return `${which} cannot be listened on (${message}); choose another`;
}

/** For an error that was not handled where the database was used: which database it was is unknown. */
const SOME: DatabaseLabel = {
  path: undefined,
  words: {
    what: 'a database below .shotlist/',
    busy: `another shotlist is at work on the same files; wait until it has ended, ${AGAIN}`,
    damaged: 'put its newest copy back in its place: it records what was paid',
  },
};

function ofDatabase(error: Error): string {
  const unusable = `${SOME.words.what} cannot be used (SQLite: ${error.message})`;
  return refusalOf(error, SOME)?.message ?? `${unusable}; see that it is a whole file of this shotlist, ${AGAIN}`;
}

/** The errors of the file system, in sentences that end with what to do. */
import { cleanText } from '../domain/clean.ts';
import { Refusal } from '../domain/refusal.ts';
import { codeOf } from './error-code.ts';
import { errorCodeText } from './error-code-text.ts';

export class DiskError extends Refusal {
  /** The system's own name for it: `ENOSPC`. */
  readonly code: string;

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Undefined for errors that are not the file system's: those of the network name a system call too, but no path.
 * @param path the file that was being worked on; the errors of an open file do not name it.
 */
export function diskErrorFrom(error: unknown, path: string): DiskError | undefined {
  if (error instanceof DiskError) return error;
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) return undefined;
  const { syscall, path: own } = error as NodeJS.ErrnoException;
  if (syscall === undefined || NETWORK.has(syscall)) return undefined;
  const { what, mend } = errorCodeText(code) ?? { what: error.message, mend: 'mend that' };
  if (own === undefined && errorCodeText(code) === undefined) return undefined;
  return new DiskError(code, `${shortened(own ?? path)}: ${what}; ${mend}, then run again`, error);
}

/** Why something could not be written, for the middle of a sentence. Every error has words. */
export function writeErrorText(error: unknown): string {
  const words = errorCodeText(codeOf(error), 'writing');
  if (words) return `${words.what}: ${words.mend}`;
  return cleanText(error instanceof Error ? error.message : String(error));
}

/** System calls of sockets and name look-ups, which fail for lack of memory or permission, too. */
const NETWORK: ReadonlySet<string> = new Set(['accept', 'bind', 'connect', 'getaddrinfo', 'listen', 'socket']);

/** A path that is too long for the disk is too long to read as well. */
const shortened = (path: string): string => (path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`);

/** What the disk says no with, in sentences that end with what to do. */
import { cleanText } from '../domain/clean.ts';
import { Refusal } from '../domain/refusal.ts';
import { codeOf } from './error-code.ts';
import { systemErrorText } from './system-error-text.ts';

export class DiskError extends Refusal {
  /** The system's own name of it: `ENOSPC`. */
  readonly code: string;

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Undefined for what is not the file system's: the network has system calls too, but no paths.
 * @param path what was being worked on, for errors of an open file, which do not say.
 */
export function diskErrorFrom(error: unknown, path: string): DiskError | undefined {
  if (error instanceof DiskError) return error;
  const code = codeOf(error);
  if (!(error instanceof Error) || code === undefined) return undefined;
  const { syscall, path: own } = error as NodeJS.ErrnoException;
  if (syscall === undefined || NETWORK.has(syscall)) return undefined;
  const { what, mend } = systemErrorText(code) ?? { what: error.message, mend: 'mend that' };
  if (own === undefined && systemErrorText(code) === undefined) return undefined;
  return new DiskError(code, `${shortened(own ?? path)}: ${what}; ${mend}, then run again`, error);
}

/** For the middle of a sentence that says what could not be written. Whatever it is, it has words. */
export function writeErrorText(error: unknown): string {
  const words = systemErrorText(codeOf(error), 'writing');
  if (words) return `${words.what}: ${words.mend}`;
  return cleanText(error instanceof Error ? error.message : String(error));
}

/** What a socket or a name is asked for: no memory and no leave are their troubles, too. */
const NETWORK: ReadonlySet<string> = new Set(['accept', 'bind', 'connect', 'getaddrinfo', 'listen', 'socket']);

/** A name that is too long would be too long to read as well. */
const shortened = (path: string): string => (path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`);

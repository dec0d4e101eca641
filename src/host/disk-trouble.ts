/** What the disk says no with, in words that end with what to do. */
import { Refusal } from '../domain/refusal.ts';

export class DiskTrouble extends Refusal {
  /** The system's own name of it: `ENOSPC`. */
  readonly code: string;

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Undefined for what is not the file system's: the network has system calls too, but neither paths nor these names for its troubles.
 * @param path what was being worked on, for errors of an open file, which do not say.
 */
export function diskTroubleIn(error: unknown, path: string): DiskTrouble | undefined {
  if (error instanceof DiskTrouble) return error;
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  const code = String(error.code);
  const own = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const words = WORDS[code] ?? (own === undefined ? undefined : `${error.message}; mend that, then run again`);
  return words === undefined ? undefined : new DiskTrouble(code, `${shortened(own ?? path)}: ${words}`, error);
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some room, then run again',
  EDQUOT: 'your share of the disk is full; free some room, then run again',
  EFBIG: 'the disk takes no file that large; use another disk, then run again',
  EIO: 'the disk failed to read or write it; check the disk (and its cable or network), then run again',
  EROFS: 'the disk is read-only; make it writable, or move the project to one that is, then run again',
  EACCES: 'it may not be used by you; change its permissions, then run again',
  EPERM: 'it may not be used by you; change its permissions, then run again',
  EMFILE: 'too many files are open; raise the limit (`ulimit -n 4096`), then run again',
  ENFILE: 'too many files are open on this machine; close some programs, then run again',
  EISDIR: 'a folder stands where a file is needed; move it away, then run again',
  ENOTDIR: 'a file stands where a folder is needed; move it away, then run again',
  EEXIST: 'something else stands where a folder is needed; move it away, then run again',
  ENOTEMPTY: 'a folder stands where a file is needed; move it away, then run again',
  ENAMETOOLONG:
    'the name is longer than the disk takes; shorten it, or move the project to a shorter path, then run again',
  ENOENT: 'it is not there, or was taken away meanwhile; put it back, then run again',
  ESTALE: 'the network disk lost it; mount the disk again, then run again',
  EBUSY: 'another program holds it; close that, then run again',
};

/** A name that is too long would be too long to read as well. */
const shortened = (path: string): string => (path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`);

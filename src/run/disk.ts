/** What a disk refuses, in words that end with what to do; and what is worth a second try. */
import { cleanText } from '../domain/clean.ts';
import type { Clock } from '../host/clock.ts';

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export function diskTrouble(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full: free some space';
    case 'EROFS':
      return 'the disk can only be read: make it writable, or choose another place';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there: change the rights of the folder, or choose another place';
    case 'EIO':
      return 'the disk failed (EIO): see whether it is still sound, or choose another place';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open on this machine: close some programs, or raise the limit (`ulimit -n`)';
    case 'ENAMETOOLONG':
      return 'a name on its way is too long for this disk: shorten it';
    case 'EISDIR':
    case 'ENOTEMPTY':
    case 'EEXIST':
      return 'a folder is in its place: move that away, or choose another name';
    case 'ENOENT':
      return 'its folder went away while it was written: leave that where it is';
    case 'ENOTDIR':
      return 'a file is in the place of its folder: move that away, or choose another name';
    case 'ELOOP':
      return 'links on its way lead in a circle: remove them, or choose another place';
    case 'EBUSY':
    case 'ETXTBSY':
      return 'another program holds it: close that';
    default:
      return cleanText(error instanceof Error ? error.message : String(error));
  }
}

const PASSING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY']);
const TRIES = 6;

/** Tries again, for about three seconds, what is refused only because much goes on at once. */
export async function patiently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !PASSING.has(codeOf(error) ?? '')) throw error;
      await clock.sleep(50 * 2 ** attempt);
    }
  }
}

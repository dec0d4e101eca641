/** The errors of the file system, in sentences that end with what to do. */

import { Refusal } from '../../model/run/decision-page.ts';
import { cleanText } from '../../model/text/clean.ts';
import { codeOf } from '../error-code.ts';

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
  const { what, mend } = errorCodeText(code, doneBy(syscall)) ?? { what: error.message, mend: 'mend that' };
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

/** What a code of the system means, and what helps; the caller adds the place and what to do then. */
interface MachineWords {
  readonly what: string;
  readonly mend: string;
}

/** @param doing given where it is known that something was to be written, or a folder made. */
export function errorCodeText(code: string | undefined, doing?: Doing): MachineWords | undefined {
  const words = (doing && DOING[doing][code ?? '']) ?? WORDS[code ?? ''];
  return words && { what: words[0], mend: words[1] };
}

type Doing = 'writing' | 'making a folder';

export const doneBy = (syscall: string | undefined): Doing | undefined =>
  syscall === 'mkdir' ? 'making a folder' : undefined;

type Table = Readonly<Record<string, readonly [what: string, mend: string]>>;

const FORBIDDEN = [
  'it may not be used by you',
  'change its permissions (chmod, chown), or choose another place',
] as const;

const WORDS: Table = {
  ENOSPC: ['the disk is full', 'free some space'],
  EDQUOT: ['your share of the disk is full', 'free some space, or ask for more'],
  EFBIG: ['the disk takes no file that large', 'choose another disk'],
  EIO: ['the disk failed (EIO)', 'see whether it is still sound, or choose another place'],
  EROFS: ['the disk can only be read', 'make it writable, or choose another place'],
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EBADF: ['it is not open for that', 'choose another place'],
  EMFILE: ['too many files are open', 'raise the limit (`ulimit -n 4096`), or set smaller `limits` in your settings'],
  ENFILE: ['this machine has too many files open', 'close some programs'],
  ENOENT: ['it is not there, or was taken away meanwhile', 'put it back'],
  EEXIST: ['a folder is needed here, and something else is in its place', 'move that away'],
  ENOTDIR: ['a folder is needed on the way there, and something else is in its place', 'move that away'],
  EISDIR: ['a folder is in its place', 'move that away, or choose another name'],
  ENOTEMPTY: ['a folder is in its place, with something in it', 'move that away, or choose another name'],
  ENAMETOOLONG: ['the name is too long for this disk', 'shorten it, or move the project to a shorter path'],
  ELOOP: ['links on its way lead in a circle', 'remove them, or choose another place'],
  EBUSY: ['another program holds it', 'close that'],
  ETXTBSY: ['it is a program that is running', 'end it'],
  EXDEV: ['it is on another disk', 'choose a place on the same one'],
  ENODEV: ['its disk is gone', 'bring it back'],
  ENXIO: ['its device is gone', 'bring it back'],
  ESTALE: ['the network disk lost it', 'mount that anew'],
  ENOMEM: ['this machine has no memory left', 'end what fills it'],
  EAGAIN: ['this machine can do no more at once', 'end something'],
};

const UNWRITABLE = [
  'this user may not write there',
  'change the rights of the folder, or choose another place',
] as const;

const WRITING: Table = {
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  ENOENT: ['its folder went away while it was written', 'leave that where it is'],
};

/** A call that makes a folder and all on its way reports a disk that can only be read as one where something is not there. */
const MAKING: Table = {
  ENOENT: [
    'no folder can be made there: its disk can only be read, or what it was to be in is gone',
    'choose another place',
  ],
};

const DOING: { readonly [doing in Doing]: Table } = { writing: WRITING, 'making a folder': MAKING };

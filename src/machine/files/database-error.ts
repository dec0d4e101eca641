/** The errors of a database, in sentences that end with what to do. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../../model/run/decision-page.ts';
import { codeOf } from '../error-code.ts';
import { diskErrorFrom, errorCodeText } from './disk-error.ts';

/** Which database it is, for the message. */
export interface DatabaseLabel {
  /** Undefined where it is not known which file it was. */
  readonly path: string | undefined;
  /** The words for a person when it cannot be used: `what` it is (`the journal`), who holds it, and what to do about damage. */
  readonly words: {
    readonly what: string;
    readonly busy: string;
    readonly damaged: string;
  };
}

/** The file cannot be used; the message is for the user. */
export class DatabaseRefused extends Refusal {}
/** Another process holds it. */
export class DatabaseBusy extends DatabaseRefused {}

/** An error that SQLite or the disk throws about such a file, in words; undefined for any other error, which is a bug. */
export function refusalOf(error: unknown, one: DatabaseLabel): DatabaseRefused | undefined {
  if (error instanceof Error && 'errcode' in error) return sqliteRefusal(error, Number(error.errcode), one);
  // The folder and the file are made before SQLite is asked, so the disk may fail by itself.
  const trouble = diskErrorFrom(error, one.path ?? one.words.what);
  return trouble && new DatabaseRefused(`${one.words.what} cannot be used: ${trouble.message}`);
}

/** https://www.sqlite.org/rescode.html: all other codes are our own mistakes. */
function sqliteRefusal({ message }: Error, errcode: number, one: DatabaseLabel): DatabaseRefused | undefined {
  const it = named(one);
  switch (errcode & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
      return new DatabaseBusy(one.words.busy);
    case 13: // FULL
      return new DatabaseRefused(`the disk is full: ${it} cannot be written; make room, then run again`);
    case 3: // PERM
    case 8: // READONLY
    case 23: // AUTH
      return new DatabaseRefused(readOnly(it));
    case 10: // IOERR
    case 14: // CANTOPEN
    case 15: // PROTOCOL
      return new DatabaseRefused(ioFailureText(it, one.path, { message, isOfLock: LOCK_FAILURES.has(errcode) }));
    case 22: // NOLFS
      return new DatabaseRefused(
        `${it} cannot be written: its disk takes no file that large; choose another disk, then run again`,
      );
    case 7: // NOMEM
      return new DatabaseRefused(`this machine has no memory left for ${it}; end what fills it, then run again`);
    case 11: // CORRUPT
    case 26: // NOTADB
      return new DatabaseRefused(damage(one, message));
    default:
      return undefined;
  }
}

const readOnly = (it: string): string => `${it} cannot be written (read-only): make it writable, then run again`;

/** PROTOCOL, and of IOERR: UNLOCK, RDLOCK, CHECKRESERVEDLOCK, LOCK, SHMLOCK, SHMMAP. */
const LOCK_FAILURES: ReadonlySet<number> = new Set([15, 2058, 2314, 3594, 3850, 5130, 5386]);

/** SQLite reports a quota, a read-only disk and a failing disk alike, as "disk I/O error". Writing a file beside the database finds the cause. */
function ioFailureText(
  it: string,
  path: string | undefined,
  { message, isOfLock }: { readonly message: string; readonly isOfLock: boolean },
): string {
  const code = path === undefined ? undefined : writeFailure(dirname(path));
  if (code === undefined && isOfLock)
    return `${it} cannot be locked (${message}): some network disks cannot lock files; move the project to a disk of this machine, then run again`;
  if (code === 'EROFS') return readOnly(it);
  const words = code === 'EACCES' || code === 'EPERM' ? undefined : errorCodeText(code, 'writing');
  if (words === undefined)
    return `${it} cannot be read or written (${message}); mend the disk or its permissions, then run again`;
  return `${it} cannot be written: ${words.what}; ${words.mend}, then run again`;
}

/** The code of the error that writing a page to a new file of this folder fails with; undefined where it does not fail. */
function writeFailure(folder: string): string | undefined {
  const path = join(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    writeFileSync(path, Buffer.alloc(4_096, 1), { flag: 'wx', flush: true });
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    rmSync(path, { force: true });
  }
}

export const damage = ({ path, words }: DatabaseLabel, reason: string): string =>
  `${path ?? words.what} cannot be read (${reason}); ${words.damaged}`;

const named = ({ path, words }: DatabaseLabel): string =>
  path === undefined ? words.what : `${words.what} at ${path}`;

/** A stored file → a file of somebody's own: writable, with the date of the stored one, and complete from the moment it has its name. */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import { codeOf } from '../host/error-code.ts';
import { syncPath } from '../host/files.ts';
import { digestOf } from './digest.ts';

/**
 * @param file a stored file with the digest `sha256`.
 * @param verified called only before a copy; rejects if the file is damaged.
 */
export async function materialise(
  file: string,
  sha256: string,
  target: string,
  verified: () => Promise<unknown>,
): Promise<void> {
  if (await isSame(file, sha256, target)) return;
  await verified();
  await mkdir(dirname(target), { recursive: true });
  const draft = draftOf(target);
  // A draft that an earlier crash left, or a link that somebody put there, is removed and not written through.
  await rm(draft, { force: true });
  try {
    await copyFile(file, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await chmod(draft, 0o644).catch(unlessNotKept);
    await dateLike(file, draft).catch(unlessNotKept);
    await syncPath(draft);
    await rename(draft, target);
  } catch (error) {
    // Half a film on a full disk would keep it full.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await syncPath(dirname(target));
}

/** A file with the same length and date is the same file, as we left it. */
export const looksSame = (one: Stats, other: Stats): boolean =>
  one.size === other.size && Math.abs(one.mtimeMs - other.mtimeMs) < 2;

/** A file with the same length and another date is worth reading. */
async function isSame(file: string, sha256: string, target: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all([stat(file), lstat(target).catch(() => undefined)]);
  // A rename would take away a pipe or a device, `/dev/null` among them, and put a film in its place.
  if (theirs && !theirs.isFile() && !theirs.isSymbolicLink() && !theirs.isDirectory())
    throw new Refusal(`${target} is a pipe or a device, and no place for a file: choose another name`);
  if (theirs === undefined || !theirs.isFile() || theirs.size !== mine.size) return false;
  if (looksSame(mine, theirs)) return true;
  if ((await digestOf(target)).sha256 !== sha256) return false;
  await dateLike(file, target).catch(unlessNotKept);
  return true;
}

/**
 * Where a file waits until all of its bytes are there: beside its place and hidden. The draft of a target always has the same name,
 * so that the next attempt finds what a crash has left; and all drafts have names of one length, so that a target whose name just
 * fits the disk has one that fits too.
 */
export const draftOf = (target: string): string =>
  join(dirname(target), `.shotlist-${createHash('sha256').update(basename(target)).digest('hex').slice(0, 16)}.part`);

/** Disks of cameras and some shares keep neither rights nor dates: the bytes are what counts. */
function unlessNotKept(error: unknown): void {
  const code = codeOf(error);
  if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
}

async function dateLike(file: string, target: string): Promise<void> {
  const { atime, mtime } = await stat(file);
  await utimes(target, atime, mtime);
}

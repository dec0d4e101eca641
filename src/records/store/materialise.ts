/** A stored file → a file of the author's own: writable, with the date of the stored one, and complete from the moment it has its name. */
import { createHash } from 'node:crypto';
import { constants, createWriteStream, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../machine/error-code.ts';
import { syncPath } from '../../machine/files/files.ts';
import { type Edit, edited, growth } from '../../media/marking/byte-edits.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { digestOf } from './digest.ts';

interface Copy {
  /** A stored file with the digest `sha256`. */
  readonly file: string;
  readonly sha256: string;
  readonly target: string;
  /** Called only before a copy; rejects if the file is damaged. */
  readonly verified: () => Promise<unknown>;
  readonly edits?: readonly Edit[];
  /** Called with the digest of an edited copy before it has its name. */
  readonly writing?: (sha256: string) => Promise<void>;
}

/** @returns whether it was written; false: these bytes were there already. */
export async function materialise({ file, sha256, target, verified, edits = [], writing }: Copy): Promise<boolean> {
  if (await isSame(file, sha256, target, edits)) return false;
  await verified();
  await mkdir(dirname(target), { recursive: true });
  const draft = draftOf(target);
  // A draft that an earlier crash left, or a link in its place, is removed and not written through.
  await rm(draft, { force: true });
  try {
    if (edits.length === 0) await copyFile(file, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    else await writing?.(await writeEdited(file, edits, draft));
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
  return true;
}

/** @returns the digest of what it has written. */
async function writeEdited(file: string, edits: readonly Edit[], draft: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    edited(file, edits),
    async function* (bytes) {
      for await (const some of bytes) {
        hash.update(some);
        yield some;
      }
    },
    createWriteStream(draft, { flags: 'wx' }),
  );
  return hash.digest('hex');
}

/** A file with the same length and date is the same file, as we left it. @param more bytes by which the other is longer. */
export const looksSame = (one: Stats, other: Stats, more = 0): boolean =>
  one.size + more === other.size && Math.abs(one.mtimeMs - other.mtimeMs) < 2;

/**
 * The same without reading it. A short text is read: two answers of a model may be equally long, and as old by a disk's clock.
 * @param more bytes by which the other is longer
 */
export const isSureToBeSame = (one: Stats, other: Stats, more = 0): boolean =>
  (more !== 0 || other.size > SHORT) && looksSame(one, other, more);
const SHORT = 4_096;

/** A file with the same length and another date is worth reading. */
async function isSame(file: string, sha256: string, target: string, edits: readonly Edit[]): Promise<boolean> {
  const [mine, theirs] = await Promise.all([stat(file), lstat(target).catch(() => undefined)]);
  // A rename would take away a pipe or a device, `/dev/null` among them, and put a film in its place.
  if (theirs && !theirs.isFile() && !theirs.isSymbolicLink() && !theirs.isDirectory())
    throw new Refusal(`${target} is a pipe or a device, and no place for a file: choose another name`);
  if (theirs?.isFile() !== true) return false;
  if (isSureToBeSame(mine, theirs, growth(edits))) return true;
  if (edits.length > 0 || theirs.size !== mine.size) return false;
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

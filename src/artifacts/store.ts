/**
 * Results by content: `<folder>/<aa>/<sha256>-<bytes><ext>`. What is here was paid for: nothing is ever deleted, files are
 * read-only, and a name appears only when all of its bytes are on the disk. The length in the name tells a whole file from one
 * that somebody cut, without reading it.
 */

import { createHash } from 'node:crypto';
import { constants, readdirSync, type Stats, statSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import { syncPath } from '../host/files.ts';
import { digestOf } from './digest.ts';

export interface Stored {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Absolute path in the store, when the store was opened by an absolute path. */
  readonly file: string;
}

export class Store {
  readonly folder: string;
  /** Where downloads that are not finished wait, on the same device as the store. */
  readonly partials: string;
  /** Where a digest was last seen: a plan of ten thousand asks ten thousand times. */
  readonly #seen = new Map<string, string>();

  private constructor(folder: string) {
    this.folder = folder;
    this.partials = join(folder, 'partial');
  }

  static async open(folder: string): Promise<Store> {
    const store = new Store(folder);
    await mkdir(store.partials, { recursive: true });
    return store;
  }

  /** The file with these bytes, when it is here and whole. One look at the disk; nothing is read. */
  has(sha256: string): string | undefined {
    if (!DIGEST.test(sha256)) return undefined;
    const seen = this.#seen.get(sha256);
    if (seen !== undefined && isWhole(seen)) return seen;
    const shelf = join(this.folder, sha256.slice(0, 2));
    for (const name of namesIn(shelf)) {
      const file = join(shelf, name);
      const digest = name.slice(0, name.indexOf('-'));
      // Of its own digest the first whole one; of its neighbours any, as they are looked at again when they are asked for.
      if (digest !== sha256 || isWhole(file)) this.#seen.set(digest, file);
    }
    const found = this.#seen.get(sha256);
    return found !== undefined && isWhole(found) ? found : undefined;
  }

  /** Moves a file into the store. `ext` is `''` or like `.mp4`. Throws what the disk throws. */
  async adopt(path: string, ext: string): Promise<Stored> {
    // A link's own name would move, and not what it shows.
    if ((await lstat(path)).isSymbolicLink()) {
      const stored = await this.include(path, ext);
      await rm(path);
      return stored;
    }
    const { sha256, bytes } = await digestOf(path);
    return this.place(path, { sha256, bytes }, ext);
  }

  /** Copies a file into the store, and leaves it where it is. */
  async include(path: string, ext: string): Promise<Stored> {
    await using copy = await this.#copy(path);
    // The copy is measured, not the original: somebody may be writing to that.
    return await this.place(copy.path, await digestOf(copy.path), ext);
  }

  /** Moves a file whose digest is known, because it was made while the bytes came in. */
  async place(path: string, { sha256, bytes }: { sha256: string; bytes: number }, ext: string): Promise<Stored> {
    const shelf = join(this.folder, sha256.slice(0, 2));
    const file = join(shelf, `${sha256}-${bytes}${EXTENSION.test(ext) ? ext : ''}`);
    if (isWhole(file)) {
      await rm(path);
      return { sha256, bytes, file };
    }
    if ((await mkdir(shelf, { recursive: true })) !== undefined) await syncPath(this.folder);
    await syncPath(path);
    await chmod(path, 0o444);
    await this.#move(path, file);
    await syncPath(shelf);
    return { sha256, bytes, file };
  }

  /**
   * Puts a copy at `target`, all of it or nothing, and makes its folders. A copy, never a link: people edit what they are given.
   * What is there already with the same bytes is not touched. Throws when the store does not have it, and what the disk throws.
   */
  async materialise(sha256: string, target: string): Promise<void> {
    const file = this.has(sha256);
    if (file === undefined) throw new Error(`the store has no ${sha256}; run again to fetch it`);
    if (await isSame(file, sha256, target)) return;
    await mkdir(dirname(target), { recursive: true });
    const draft = draftOf(target);
    // What an earlier crash left, or a link that somebody put there: not written through.
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

  async #move(from: string, to: string): Promise<void> {
    try {
      await rename(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
      // Another device: copied to ours first, so that the name still appears all at once.
      await using copy = await this.#copy(from);
      await syncPath(copy.path);
      await rename(copy.path, to);
      await rm(from);
    }
  }

  /** A copy on our own device, gone with its block unless it was moved away. */
  async #copy(path: string): Promise<{ readonly path: string } & AsyncDisposable> {
    const folder = await mkdtemp(join(this.partials, 'copy-'));
    const gone = () => rm(folder, { recursive: true, force: true });
    const copy = join(folder, 'copy');
    await copyFile(path, copy, constants.COPYFILE_FICLONE).catch(async error => {
      await gone();
      throw error;
    });
    return { path: copy, [Symbol.asyncDispose]: gone };
  }
}

const DIGEST = /^[0-9a-f]{64}$/;
const EXTENSION = /^\.[a-z0-9]{1,8}$/;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a file of the store is there with the length that its name tells. */
function isWhole(file: string): boolean {
  const bytes = /-(\d+)(\.[a-z0-9]+)?$/.exec(basename(file))?.[1];
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && String(found.size) === bytes;
}

/** Same length and date is the same file, as we left it. */
export const looksSame = (one: Stats, other: Stats): boolean =>
  one.size === other.size && Math.abs(one.mtimeMs - other.mtimeMs) < 2;

/** Same length and another date is worth reading. */
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
 * Where a file waits until all of its bytes are there: beside its place, hidden, always of one name, so that the next attempt
 * finds what a crash has left, and of one length, so that a name that just fits the disk fits with it.
 */
export const draftOf = (target: string): string =>
  join(dirname(target), `.shotlist-${createHash('sha256').update(basename(target)).digest('hex').slice(0, 16)}.part`);

/** Disks of cameras and some shares keep neither rights nor dates: the bytes are what counts. */
function unlessNotKept(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
}

async function dateLike(file: string, target: string): Promise<void> {
  const { atime, mtime } = await stat(file);
  await utimes(target, atime, mtime);
}

/**
 * Results by content: `<folder>/<aa>/<sha256>-<bytes><ext>`. What is here was paid for: nothing is ever deleted, files are
 * read-only, and a name appears only when all of its bytes are on the disk. The length in the name tells a whole file from one
 * that somebody cut, without reading it.
 */

import { createHash, randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import { type Disk, systemDisk } from '../host/disk.ts';
import { DiskError, diskErrorFrom } from '../host/disk-error.ts';
import { codeOf } from '../host/error-code.ts';
import { syncPath } from '../host/files.ts';
import { type Digest, digestOf, digestOfOpen } from './digest.ts';
import type { Downloaded } from './download.ts';
import { SingleFlight } from './single-flight.ts';

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
  readonly disk: Disk;
  /** What is on its way here, so that nobody fetches it a second time meanwhile. */
  readonly downloads = new SingleFlight<Downloaded, [bytesSoFar: number, total: number | null]>();
  /** Where a digest was last seen: a plan of ten thousand asks ten thousand times. */
  readonly #seen = new Map<string, string>();

  private constructor(folder: string, disk: Disk) {
    this.folder = folder;
    this.partials = join(folder, 'partial');
    this.disk = disk;
  }

  static async open(folder: string, disk: Disk = systemDisk): Promise<Store> {
    const store = new Store(folder, disk);
    await told(store.partials, () => disk.mkdir(store.partials, { recursive: true }));
    return store;
  }

  /**
   * The file with these bytes, when it is here and whole. One look at the disk; nothing is read.
   * @throws {DiskError} where the disk cannot say: "not here" would be paid for again.
   */
  has(sha256: string): string | undefined {
    if (!DIGEST.test(sha256)) return undefined;
    const seen = this.#seen.get(sha256);
    if (seen !== undefined && this.#isWhole(seen)) return seen;
    const shelf = join(this.folder, sha256.slice(0, 2));
    for (const name of this.#namesIn(shelf)) {
      const file = join(shelf, name);
      const digest = name.slice(0, name.indexOf('-'));
      // Of its own digest the first whole one; of its neighbours any, as they are looked at again when they are asked for.
      if (digest !== sha256 || this.#isWhole(file)) this.#seen.set(digest, file);
    }
    const found = this.#seen.get(sha256);
    return found !== undefined && this.#isWhole(found) ? found : undefined;
  }

  /** Moves a file into the store. `ext` is `''` or like `.mp4`. @throws {DiskError} */
  async adopt(path: string, ext: string): Promise<Stored> {
    const { isLink, isShared } = await told(path, async () => {
      const found = await this.disk.lstat(path);
      return { isLink: found.isSymbolicLink(), isShared: found.nlink > 1 };
    });
    // A link's own name would move, and not what it shows; and a file of two names would stay in somebody else's hands.
    if (!isLink && !isShared) return this.place(path, ext);
    const stored = await this.include(path, ext);
    await told(path, () => this.disk.rm(path));
    return stored;
  }

  /** Copies a file into the store, and leaves it where it is. @throws {DiskError} */
  async include(path: string, ext: string): Promise<Stored> {
    return told(path, async () => {
      await using copy = await this.#copy(path);
      // The copy is measured, not the original: somebody may be writing to that.
      return await this.place(copy.path, ext);
    });
  }

  /**
   * Moves a file in under what it is found to hold. No digest is taken on trust, however it came about: a wrong one would be
   * believed for ever. It costs 1 to 3 ms a megabyte. @throws {DiskError}
   */
  async place(path: string, ext: string): Promise<Stored> {
    return told(path, async () => {
      // Under a name that nobody else knows: what is among the partials has one.
      const own = dirname(path) === this.partials ? path : join(this.partials, `placing-${randomUUID()}`);
      if (own !== path) await this.#move(path, own);
      try {
        for (let tries = 1; tries <= STILL; tries++) {
          const stored = await this.#placed(own, ext);
          if (stored !== undefined) return stored;
        }
        const why = 'it is still being written to; let what writes it end first, then run again';
        throw new DiskError('EBUSY', `${path}: ${why}`, undefined);
      } catch (error) {
        // What came stays where it was, and may be written to again.
        await this.disk.chmod(own, 0o644).catch(() => {});
        if (own !== path) await this.disk.rename(own, path).catch(() => {});
        throw error;
      }
    });
  }

  /** Undefined when it changed under our hands: whoever had it open went on writing. */
  async #placed(own: string, ext: string): Promise<Stored | undefined> {
    await this.disk.chmod(own, 0o444);
    const { digest, date, ino } = await this.#measured(own);
    const { sha256, bytes } = digest;
    const shelf = join(this.folder, sha256.slice(0, 2));
    const file = join(shelf, `${sha256}-${bytes}${EXTENSION.test(ext) ? ext : ''}`);
    if (this.#isWhole(file)) {
      await this.disk.rm(own);
      return { ...digest, file };
    }
    if ((await this.disk.mkdir(shelf, { recursive: true })) !== undefined) await syncPath(this.folder, this.disk);
    if (!(await this.#isStill(own, digest, date))) return undefined;
    await this.disk.rename(own, file);
    await syncPath(shelf, this.disk);
    // Another process that had the same bytes may have put them over ours at the same moment: they are not ours to take away.
    const isOurs = (await this.disk.stat(file)).ino === ino;
    if (!isOurs || (await this.#isStill(file, digest, date))) return { ...digest, file };
    await this.disk.rename(file, own);
    return undefined;
  }

  async #measured(path: string): Promise<{ readonly digest: Digest; readonly date: number; readonly ino: number }> {
    await using file = await this.disk.open(path, 'r');
    await file.sync();
    const { mtimeMs: date, ino } = await file.stat();
    return { digest: await digestOfOpen(file), date, ino };
  }

  async #isStill(path: string, { bytes }: Digest, date: number): Promise<boolean> {
    const { size, mtimeMs } = await this.disk.stat(path);
    return size === bytes && mtimeMs === date;
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
      await this.disk.rename(from, to);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      await using copy = await this.#copy(from);
      await this.disk.rename(copy.path, to);
      await this.disk.rm(from);
    }
  }

  /** A copy on our own device, gone with its block unless it was moved away. */
  async #copy(path: string): Promise<{ readonly path: string } & AsyncDisposable> {
    const folder = await this.disk.mkdtemp(join(this.partials, 'copy-'));
    const gone = () => this.disk.rm(folder, { recursive: true, force: true });
    const copy = join(folder, 'copy');
    await this.disk.copyFile(path, copy, constants.COPYFILE_FICLONE).catch(async error => {
      await gone();
      throw error;
    });
    return { path: copy, [Symbol.asyncDispose]: gone };
  }

  #namesIn(folder: string): readonly string[] {
    try {
      return this.disk.readdirSync(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw diskErrorFrom(error, folder) ?? error;
    }
  }

  /** Whether a file of the store is there with the length that its name tells. */
  #isWhole(file: string): boolean {
    const bytes = /-(\d+)(\.[a-z0-9]+)?$/.exec(basename(file))?.[1];
    try {
      const found = this.disk.statSync(file, { throwIfNoEntry: false });
      return found?.isFile() === true && String(found.size) === bytes;
    } catch (error) {
      throw diskErrorFrom(error, file) ?? error;
    }
  }
}

/** How often a file may change under our hands. */
const STILL = 3;
const DIGEST = /^[0-9a-f]{64}$/;
const EXTENSION = /^\.[a-z0-9]{1,8}$/;

/** What the disk says no with, in words. */
async function told<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw diskErrorFrom(error, path) ?? error;
  }
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
  const code = codeOf(error);
  if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
}

async function dateLike(file: string, target: string): Promise<void> {
  const { atime, mtime } = await stat(file);
  await utimes(target, atime, mtime);
}

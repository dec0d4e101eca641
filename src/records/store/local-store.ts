/**
 * The store in one folder: `<folder>/<aa>/<sha256>-<bytes><ext>`. The folder may be shared by machines and processes. Nothing is ever
 * deleted, files are read-only, and a name appears only when all of its bytes are on the disk. The length in the name distinguishes a whole
 * file from one that was cut, without reading it.
 *
 * A disk may change bytes and keep the length. So each process takes the digest of a file before it first hands out its path, and again
 * when the file's inode, length or date has changed since: 1 to 2 ms a megabyte. A damaged file is set aside, and is not owned.
 */

import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import { type Disk, systemDisk } from '../../machine/files/disk.ts';
import { DiskError, diskErrorFrom } from '../../machine/files/disk-error.ts';
import { syncPath } from '../../machine/files/files.ts';
import type { Edit } from '../../media/marking/byte-edits.ts';
import { type Digest, digestOfOpen } from './digest.ts';
import { materialise } from './materialise.ts';
import { DamagedResult, type Store, type Stored } from './store.ts';

export class LocalStore implements Store {
  readonly folder: string;
  /** Where downloads that are not finished wait, on the same device as the store. */
  readonly partials: string;
  readonly disk: Disk;
  /** Where a digest was last seen: a plan of ten thousand asks ten thousand times. */
  readonly #seen = new Map<string, string>();
  /** Checked files, by path, with their identity at that time. `damaged` remains only where the disk refuses to move the file. */
  readonly #verified = new Map<string, { readonly as: string; readonly is: 'intact' | 'damaged' }>();

  private constructor(folder: string, disk: Disk) {
    this.folder = folder;
    this.partials = join(folder, 'partial');
    this.disk = disk;
  }

  static async open(folder: string, disk: Disk = systemDisk): Promise<LocalStore> {
    const store = new LocalStore(folder, disk);
    await withDiskErrors(store.partials, () => disk.mkdir(store.partials, { recursive: true }));
    return store;
  }

  /** @throws {DiskError} where the disk cannot say: content that is "not here" would be paid for again. */
  has(sha256: string): boolean {
    return this.file(sha256) !== undefined;
  }

  /**
   * The file with these bytes, when it is here and whole. One look at the disk; nothing is read.
   * @throws {DiskError} where the disk cannot say.
   */
  file(sha256: string): string | undefined {
    if (!DIGEST.test(sha256)) return undefined;
    const seen = this.#seen.get(sha256);
    if (seen !== undefined && this.#isWhole(seen)) return seen;
    const subfolder = join(this.folder, sha256.slice(0, 2));
    for (const name of this.#namesIn(subfolder)) {
      const file = join(subfolder, name);
      const digest = name.slice(0, name.indexOf('-'));
      // The first whole file with this digest is taken. Its neighbours are noted unseen, as they are looked at when they are asked for.
      if (digest !== sha256 || this.#isWhole(file)) this.#seen.set(digest, file);
    }
    const found = this.#seen.get(sha256);
    return found !== undefined && this.#isWhole(found) ? found : undefined;
  }

  /** Moves a file into the store. `ext` is `''` or like `.mp4`. @throws {DiskError} */
  async adopt(path: string, ext: string): Promise<Stored> {
    const { isLink, isShared } = await withDiskErrors(path, async () => {
      const found = await this.disk.lstat(path);
      return { isLink: found.isSymbolicLink(), isShared: found.nlink > 1 };
    });
    // A move would move the link and not its file; and a file with a second name could still be edited by that name.
    if (!isLink && !isShared) return this.place(path, ext);
    const stored = await this.include(path, ext);
    await withDiskErrors(path, () => this.disk.rm(path));
    return stored;
  }

  async put(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, ext: string): Promise<Stored> {
    const draft = join(this.partials, `put-${randomUUID()}`);
    try {
      await this.#write(draft, bytes);
      return await this.place(draft, ext);
    } catch (error) {
      await this.disk.rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  }

  async #write(path: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    await using file = await this.disk.open(path, 'wx');
    await file.writeFile(bytes);
  }

  /** Copies a file into the store, and leaves it where it is. @throws {DiskError} */
  async include(path: string, ext: string): Promise<Stored> {
    return withDiskErrors(path, async () => {
      await using copy = await this.#copy(path);
      // The copy is measured, not the original, which may be written to.
      return await this.place(copy.path, ext);
    });
  }

  /**
   * Moves a file in under what it is found to hold. No digest is taken on trust, however it came about: a wrong one would be
   * believed for ever. It costs 1 to 3 ms a megabyte. @throws {DiskError}
   */
  async place(path: string, ext: string): Promise<Stored> {
    return withDiskErrors(path, async () => {
      // It gets a name that no other program knows. Files among the partials have one already.
      const own = dirname(path) === this.partials ? path : join(this.partials, `placing-${randomUUID()}`);
      if (own !== path) await this.#move(path, own);
      try {
        for (let tries = 1; tries <= MAX_TRIES; tries++) {
          const stored = await this.#placed(own, ext);
          if (stored !== undefined) return stored;
        }
        const why = 'it is still being written to; let what writes it end first, then run again';
        throw new DiskError('EBUSY', `${path}: ${why}`, undefined);
      } catch (error) {
        // The file goes back to where it was, and may be written to again.
        await this.disk.chmod(own, 0o644).catch(() => {});
        if (own !== path) await this.disk.rename(own, path).catch(() => {});
        throw error;
      }
    });
  }

  /** Undefined when the file changed meanwhile: a program that had it open went on writing. */
  async #placed(own: string, ext: string): Promise<Stored | undefined> {
    await this.disk.chmod(own, 0o444);
    const { digest, date, ino } = await this.#measured(own);
    const { sha256, bytes } = digest;
    const subfolder = join(this.folder, sha256.slice(0, 2));
    const file = join(subfolder, `${sha256}-${bytes}${EXTENSION.test(ext) ? ext : ''}`);
    if (this.#isWhole(file)) {
      await this.disk.rm(own);
      return { ...digest, file };
    }
    if ((await this.disk.mkdir(subfolder, { recursive: true })) !== undefined) await syncPath(this.folder, this.disk);
    const isChanged = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) =>
      size !== bytes || mtimeMs !== date;
    if (isChanged(await this.disk.stat(own))) return undefined;
    await this.disk.rename(own, file);
    await syncPath(subfolder, this.disk);
    // One look: another process with the same bytes may put a file over ours at any moment, and that one is not ours to take away.
    const there = await this.disk.stat(file);
    if (there.ino === ino && !isChanged(there)) this.#verified.set(file, { as: identityOf(there), is: 'intact' });
    if (there.ino !== ino || !isChanged(there)) return { ...digest, file };
    await this.disk.rename(file, own);
    return undefined;
  }

  async #measured(path: string): Promise<{ readonly digest: Digest; readonly date: number; readonly ino: number }> {
    await using file = await this.disk.open(path, 'r');
    await file.sync();
    const { mtimeMs: date, ino } = await file.stat();
    return { digest: await digestOfOpen(file), date, ino };
  }

  /** @throws {DamagedResult} if the file is damaged: it is set aside, and no longer owned. */
  async pathOf(sha256: string): Promise<string> {
    const file = this.file(sha256);
    if (file === undefined) throw new Error(`the store has no ${sha256}; run again to fetch it`);
    if (await this.#isIntact(sha256)) return file;
    const aside = this.#asideOf(file);
    await this.disk.mkdir(dirname(aside), { recursive: true }).catch(() => {});
    const isAside = await this.disk.rename(file, aside).then(
      () => true,
      () => false,
    );
    throw new DamagedResult(sha256, isAside ? aside : file);
  }

  /** Whether the stored file has the digest in its name. @throws {DiskError} */
  async #isIntact(sha256: string): Promise<boolean> {
    const path = this.file(sha256);
    if (path === undefined) return false;
    return withDiskErrors(path, async () => {
      const as = identityOf(await this.disk.stat(path));
      const known = this.#verified.get(path);
      if (known?.as === as) return known.is === 'intact';
      await using file = await this.disk.open(path, 'r');
      const is = (await digestOfOpen(file)).sha256 === sha256 ? 'intact' : 'damaged';
      this.#verified.set(path, { as, is });
      return is === 'intact';
    });
  }

  damaged(sha256: string): string | undefined {
    if (!DIGEST.test(sha256)) return undefined;
    const name = this.#namesIn(join(this.folder, DAMAGED)).find(one => one.startsWith(`${sha256}-`));
    return name === undefined ? undefined : join(this.folder, DAMAGED, name);
  }

  #asideOf = (file: string): string => join(this.folder, DAMAGED, basename(file));

  async materialise(sha256: string, target: string, edits: readonly Edit[] = []): Promise<boolean> {
    const file = this.file(sha256) ?? (await this.pathOf(sha256));
    const writing = (written: string) => this.noteWritten(written);
    return materialise({ file, sha256, target, edits, writing, verified: () => this.pathOf(sha256) });
  }

  wrote(sha256: string): boolean {
    return DIGEST.test(sha256) && this.#statOf(join(this.folder, WRITTEN, sha256))?.isFile() === true;
  }

  /** Before the file has its name: what is there after a crash is known to be ours. */
  async noteWritten(sha256: string): Promise<void> {
    const note = join(this.folder, WRITTEN, sha256);
    await withDiskErrors(note, async () => {
      await this.disk.mkdir(dirname(note), { recursive: true });
      await using file = await this.disk.open(note, 'w');
      await file.sync();
    });
  }

  /** Undefined where it is not there. @throws {DiskError} where the disk cannot say. */
  #statOf(path: string): Stats | undefined {
    try {
      return this.disk.statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      throw diskErrorFrom(error, path) ?? error;
    }
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

  /** Whether a file of the store is there with the length in its name. */
  #isWhole(file: string): boolean {
    const bytes = /-(\d+)(\.[a-z0-9]+)?$/.exec(basename(file))?.[1];
    const found = this.#statOf(file);
    return found?.isFile() === true && String(found.size) === bytes;
  }
}

/** How often a file may change while it is taken in. */
const MAX_TRIES = 3;
/** The folder of damaged files, in the store's folder. */
const DAMAGED = 'damaged';
/** Empty files named by the digests of edited copies that were written. */
const WRITTEN = 'written';
const DIGEST = /^[0-9a-f]{64}$/;
const EXTENSION = /^\.[a-z0-9]{1,8}$/;

/** Changes when a program writes to the file. In milliseconds: setting the date of use rewrites the date of change with that precision. */
const identityOf = ({ ino, size, mtimeMs }: Pick<Stats, 'ino' | 'size' | 'mtimeMs'>): string =>
  `${ino} ${size} ${Math.round(mtimeMs)}`;

/** Turns the errors of the disk into words. */
async function withDiskErrors<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw diskErrorFrom(error, path) ?? error;
  }
}

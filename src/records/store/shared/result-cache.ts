/**
 * How much of a team's results a worker keeps at hand. Its stores are caches before the team's: what the team has as well may be given up, and
 * what was used longest ago goes first.
 *
 * What is being read stays. A turn at a run, or a piece of heavy work, holds paths for as long as it takes; every path it can hold was asked for
 * after it had begun. So a file goes only where it was asked for last before the oldest work under way had begun, by a count and no clock.
 * Several workers may share the folder: each leaves a sign of when its oldest work began, and every use is noted on the file as the date
 * of its last access.
 */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../machine/error-code.ts';
import { ifThere } from '../../../machine/files/files.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import type { Edit } from '../../../media/marking/byte-edits.ts';
import type { LocalStore } from '../local-store.ts';
import { materialise } from '../materialise.ts';
import { DamagedResult, type Store, type Stored } from '../store.ts';

interface ResultCacheOptions {
  /** Absolute: `<folder>/<project>/store` are the stores. */
  readonly folder: string;
  /** Bytes of all of them together; more only for what is being read, and for what the team has not got yet. */
  readonly most: number;
  /** Which of these the team's store has. @throws where it cannot say; nothing is given up then. */
  readonly kept: (digests: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly newId: () => string;
}

interface Cached {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly usedAt: number;
}

/** What is left of the most when something was given up, and what may come before it is looked at again. */
const LEFT = 0.9;
const LOOK_AFTER = 0.02;
/** Files that the team's store is asked about at once. */
const ASKED_AT_ONCE = 16;
/** Milliseconds between two signs of a worker that has work under way, and after which it is taken for gone. */
const SIGN = 20_000;
const GONE = 120_000;
/** Milliseconds after which a partial download is abandoned. */
const ABANDONED = 24 * 3_600_000;
const SIGNS = '.at-work';
/** Ends the name of a sign that is being written. */
const COMING = '.coming';

export class ResultCache {
  readonly #options: ResultCacheOptions;
  readonly #sign: string;
  #count = 0;
  /** By path: what the count was when it was asked for last. */
  readonly #used = new Map<string, number>();
  /** What the count was when each began → when that was. */
  readonly #works = new Map<number, number>();
  #newest = 0;
  /** Bytes since it was looked at last. */
  #came = 0;
  #tidying: Promise<void> | undefined;
  /** More is here than there may be: some of it may go when work ends. */
  #isTooMuch = false;
  #isSigning = false;
  #idle = new AbortController();

  constructor(options: ResultCacheOptions) {
    this.#options = options;
    this.#sign = join(options.folder, SIGNS, options.newId());
  }

  /** Work begins that may hold paths, until this is disposed of. */
  atWork(): Disposable {
    const begun = ++this.#count;
    this.#newest = begun;
    this.#works.set(begun, this.#options.clock.now());
    this.#leaveSign();
    if (!this.#isSigning) void this.#keepSigning();
    return {
      [Symbol.dispose]: () => {
        this.#works.delete(begun);
        this.#idle.abort();
        this.#leaveSign();
        if (this.#isTooMuch) void this.tidy().catch(() => {});
      },
    };
  }

  /** A store of one project, bounded with all others. */
  over(local: LocalStore): Store {
    return new CachedStore(local, this);
  }

  use(path: string): void {
    const before = this.#used.get(path) ?? 0;
    this.#used.set(path, ++this.#count);
    if (before > this.#newest) return;
    try {
      utimesSync(path, this.#options.clock.now() / 1000, statSync(path).mtimeMs / 1000);
    } catch {
      // On a disk that keeps no dates the oldest to come is the first to go.
    }
  }

  /** These bytes were hashed when they came. */
  came({ file, bytes }: Stored): void {
    this.use(file);
    this.#came += bytes;
    if (this.#came >= this.#options.most * LOOK_AFTER) void this.tidy().catch(() => {});
  }

  /** Deletes a damaged file: it is downloaded again when it is needed. */
  removeDamaged(path: string, { file }: DamagedResult): void {
    rmSync(file, { force: true });
    this.#forget(path);
  }

  /** Gives up what is too much. @param most bytes that may stay. Rejects with errors of the disk and of the team's store. */
  tidy(most = this.#options.most): Promise<void> {
    this.#came = 0;
    this.#tidying ??= this.#tidy(most).finally(() => {
      this.#tidying = undefined;
    });
    return this.#tidying;
  }

  /** The disk is full: half of all that may go goes. True where any of it went. */
  async makeRoom(): Promise<boolean> {
    await this.#tidying?.catch(() => {});
    const before = sum(await this.#files());
    await this.tidy(before / 2).catch(() => {});
    return sum(await this.#files()) < before;
  }

  async #tidy(most: number): Promise<void> {
    const files = await this.#files();
    let total = sum(files);
    this.#isTooMuch = total > most;
    if (!this.#isTooMuch) return;
    // Nothing goes while it is unknown what others read.
    const elsewhere = await this.#oldestElsewhere().catch(() => 0);
    const mayGo = (file: Cached) => this.#isIdle(file.path) && file.usedAt < elsewhere;
    const oldest = files.filter(mayGo).sort((a, b) => a.usedAt - b.usedAt);
    for (let at = 0; at < oldest.length && total > most * LEFT; at += ASKED_AT_ONCE) {
      const some = oldest.slice(at, at + ASKED_AT_ONCE);
      const kept = await this.#options.kept(some.map(({ sha256 }) => sha256));
      for (const { path, sha256, bytes } of some) {
        // It may have been asked for meanwhile; from here to its end nothing else runs.
        if (total <= most * LEFT || !kept.has(sha256) || !this.#isIdle(path)) continue;
        rmSync(path, { force: true });
        this.#forget(path);
        total -= bytes;
      }
    }
    this.#isTooMuch = total > most;
  }

  #isIdle(path: string): boolean {
    return (this.#used.get(path) ?? 0) < Math.min(...this.#works.keys());
  }

  #forget(path: string): void {
    this.#used.delete(path);
  }

  async #files(): Promise<readonly Cached[]> {
    const { folder, clock } = this.#options;
    const found: Cached[] = [];
    for (const project of await namesIn(folder)) {
      const store = join(folder, project, 'store');
      for (const name of await namesIn(join(store, 'partial'))) {
        const path = join(store, 'partial', name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (clock.now() - mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true });
      }
      for (const shelf of (await namesIn(store)).filter(name => /^[0-9a-f]{2}$/.test(name)))
        for (const name of await namesIn(join(store, shelf))) {
          const sha256 = NAME.exec(name)?.[1];
          const path = join(store, shelf, name);
          const there = sha256 === undefined ? undefined : await stat(path).catch(() => undefined);
          if (sha256 !== undefined && there?.isFile())
            found.push({ path, sha256, bytes: there.size, usedAt: Math.max(there.atimeMs, there.mtimeMs) });
        }
    }
    return found;
  }

  /** When the oldest work of other workers that live began: Unix milliseconds; 0 where a sign has no number. Rejects where one cannot be read. */
  async #oldestElsewhere(): Promise<number> {
    const folder = join(this.#options.folder, SIGNS);
    let oldest = Number.POSITIVE_INFINITY;
    for (const name of (await ifThere(readdir(folder))) ?? []) {
      const path = join(folder, name);
      const there = path.startsWith(this.#sign) ? undefined : await ifThere(stat(path));
      if (!there) continue;
      if (this.#options.clock.now() - there.mtimeMs > GONE) {
        await rm(path, { force: true });
        continue;
      }
      const begun = name.endsWith(COMING) ? undefined : await ifThere(readFile(path, 'utf8'));
      if (begun !== undefined) oldest = Math.min(oldest, Number(begun) || 0);
    }
    return oldest;
  }

  #leaveSign(): void {
    try {
      if (this.#works.size === 0) {
        rmSync(this.#sign, { force: true });
        return;
      }
      mkdirSync(join(this.#options.folder, SIGNS), { recursive: true });
      // A reader sees the sign before, or this one.
      writeFileSync(`${this.#sign}${COMING}`, String(Math.min(...this.#works.values())));
      renameSync(`${this.#sign}${COMING}`, this.#sign);
    } catch {
      // On a disk that takes nothing there is nothing to download either.
    }
  }

  async #keepSigning(): Promise<void> {
    this.#isSigning = true;
    while (this.#works.size > 0) {
      this.#idle = new AbortController();
      await this.#options.clock.sleep(SIGN, this.#idle.signal, 'in the background');
      if (this.#works.size > 0) this.#leaveSign();
    }
    this.#isSigning = false;
  }
}

const NAME = /^([0-9a-f]{64})-\d+(\.[a-z0-9]+)?$/;
const sum = (files: readonly Cached[]): number => files.reduce((all, { bytes }) => all + bytes, 0);
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

class CachedStore implements Store {
  readonly #local: LocalStore;
  readonly #cache: ResultCache;

  constructor(local: LocalStore, cache: ResultCache) {
    this.#local = local;
    this.#cache = cache;
  }

  get partials(): string {
    return this.#local.partials;
  }

  has(sha256: string): boolean {
    return this.file(sha256) !== undefined;
  }

  file(sha256: string): string | undefined {
    const path = this.#local.file(sha256);
    if (path !== undefined) this.#cache.use(path);
    return path;
  }

  async pathOf(sha256: string): Promise<string> {
    const path = this.#local.file(sha256) ?? (await this.#local.pathOf(sha256));
    this.#cache.use(path);
    await this.#local.pathOf(sha256).catch(error => {
      if (error instanceof DamagedResult) this.#cache.removeDamaged(path, error);
      throw error;
    });
    return path;
  }

  async materialise(sha256: string, target: string, edits: readonly Edit[] = []): Promise<boolean> {
    const file = this.file(sha256) ?? (await this.pathOf(sha256));
    const writing = (written: string) => this.#local.noteWritten(written);
    return materialise({ file, sha256, target, edits, writing, verified: () => this.pathOf(sha256) });
  }

  wrote(sha256: string): boolean {
    return this.#local.wrote(sha256);
  }

  async adopt(path: string, ext: string): Promise<Stored> {
    const adopted = async () => {
      const stored = await this.#local.adopt(path, ext);
      this.#cache.came(stored);
      return stored;
    };
    try {
      return await adopted();
    } catch (error) {
      // The file is where it was.
      if (!isFull(error) || !(await this.#cache.makeRoom())) throw error;
      return await adopted();
    }
  }

  async put(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, ext: string): Promise<Stored> {
    try {
      const stored = await this.#local.put(bytes, ext);
      this.#cache.came(stored);
      return stored;
    } catch (error) {
      if (isFull(error) && (await this.#cache.makeRoom())) throw new RoomMade();
      throw error;
    }
  }
}

/** The stream's bytes are lost; opened once more, it has room now. */
class RoomMade extends Error {
  override readonly message = 'the disk was full, and is not any more';
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');

/**
 * Tells when files have another content than before. The system's events wake, looking is the truth: once a second every file is looked
 * at, for network drives and mounted folders tell no events. What counts is content: a file that was only touched, or written as it was,
 * has not changed.
 *
 * An editor saves in more steps than one (a temporary file and a rename, a backup and a new file, an empty file and then its text), and
 * several files one after the other. So a change is reported once nothing has happened for a moment, and a file that is gone is believed to
 * be gone only after a while.
 *
 * Made of `node:fs` alone. chokidar reports files (added, changed, gone) where we need contents, has polling for all or nothing, and would
 * still want all of the above; @parcel/watcher brings a binary for each platform, for a handful of files.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, realpathSync, statSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../time/clock.ts';

/** What is watched. `lists`: what else may change, each as a text that differs once it has. */
export interface Watched {
  /** Absolute paths; they need not be there. */
  readonly files: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, () => string>;
  /** SHA-256 of files as they were read, where that is known. */
  readonly read: ReadonlyMap<string, string>;
}

/**
 * Has `wake` called whenever something may have happened in a folder, until it is closed. It may throw, fall silent, and call for nothing:
 * looking makes up for it. `lost` is called where it knows that it will tell no more.
 */
export type Listen = (folder: string, listener: { readonly wake: () => void; readonly lost: () => void }) => Listening;
interface Listening {
  close(): void;
}

/** Milliseconds between two looks that nothing has asked for. */
const LOOK = 1_000;
/** Milliseconds between two looks, however often it is woken: another program may write into the same folder all the time. */
const PAUSE = 50;
/** Milliseconds without a change after which a save is over. */
const QUIET = 50;
/** Milliseconds for which a file may be gone, or empty, while it is being saved. */
const GONE = 600;
/** Milliseconds after which changes that never rest are reported. */
const LONGEST = 2_000;
/** Bytes up to which a file is read at each look; a larger one only where its date or size on the disk has changed. */
const SMALL = 256 * 1024;
/** Bytes up to which a file is known by its content at all. */
const LARGE = 64 * 1024 ** 2;

type Signs = ReadonlyMap<string, string>;
const ABSENT = '-';
/** What some write first, and their text a moment later. */
const EMPTY = createHash('sha256').digest('hex');
const isHalfSaved = (sign: string | undefined): boolean => sign === ABSENT || sign === EMPTY;

export class FileWatch {
  readonly #clock: Clock;
  readonly #listen: Listen;
  readonly #folders = new Map<string, Followed>();
  /** Digests of larger files, with their date and size then. */
  readonly #digests = new Map<string, { readonly disk: string; readonly sha256: string }>();
  #watched: Watched = { files: new Set(), lists: new Map(), read: new Map() };
  #known: Signs = new Map();
  #wake = () => {};
  /** Milliseconds of the clock. */
  #lookedAt = 0;

  constructor(clock: Clock, listen: Listen = systemEvents) {
    this.#clock = clock;
    this.#listen = listen;
  }

  /** Notes how the files are before they are read: what changes from then on is reported. */
  async begin(): Promise<void> {
    this.#known = await this.#signsOf(this.#watched);
  }

  /** From now on it is these. */
  async follow(watched: Watched): Promise<void> {
    const before = this.#known;
    this.#watched = watched;
    const now = await this.#signsOf(watched);
    const known = (name: string, sign: string) =>
      before.get(name) ?? (isByContent(sign) ? watched.read.get(name) : undefined) ?? sign;
    this.#known = new Map([...now].map(([name, sign]) => [name, known(name, sign)]));
    this.#followFolders();
  }

  /** Resolves with the names of what has changed, once it rests; with none when the signal aborts. */
  async changed(signal: AbortSignal): Promise<readonly string[]> {
    while (!signal.aborted) {
      // Whatever happens from here on, also while it is looked, asks for another look.
      const woken = this.#woken(signal);
      const early = this.#lookedAt + PAUSE - this.#clock.now();
      if (early > 0) await this.#clock.sleep(early, signal);
      const now = await this.#signsOf(this.#watched);
      this.#lookedAt = this.#clock.now();
      if (differing(this.#known, now).length > 0) {
        const rested = await this.#rested(now, signal);
        const names = differing(this.#known, rested);
        if (names.length > 0) return signal.aborted ? [] : names;
        continue;
      }
      this.#followFolders();
      await this.#clock.sleep(LOOK, woken);
    }
    return [];
  }

  close(): void {
    for (const { listening } of this.#folders.values()) listening?.close();
    this.#folders.clear();
  }

  async #rested(first: Signs, signal: AbortSignal): Promise<Signs> {
    let before = first;
    let calm = 0;
    for (let waited = 0; waited < LONGEST && !signal.aborted; waited += QUIET) {
      await this.#clock.sleep(QUIET, signal);
      const now = await this.#signsOf(this.#watched);
      calm = differing(before, now).length === 0 ? calm + QUIET : 0;
      before = now;
      const isHalf = differing(this.#known, now).some(name => isHalfSaved(now.get(name)));
      if (calm >= (isHalf ? GONE : QUIET)) break;
    }
    return before;
  }

  /** Aborts at the next event, or with `signal`. */
  #woken(signal: AbortSignal): AbortSignal {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    return AbortSignal.any([woken.signal, signal]);
  }

  /** Folders, not files: a file that is replaced takes its own watcher with it. */
  #followFolders(): void {
    const wanted = new Set([...this.#watched.files].flatMap(foldersOf));
    for (const [folder, { listening, of }] of this.#folders) {
      // A folder that is replaced takes its watcher with it as well.
      if (wanted.has(folder) && of === identityOf(folder)) continue;
      listening?.close();
      this.#folders.delete(folder);
    }
    for (const folder of wanted) if (!this.#folders.has(folder)) this.#follow(folder);
  }

  #follow(folder: string): void {
    const of = identityOf(folder);
    if (of === undefined) return;
    const lost = () => {
      followed.listening?.close();
      followed.listening = undefined;
    };
    const followed: Followed = { of, listening: undefined };
    this.#folders.set(folder, followed);
    try {
      followed.listening = this.#listen(folder, { wake: () => this.#wake(), lost });
    } catch {
      // The system has no more watches, or none for this folder: looking finds whatever happens there.
    }
  }

  async #signsOf({ files, lists }: Watched): Promise<Signs> {
    const signs = await Promise.all([...files].map(async file => [file, await this.#signOf(file)] as const));
    return new Map([...signs, ...[...lists].map(([name, list]) => [name, list()] as const)]);
  }

  async #signOf(file: string): Promise<string> {
    try {
      const found = await stat(file, { bigint: true });
      if (!found.isFile()) return 'no file';
      if (found.size > LARGE) return byDisk(found);
      if (found.size <= SMALL) return await digestOf(file);
      const disk = `${byDisk(found)} ${found.ctimeNs}`;
      const before = this.#digests.get(file);
      if (before?.disk === disk) return before.sha256;
      const sha256 = await digestOf(file);
      this.#digests.set(file, { disk, sha256 });
      return sha256;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? ABSENT : code;
    }
  }
}

interface Followed {
  /** Which folder it was when it was listened to. */
  readonly of: string;
  /** Undefined where the system reports nothing. */
  listening: Listening | undefined;
}

/** Its own, and that of what it is a link to. */
function foldersOf(file: string): readonly string[] {
  try {
    return [dirname(file), dirname(realpathSync(file))];
  } catch {
    return [dirname(file)];
  }
}

function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

const byDisk = ({ ino, size, mtimeNs }: BigIntStats): string => `disk ${ino} ${size} ${mtimeNs}`;
const isByContent = (sign: string): boolean => !sign.startsWith('disk ');

const digestOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const systemEvents: Listen = (folder, { wake, lost }) => {
  const watcher = watch(folder, () => wake());
  watcher.on('error', lost);
  return watcher;
};

const differing = (before: Signs, now: Signs): readonly string[] =>
  [...now].filter(([name, sign]) => before.get(name) !== sign).map(([name]) => name);

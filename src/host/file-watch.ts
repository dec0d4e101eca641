/**
 * Tells when files have another content than before. The system's events wake, looking is the truth: once a second every file is looked
 * at, for network drives and mounted folders tell no events. What counts is content: a file that was only touched, or written as it was,
 * has not changed.
 *
 * An editor saves in more steps than one (a temporary file and a rename, a backup and a new file, an empty file and then its text), and
 * several files one after the other. So a change is told once nothing has happened for a moment, and a file that is gone is believed to
 * be gone only after a while.
 *
 * Made of `node:fs` alone. chokidar tells of files (added, changed, gone) where we need contents, has polling for all or nothing, and would
 * still want all of the above; @parcel/watcher brings a binary for each platform, for a handful of files.
 */
import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';

/** What is watched. `lists`: what else may change, each as a text that differs once it has. */
export interface Watched {
  /** Absolute paths; they need not be there. */
  readonly files: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, () => string>;
  /** SHA-256 of files as they were read, where that is known. */
  readonly read: ReadonlyMap<string, string>;
}

/** Milliseconds between two looks that nothing has asked for. */
const LOOK = 1_000;
/** Milliseconds without a change after which a save is over. */
const QUIET = 50;
/** Milliseconds for which a file may be gone while it is being saved. */
const GONE = 600;
/** Milliseconds after which changes that never rest are told. */
const LONGEST = 2_000;
/** Bytes up to which a file is known by its content; a larger one by what the disk says of it. */
const SMALL = 4 * 1024 ** 2;

type Signs = ReadonlyMap<string, string>;
const ABSENT = '-';

export class FileWatch {
  readonly #clock: Clock;
  readonly #folders = new Map<string, FSWatcher>();
  #watched: Watched = { files: new Set(), lists: new Map(), read: new Map() };
  #known: Signs = new Map();
  #wake = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes how the files are before they are read: what changes from then on is told. */
  async begin(): Promise<void> {
    this.#known = await signsOf(this.#watched);
  }

  /** From now on it is these. */
  async follow(watched: Watched): Promise<void> {
    const before = this.#known;
    this.#watched = watched;
    const now = await signsOf(watched);
    this.#known = new Map([...now].map(([name, sign]) => [name, before.get(name) ?? watched.read.get(name) ?? sign]));
    this.#listen();
  }

  /** Resolves with the names of what has changed, once it rests; with none when the signal aborts. */
  async changed(signal: AbortSignal): Promise<readonly string[]> {
    while (!signal.aborted) {
      // Whatever happens from here on, also while it is looked, asks for another look.
      const woken = this.#woken(signal);
      const now = await signsOf(this.#watched);
      if (differing(this.#known, now).length > 0) {
        const rested = await this.#rested(now, signal);
        const names = differing(this.#known, rested);
        if (names.length > 0) return signal.aborted ? [] : names;
        continue;
      }
      this.#listen();
      await this.#clock.sleep(LOOK, woken);
    }
    return [];
  }

  close(): void {
    for (const folder of this.#folders.values()) folder.close();
    this.#folders.clear();
  }

  async #rested(first: Signs, signal: AbortSignal): Promise<Signs> {
    let before = first;
    for (let waited = 0; waited < LONGEST && !signal.aborted; ) {
      const isGone = differing(this.#known, before).some(name => before.get(name) === ABSENT);
      const woken = this.#woken(signal);
      const pause = isGone ? GONE : QUIET;
      await this.#clock.sleep(pause, isGone ? woken : signal);
      waited += isGone && woken.aborted ? QUIET : pause;
      const now = await signsOf(this.#watched);
      if (differing(before, now).length === 0 && !(isGone && woken.aborted)) return now;
      before = now;
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
  #listen(): void {
    const wanted = new Set([...this.#watched.files].map(file => dirname(file)));
    for (const [folder, watcher] of this.#folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of wanted) if (!this.#folders.has(folder)) this.#listenTo(folder);
  }

  #listenTo(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#wake());
      this.#folders.set(folder, watcher);
      // It is gone, or the system has no more watches: looking finds whatever happens there.
      watcher.on('error', () => {
        watcher.close();
        this.#folders.delete(folder);
      });
    } catch {
      // Likewise.
    }
  }
}

async function signsOf({ files, lists }: Watched): Promise<Signs> {
  const signs = await Promise.all([...files].map(async file => [file, await signOf(file)] as const));
  return new Map([...signs, ...[...lists].map(([name, list]) => [name, list()] as const)]);
}

async function signOf(file: string): Promise<string> {
  try {
    const found = await stat(file, { bigint: true });
    if (!found.isFile()) return 'no file';
    if (found.size > SMALL) return `${found.ino} ${found.size} ${found.mtimeNs}`;
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? ABSENT : code;
  }
}

const differing = (before: Signs, now: Signs): readonly string[] =>
  [...now].filter(([name, sign]) => before.get(name) !== sign).map(([name]) => name);

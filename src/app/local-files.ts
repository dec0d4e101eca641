/** Media files that a pipeline names by path. A first plan asks for them, `load` hashes and probes each once, a second plan has them. */
import { createHash } from 'node:crypto';
import { constants, existsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Disk, systemDisk } from '../machine/files/disk.ts';
import { nearestFile, unreadableText, whyUnreadable } from '../machine/files/outside-file.ts';
import { isInside, SETTINGS_FILE, STATE_FOLDER } from '../machine/files/project.ts';
import type { Inspector } from '../media/decode/inspector.ts';
import type { MediaFacts } from '../model/media/media.ts';
import { Refusal } from '../model/run/decision-page.ts';
import type { LocalMedia, UnusableFile } from '../plan/plan.ts';
import { digestOfOpen } from '../records/store/digest.ts';

export interface FileReading {
  readonly disk: Disk;
  /** Undefined for a file that cannot be probed; why, for one that is certainly no media: a command may still read both. @throws {Refusal} where this machine could not look. */
  readonly probe: (path: string) => Promise<MediaFacts | NotMediaFile | undefined>;
  readonly digest: (open: FileHandle) => Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** Hears of every path that is asked for, absolute, whether it is there or not. */
  readonly looking?: (file: string) => void;
  /** Hears what was read of it. */
  readonly found?: (file: string, sha256: string) => void;
}

/** `it is text, not media` */
export interface NotMediaFile {
  readonly notMedia: string;
}

/** For checking only whether files can be inputs: they are not read to their end. */
export const unread: FileReading['digest'] = async open => {
  const { size, ino, dev } = await open.stat();
  return { sha256: createHash('sha256').update(`${dev} ${ino} ${size}`).digest('hex'), bytes: size };
};

/** Bytes. Reading more would take a quarter of an hour, and no model takes such a file. */
const LARGEST = 64 * 1024 ** 3;
/** Attempts at a file that changes while it is read. */
const READS = 3;

export class LocalFiles {
  readonly #folder: string;
  readonly #world: FileReading;
  readonly #known = new Map<string, LocalMedia | UnusableFile>();
  readonly #wanted = new Set<string>();
  /** The disk's facts about a file when it was read. */
  readonly #seen = new Map<string, Seen>();

  readonly #root: string | undefined;

  /**
   * @param folder where the pipeline file is: paths are relative to it.
   * @param root of the project, which no path may leave; undefined where everything may be read.
   */
  constructor(folder: string, world: Partial<FileReading> = {}, root?: string) {
    this.#folder = folder;
    this.#world = { disk: systemDisk, digest: digestOfOpen, ...world, probe: world.probe ?? probeElsewhere() };
    this.#root = root;
  }

  /** Absolute paths of all files that were read. */
  get read(): readonly string[] {
    return [...this.#known].flatMap(([path, found]) => ('url' in found ? [resolve(this.#folder, path)] : []));
  }

  get(path: string): LocalMedia | UnusableFile | undefined {
    // One file for all ways to name it: the files that a pipeline uses lie in other folders.
    const file = resolve(this.#folder, path);
    this.#world.looking?.(file);
    const known = this.#known.get(file);
    if (known) return known;
    if (this.#root !== undefined && file !== this.#root && !isInside(file, this.#root))
      return { unusable: outside(file, this.#root) };
    // Gives false for a name that no file can have.
    if (existsSync(file)) {
      this.#wanted.add(file);
      return undefined;
    }
    const near = nearestFile(path, file);
    return near === undefined
      ? undefined
      : { code: 'no-such-file', unusable: `is not there; did you mean \`${near}\`?` };
  }

  /** Reads the files that `get` was asked for and did not know; true where there were any. */
  async load(): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    for (const file of this.#wanted) {
      const found = await this.#look(file);
      this.#known.set(file, found);
      if ('url' in found) this.#world.found?.(file, found.sha256);
    }
    this.#wanted.clear();
    return true;
  }

  /** Read again only where the disk's facts show a change. */
  async changed(path: string): Promise<string | undefined> {
    const file = resolve(this.#folder, path);
    const before = this.#known.get(file);
    const seen = this.#seen.get(file);
    if (!before || !('url' in before) || !seen) return undefined;
    const now = await this.#world.disk.stat(file).catch((error: NodeJS.ErrnoException) => error.code ?? '');
    if (now === 'ENOENT' || now === 'ENOTDIR') return 'is gone';
    if (typeof now !== 'string' && isAsSeen(now, seen)) return undefined;
    const found = await this.#look(file);
    if ('unusable' in found) return found.unusable;
    return found.sha256 === before.sha256 ? undefined : 'has changed';
  }

  async #look(file: string): Promise<LocalMedia | UnusableFile> {
    try {
      for (let read = 1; read <= READS; read++) {
        const found = await this.#read(file);
        if (found !== undefined) return found;
      }
      return { unusable: 'changes while it is read; let whatever writes it end, then give the same command again' };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (error instanceof Refusal) return { unusable: `could not be looked at on this machine: ${message}` };
      return { unusable: REASONS[code] ?? `cannot be read (${message}); mend that, or give another file` };
    }
  }

  /** Undefined for a file that changed while it was read. */
  async #read(file: string): Promise<LocalMedia | UnusableFile | undefined> {
    const { disk, probe, digest } = this.#world;
    // Opening a named pipe shall not wait for a writer.
    await using open = await disk.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const before = await open.stat();
    const unusable = whyUnreadable(before, LARGEST);
    if (unusable !== undefined) return { unusable: unreadableText(unusable) };
    const [{ sha256, bytes }, found] = await Promise.all([digest(open), probe(file)]);
    const { notMedia } = found && 'notMedia' in found ? found : {};
    const facts = found && 'notMedia' in found ? undefined : found;
    const after = await disk.stat(file);
    const isSame = after.ino === before.ino && after.size === bytes && after.mtimeMs === before.mtimeMs;
    if (isSame) this.#seen.set(file, after);
    const url = pathToFileURL(file).href;
    return isSame ? { sha256, facts, ...(notMedia !== undefined && { notMedia }), url, bytes } : undefined;
  }
}

/** The time of the last change shows one that left its size and its own time as they were. */
type Seen = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

const isAsSeen = (now: Seen, seen: Seen): boolean =>
  now.ino === seen.ino && now.size === seen.size && now.mtimeMs === seen.mtimeMs && now.ctimeMs === seen.ctimeMs;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read; change its permissions, or give another file',
  EPERM: 'you may not read; change its permissions, or give another file',
  EISDIR: 'is a folder; name a file in it',
  // A socket, or a device without a driver.
  ENXIO: 'is a socket or a device; name a file',
  ENODEV: 'is a device; name a file',
  EIO: 'the disk fails to read; check the disk, or give another file',
  EMFILE: 'cannot be opened, for too many files are; raise the limit (`ulimit -n 4096`)',
  ENFILE: 'cannot be opened, for too many files are; close some programs',
};

/** Probes in a process of its own, with a deadline: an author's files may come from anywhere. */
function probeElsewhere(): FileReading['probe'] {
  let inspector: Promise<Inspector> | undefined;
  return async path => {
    inspector ??= Promise.all([import('../media/decode/inspector.ts'), import('../machine/time/clock.ts')]).then(
      ([{ Inspector }, { systemClock }]) => new Inspector({ clock: systemClock }),
    );
    return (await inspector).probe(path).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      const isNotMedia = error instanceof Error && error.name === 'NotMedia';
      return isNotMedia ? { notMedia: error.message.split(': ')[0] ?? '' } : undefined;
    });
  };
}

/** Names the project's folder, why it is that one, and how the file comes into it. */
function outside(file: string, root: string): string {
  const marker = [SETTINGS_FILE, STATE_FOLDER, '.git'].find(name => existsSync(join(root, name)));
  const both = commonFolder(file, root);
  const link = `link or copy it into the project (\`ln -s ${relative(root, file)} ${basename(file)}\` in ${root})`;
  if (marker === '.git' || both === dirname(both))
    return `lies outside the project, which is ${root}${marker ? ` (it has a \`${marker}\`)` : ''}; ${link}`;
  const widen =
    marker === undefined
      ? `put a \`${SETTINGS_FILE}\` into ${both}`
      : `move \`${marker}\` from there to ${both}, which holds both`;
  return `lies outside the project, which is ${root}${marker ? ` (it has a \`${marker}\`)` : ''}; ${link}, or ${widen}`;
}

function commonFolder(file: string, root: string): string {
  let folder = root;
  while (!isInside(file, folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

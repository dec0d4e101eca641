/** Media files that a pipeline names by path. A first plan asks for them, `load` hashes and probes each once, a second plan has them. */
import { constants, existsSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { digestOfOpen } from '../artifacts/digest.ts';
import { formatBytes } from '../domain/format.ts';
import type { MediaFacts } from '../domain/media.ts';
import { type Disk, systemDisk } from '../host/disk.ts';
import type { Inspector } from '../media/inspector.ts';
import type { LocalMedia, UnusableFile } from '../plan/plan.ts';

export interface FileReading {
  readonly disk: Disk;
  /** Undefined for a file that is no media, or cannot be probed: a command may still read it. Always settles. */
  readonly probe: (path: string) => Promise<MediaFacts | undefined>;
}

/** Bytes. Reading more would take a quarter of an hour, and no model takes such a file. */
const LARGEST = 64 * 1024 ** 3;
/** Attempts at a file that changes while it is read. */
const READS = 3;

export class LocalFiles {
  readonly #folder: string;
  readonly #world: FileReading;
  readonly #known = new Map<string, LocalMedia | UnusableFile>();
  readonly #wanted = new Set<string>();

  /** @param folder where the pipeline file is: paths are relative to it. */
  constructor(folder: string, world: FileReading = { disk: systemDisk, probe: probeElsewhere() }) {
    this.#folder = folder;
    this.#world = world;
  }

  get(path: string): LocalMedia | UnusableFile | undefined {
    const known = this.#known.get(path);
    // Gives false for a name that no file can have.
    if (known === undefined && existsSync(resolve(this.#folder, path))) this.#wanted.add(path);
    return known;
  }

  /** Reads the files that `get` was asked for and did not know; true where there were any. */
  async load(): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    for (const path of this.#wanted) this.#known.set(path, await this.#look(resolve(this.#folder, path)));
    this.#wanted.clear();
    return true;
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
      return { unusable: REASONS[code] ?? `cannot be read (${message}); mend that, or give another file` };
    }
  }

  /** Undefined for a file that changed while it was read. */
  async #read(file: string): Promise<LocalMedia | UnusableFile | undefined> {
    const { disk, probe } = this.#world;
    // Opening a named pipe shall not wait for a writer.
    await using open = await disk.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const before = await open.stat();
    const unusable = whyUnusable(before);
    if (unusable !== undefined) return { unusable };
    const [{ sha256, bytes }, facts] = await Promise.all([digestOfOpen(open), probe(file)]);
    const after = await disk.stat(file);
    const isSame = after.ino === before.ino && after.size === bytes && after.mtimeMs === before.mtimeMs;
    return isSame ? { sha256, facts, url: pathToFileURL(file).href, bytes } : undefined;
  }
}

function whyUnusable(found: Stats): string | undefined {
  if (found.isDirectory()) return 'is a folder; name a file in it';
  if (found.isFIFO() || found.isSocket()) return 'is a pipe, which can be read only once; write it into a file first';
  if (!found.isFile()) return 'is a device, which has no end; name a file';
  if (found.size > LARGEST)
    return `is ${formatBytes(found.size)}; more than ${formatBytes(LARGEST)} is not read, give a smaller one`;
  return undefined;
}

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
    inspector ??= Promise.all([import('../media/inspector.ts'), import('../host/clock.ts')]).then(
      ([{ Inspector }, { systemClock }]) => new Inspector({ clock: systemClock }),
    );
    return (await inspector).probe(path).catch(() => undefined);
  };
}

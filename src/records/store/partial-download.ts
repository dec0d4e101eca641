/**
 * The beginning of a download, and beside it a note of what must still be true at the service for the rest to fit.
 * Only bytes that were synced are counted as there: after a power cut a file may be long and hold zeros.
 *
 *     <id>.rest-<random>.part     free: the next attempt goes on with it
 *     <id>.<machine>-<pid>-<random>.part     claimed by a process, which alone writes to it
 *
 * Two programs (two runs of one project) may want the same result at the same time. The process that
 * renames a part has it, and none writes to a name that is not its own. So bytes of two attempts never meet in one file, without a
 * lock that a crash could leave. A crash leaves a part without a holder, which any process may take.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import type { Disk } from '../../machine/files/disk.ts';
import { ifThere } from '../../machine/files/files.ts';
import { mayBeRunning, thisProcess } from '../../machine/process/process-group.ts';
import { isObject, recordIn } from '../../model/text/json.ts';

/** The service's headers about the file, when its first byte came. */
export interface Source {
  /** For `If-Range`: a strong ETag, or a date (RFC 9110, 13.1.5). Without one, the rest cannot be trusted to fit. */
  readonly validator: string | null;
  /** Length of the whole file; null where unknown. */
  readonly total: number | null;
  readonly contentType: string | null;
}

export interface PartialState {
  readonly source: Source;
  /** Bytes known to be on the disk. */
  readonly bytes: number;
}

interface Place {
  readonly disk: Disk;
  readonly folder: string;
}

export class PartialDownload implements AsyncDisposable {
  readonly path: string;
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #id: string;
  /** What of it is on the disk. */
  #hasPart = false;
  #hasNote = false;

  private constructor({ disk, folder }: Place, id: string) {
    const { machine, pid } = thisProcess();
    this.#disk = disk;
    this.#folder = folder;
    this.#id = id;
    this.path = join(folder, `${id}.${machine}-${pid}-${randomUUID().slice(0, 8)}.part`);
  }

  /**
   * A part of our own: the longest that waits for its rest, or a new one. `id` is hashed where it could not name a file: ids come from
   * outside.
   */
  static async claim(place: Place, id: string): Promise<PartialDownload> {
    const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
    const partial = new PartialDownload(place, name);
    for (const waiting of await partsOf(name, place)) {
      if (partial.#hasPart) {
        await place.disk.rm(stateFileOf(waiting), { force: true });
        await place.disk.rm(waiting, { force: true });
      } else if (await moved(place.disk, waiting, partial.path)) {
        partial.#hasPart = true;
        partial.#hasNote = await moved(place.disk, stateFileOf(waiting), stateFileOf(partial.path));
      }
    }
    return partial;
  }

  /** The part that an earlier attempt left, if it is whole or its rest can be asked for. */
  async kept(): Promise<PartialState | undefined> {
    if (!this.#hasNote) return undefined;
    const note = await readNote(this.#disk, this.path);
    const found = await this.#disk.stat(this.path).catch(() => undefined);
    if (note === undefined || found === undefined || note.bytes === 0 || found.size < note.bytes) return undefined;
    return note.source.validator === null && note.bytes !== note.source.total ? undefined : note;
  }

  /** Opens the file with exactly its first `bytes` in it. */
  async open(bytes: number): Promise<FileHandle> {
    if (bytes === 0) return this.#openEmpty();
    const file = await this.#disk.open(this.path, 'r+');
    try {
      await file.truncate(bytes);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #openEmpty(): Promise<FileHandle> {
    // What the note of an earlier attempt counts is about to go.
    await this.#removeNote();
    const open = () => this.#disk.open(this.path, 'w');
    this.#hasPart = true;
    try {
      return await open();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await this.#disk.mkdir(this.#folder, { recursive: true });
      return await open();
    }
  }

  async #removeNote(): Promise<void> {
    if (this.#hasNote) await this.#disk.rm(stateFileOf(this.path), { force: true });
    this.#hasNote = false;
  }

  /** Syncs the bytes that were written so far, and notes how many there are. */
  async saveProgress(file: FileHandle, source: Source, bytes: number): Promise<void> {
    await file.datasync();
    const draft = `${stateFileOf(this.path)}.new`;
    try {
      await using note = await this.#disk.open(draft, 'w');
      await note.writeFile(JSON.stringify({ source, bytes } satisfies PartialState));
    } catch (error) {
      await this.#disk.rm(draft, { force: true }).catch(() => {});
      throw error;
    }
    await this.#disk.rename(draft, stateFileOf(this.path));
    this.#hasNote = true;
  }

  /** Deletes the partial file and its note. The next attempt begins at the first byte. */
  async forget(): Promise<void> {
    await this.#removeNote();
    if (this.#hasPart) await this.#disk.rm(this.path, { force: true });
    this.#hasPart = false;
  }

  /** Deletes the note of a part, after its file was moved into the store. */
  async moved(): Promise<void> {
    this.#hasPart = false;
    await this.#removeNote();
  }

  /** Lets go of the part. It stays for the next attempt, if it can be gone on with. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasPart) return;
    const rest = join(this.#folder, `${this.#id}.rest-${randomUUID().slice(0, 8)}.part`);
    try {
      // The note is renamed first, so that a part that can be taken has its note beside it.
      if (this.#hasNote) {
        await this.#disk.rename(stateFileOf(this.path), stateFileOf(rest));
        await this.#disk.rename(this.path, rest);
      } else await this.#disk.rm(this.path, { force: true });
    } catch {
      // A disk that does not even rename has been reported already. The part can be taken when this process has ended.
    }
  }
}

/** The parts of `id` that anybody may take, the longest first. Older versions called them `<id>.part`. */
async function partsOf(id: string, { disk, folder }: Place): Promise<readonly string[]> {
  const found: { readonly path: string; readonly bytes: number }[] = [];
  for (const name of (await ifThere(disk.readdir(folder))) ?? []) {
    if (!name.startsWith(`${id}.`) || !name.endsWith('.part')) continue;
    const path = join(folder, name);
    const [, machine = '', pid] = /\.([0-9a-f]{8})-(\d+)-\w+\.part$/.exec(name) ?? [];
    if (pid !== undefined && mayBeRunning({ machine, pid: Number(pid) })) continue;
    found.push({ path, bytes: (await readNote(disk, path))?.bytes ?? 0 });
  }
  return found.sort((a, b) => b.bytes - a.bytes).map(({ path }) => path);
}

/** Whether it was there to be moved. */
async function moved(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

const stateFileOf = (part: string): string => `${part}.json`;

const readNote = (disk: Disk, part: string): Promise<PartialState | undefined> =>
  disk.readFile(stateFileOf(part), 'utf8').then(parse, () => undefined);

function parse(text: string): PartialState | undefined {
  const note = recordIn(text);
  if (!isObject(note) || !Number.isSafeInteger(note.bytes) || !isObject(note.source)) return undefined;
  const { validator, total, contentType } = note.source;
  return {
    bytes: note.bytes as number,
    source: {
      validator: typeof validator === 'string' ? validator : null,
      total: typeof total === 'number' ? total : null,
      contentType: typeof contentType === 'string' ? contentType : null,
    },
  };
}

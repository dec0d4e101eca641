/**
 * A folder of what was drawn, each entry a folder under the key of its content:
 *
 *     <key>/entry.json     the value, the digests of the files, and its own digest
 *     <key>/result.mp4     the files
 *     <key>.claim/         a process draws this at the moment: its id is the name of the file inside
 *     .<uuid>.tmp/         what becomes an entry or a claim, in one rename
 *     .swept               when the folder was last brought back to its size
 *
 * Every digest is looked at when an entry is taken. So nothing has to be synced, and a damaged entry is made again instead of served.
 * Processes share the folder. One that cannot write there goes on without it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../machine/error-code.ts';
import { type Disk, systemDisk } from '../../../machine/files/disk.ts';
import { writeErrorText } from '../../../machine/files/disk-error.ts';
import { ifThere } from '../../../machine/files/files.ts';
import { mayBeRunning, thisProcess } from '../../../machine/process/process-group.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { canonical, isObject, type Json, recordIn } from '../../../model/text/json.ts';
import { digestOf } from '../../../records/store/digest.ts';

export interface RenderEntriesOptions {
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: (line: string) => void;
  /** What the folder may hold: entries that were not used for longest go first. */
  readonly maxBytes?: number;
  readonly disk?: Disk;
}

const MAX_BYTES = 2 * 2 ** 30;
/** Milliseconds between two sweeps of a folder, by any process. */
const SWEEP_INTERVAL = 60 * 60_000;
/** Milliseconds after which a claim is void: no render takes longer. */
const MAX_CLAIM_AGE = 30 * 60_000;
/** Milliseconds after which a draft is abandoned: no process fills one for so long. */
const MAX_DRAFT_AGE = 24 * 60 * 60_000;

const ENTRY = 'entry.json';
const SWEPT = '.swept';
const DRAFT = '.tmp';
const CLAIM = '.claim';

interface Files {
  readonly folder: string;
  readonly files: readonly string[];
}

export class RenderEntries {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: (line: string) => void;
  readonly #maxBytes: number;
  readonly #disk: Disk;
  #isWritable = true;
  #sweeping: Promise<void> | undefined;

  constructor({ folder, clock, log, maxBytes = MAX_BYTES, disk = systemDisk }: RenderEntriesOptions) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
    this.#maxBytes = maxBytes;
    this.#disk = disk;
  }

  /** The value under this key, its files copied into the folder `to`. Undefined where there is none that is whole. */
  async take(key: string, to?: string): Promise<Json | undefined> {
    const place = join(this.#folder, key);
    const copied: string[] = [];
    try {
      const text = await ifThere(this.#disk.readFile(join(place, ENTRY), 'utf8'));
      if (text === undefined) return undefined;
      const { value, files } = contentOf(text);
      for (const [name, sha256] of Object.entries(files)) {
        const copy = join(to ?? place, name);
        copied.push(copy);
        await this.#disk.copyFile(join(place, name), copy, constants.COPYFILE_FICLONE);
        if ((await digestOf(copy)).sha256 !== sha256) throw new Damaged(`${name} has other bytes`);
      }
      await this.#touch(join(place, ENTRY));
      return value;
    } catch (error) {
      for (const copy of copied) await this.#disk.rm(copy, { force: true });
      await this.#drop(place, error);
      return undefined;
    }
  }

  /** Keeps a value under this key, with copies of the files. */
  async keep(key: string, value: Json, { folder, files }: Files = { folder: '', files: [] }): Promise<void> {
    if (!this.#isWritable) return;
    const place = join(this.#folder, key);
    try {
      await this.#appear(place, async draft => {
        const digests: Record<string, string> = {};
        for (const name of files) {
          await this.#disk.copyFile(join(folder, name), join(draft, name), constants.COPYFILE_FICLONE);
          digests[name] = (await digestOf(join(draft, name))).sha256;
        }
        await this.#write(join(draft, ENTRY), entryText({ value, files: digests }));
      });
    } catch (error) {
      this.#goOnWithout(error);
      return;
    }
    this.#sweeping ??= this.#sweep().catch(error => this.#goOnWithout(error));
  }

  /** The right to make what is kept under this key; undefined while another has it. */
  async claim(key: string): Promise<AsyncDisposable | undefined> {
    const place = join(this.#folder, `${key}${CLAIM}`);
    const free = () => this.#disk.rm(place, { recursive: true, force: true });
    try {
      const { machine, pid } = thisProcess();
      while (this.#isWritable) {
        const isOurs = await this.#appear(place, draft => this.#write(join(draft, `${machine}-${pid}`), ''));
        if (isOurs) return { [Symbol.asyncDispose]: () => free().catch(() => {}) };
        if (await this.#isHeld(place)) return undefined;
        await free();
      }
    } catch (error) {
      this.#goOnWithout(error);
    }
    return { [Symbol.asyncDispose]: async () => {} };
  }

  async close(): Promise<void> {
    await this.#sweeping;
  }

  /** Makes a folder that is there with all that is in it or not at all. False where one is there already. */
  async #appear(place: string, fill: (draft: string) => Promise<void>): Promise<boolean> {
    const draft = join(this.#folder, `.${randomUUID()}${DRAFT}`);
    try {
      await this.#disk.mkdir(draft, { recursive: true });
      await fill(draft);
      await this.#disk.rename(draft, place);
      return true;
    } catch (error) {
      await this.#disk.rm(draft, { recursive: true, force: true }).catch(() => {});
      if (TAKEN.includes(codeOf(error)) && (await ifThere(this.#disk.stat(place)))) return false;
      throw error;
    }
  }

  /** False where its process is gone, or where it is too old to be true: another process may have the number by now. */
  async #isHeld(place: string): Promise<boolean> {
    const [holder] = (await ifThere(this.#disk.readdir(place))) ?? [];
    const { mtimeMs = 0 } = (await ifThere(this.#disk.stat(place))) ?? {};
    const [machine = '', pid = ''] = holder?.split('-') ?? [];
    if (pid === '' || this.#clock.now() - mtimeMs > MAX_CLAIM_AGE) return false;
    return mayBeRunning({ machine, pid: Number(pid) });
  }

  async #write(path: string, text: string): Promise<void> {
    await using file = await this.#disk.open(path, 'wx');
    await file.writeFile(text);
  }

  /** When an entry was last used is when its `entry.json` was last changed. */
  async #touch(path: string): Promise<void> {
    const now = new Date(this.#clock.now());
    await this.#disk.utimes(path, now, now).catch(() => {});
  }

  /** What is damaged, or was half swept, is made again. What only could not be read here, for lack of room or of rights, stays. */
  async #drop(place: string, error: unknown): Promise<void> {
    if (!(error instanceof Damaged) && codeOf(error) !== 'ENOENT') return this.#goOnWithout(error);
    this.#log(
      `${place} is damaged (${error instanceof Damaged ? error.message : 'a file is gone'}): it is drawn again`,
    );
    await this.#disk.rm(place, { recursive: true, force: true }).catch(() => {});
  }

  #goOnWithout(error: unknown): void {
    if (this.#isWritable)
      this.#log(`nothing more is kept in the cache ${this.#folder}: ${writeErrorText(error)}; what is needed is drawn`);
    this.#isWritable = false;
  }

  /** Brings the folder back to its size, now and then, and takes away what killed processes left behind. */
  async #sweep(): Promise<void> {
    const [now, marker] = [this.#clock.now(), join(this.#folder, SWEPT)];
    const swept = await ifThere(this.#disk.stat(marker));
    if (swept && now - swept.mtimeMs < SWEEP_INTERVAL) return;
    if (!swept) await this.#write(marker, '').catch(() => {});
    await this.#touch(marker);
    const entries: { readonly place: string; readonly bytes: number; readonly used: number }[] = [];
    for (const name of await this.#disk.readdir(this.#folder)) {
      const place = join(this.#folder, name);
      if (/^[\da-f]{64}$/.test(name)) entries.push({ place, ...(await this.#sizeOf(place)) });
      else if (name.endsWith(DRAFT) || name.endsWith(CLAIM)) {
        const left = await ifThere(this.#disk.stat(place));
        if (left && now - left.mtimeMs > MAX_DRAFT_AGE) await this.#disk.rm(place, { recursive: true, force: true });
      }
    }
    let bytes = 0;
    for (const entry of entries.sort((a, b) => b.used - a.used)) {
      bytes += entry.bytes;
      if (bytes > this.#maxBytes) await this.#disk.rm(entry.place, { recursive: true, force: true });
    }
  }

  async #sizeOf(place: string): Promise<{ readonly bytes: number; readonly used: number }> {
    let [bytes, used] = [0, 0];
    for (const name of (await ifThere(this.#disk.readdir(place))) ?? []) {
      const { size = 0, mtimeMs = 0 } = (await ifThere(this.#disk.stat(join(place, name)))) ?? {};
      bytes += size;
      if (name === ENTRY) used = mtimeMs;
    }
    return { bytes, used };
  }
}

/** Error codes of a rename onto an existing folder; Windows has its own. */
const TAKEN: readonly (string | undefined)[] = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'];

class Damaged extends Error {}

interface Content {
  readonly value: Json;
  /** Digests by name. */
  readonly files: { readonly [name: string]: string };
}

const digestOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

function entryText(content: Content): string {
  const text = canonical(content as unknown as Json);
  return `${digestOfText(text)}\n${text}\n`;
}

/** @throws {Damaged} */
function contentOf(entry: string): Content {
  const [sha256, text = ''] = entry.split('\n');
  if (digestOfText(text) !== sha256) throw new Damaged(`${ENTRY} has other bytes`);
  const content = recordIn(text);
  if (!isObject(content) || !isObject(content.files)) throw new Damaged(`${ENTRY} says something else`);
  return content as unknown as Content;
}

/**
 * The logs of a film's commands: everything a command writes, its output and its log in the order they came, in a file for each attempt.
 *
 *     logs/2026-11-22T08-20-11/shot[seed=2].log      ← a folder for each run, the newest ten are kept
 *
 * A command that writes without end must not fill the disk: of each attempt the first 8 MiB and the last are kept, of a run 512 MiB,
 * and later output is not kept. A disk that takes no log fails no command.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { formatBytes } from '../../model/text/format.ts';

const MiB = 2 ** 20;

interface LogBounds {
  /** Bytes from the beginning and from the end of each log. */
  readonly first: number;
  readonly last: number;
  /** Bytes of all logs of a run. */
  readonly run: number;
  /** Runs that keep their logs, this one included. */
  readonly runs: number;
}

export const LOG_BOUNDS: LogBounds = { first: 8 * MiB, last: MiB, run: 512 * MiB, runs: 10 };

/** Milliseconds that a line waits for others to be written with. */
const MOMENT = 250;

/** Bytes that are written in one piece. */
const PIECE = 64 * 1024;

interface CommandLogsGiven {
  /** Absolute. It is made with the first line that anybody writes. */
  readonly folder: string;
  /** Absolute path of the project's root; paths are shown relative to it. */
  readonly root: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly bounds?: LogBounds;
  /** Runs this a moment later: slow output is on the disk by then, for a reader that follows it. */
  readonly later?: (work: () => void) => void;
}

export class CommandLogs {
  readonly #given: CommandLogsGiven;
  #folder: string | undefined;
  #room: number;

  constructor(given: CommandLogsGiven) {
    this.#given = given;
    this.#room = (given.bounds ?? LOG_BOUNDS).run;
  }

  begin(key: InstanceKey): CommandLog {
    return new CommandLog(this.#given.bounds ?? LOG_BOUNDS, this, key);
  }

  /** How many of these bytes there is room for. */
  take(bytes: number): number {
    const taken = Math.min(bytes, this.#room);
    this.#room -= taken;
    return taken;
  }

  later(work: () => void): void {
    const later = this.#given.later ?? (one => void setTimeout(one, MOMENT).unref());
    later(work);
  }

  /** `path` is from the project's root. */
  open(key: InstanceKey): { readonly file: number; readonly path: string } {
    this.#folder ??= this.#newFolder();
    for (let attempt = 1; ; attempt++) {
      const path = join(this.#folder, fileName(logName(key), attempt));
      try {
        return { file: openSync(path, 'wx', 0o600), path: relative(this.#given.root, path).split(sep).join('/') };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    }
  }

  #newFolder(): string {
    const { folder, clock, bounds = LOG_BOUNDS } = this.#given;
    const name = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
    mkdirSync(join(folder, name), { recursive: true });
    const runs = readdirSync(folder).sort();
    // Deleting thousands of files takes a while, and nothing waits for it.
    for (const old of runs.slice(0, Math.max(0, runs.length - bounds.runs)))
      if (old !== name) void rm(join(folder, old), { recursive: true, force: true }).catch(() => {});
    return join(folder, name);
  }
}

const fileName = (log: string, attempt: number): string => (attempt === 1 ? `${log}.log` : `${log}.${attempt}.log`);

export class CommandLog {
  readonly #bounds: LogBounds;
  readonly #logs: CommandLogs;
  readonly #key: InstanceKey;
  #opened: { readonly file: number; readonly path: string } | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #firstBytes = 0;
  /** The end of a long log, in pieces of whole lines; the last of them is being filled. */
  readonly #tail: Buffer[] = [];
  #newest: Buffer[] = [];
  #newestBytes = 0;
  #tailBytes = 0;
  #leftOut = 0;
  #isBroken = false;
  #isDue = false;
  #isClosed = false;

  constructor(bounds: LogBounds, logs: CommandLogs, key: InstanceKey) {
    this.#bounds = bounds;
    this.#logs = logs;
    this.#key = key;
  }

  /** @param text one line, without its end. */
  line(text: string): void {
    if (this.#isBroken) return;
    const bytes = Buffer.from(`${text}\n`);
    if (this.#tailBytes + this.#leftOut === 0 && this.#firstBytes + bytes.length <= this.#bounds.first) {
      this.#firstBytes += bytes.length;
      this.#wait(bytes);
      return;
    }
    this.#newest.push(bytes);
    this.#newestBytes += bytes.length;
    this.#tailBytes += bytes.length;
    if (this.#newestBytes >= this.#bounds.last / 16) this.#cutPiece();
    while (this.#tailBytes > this.#bounds.last && this.#tail.length > 1) {
      const { length } = this.#tail.shift()!;
      this.#tailBytes -= length;
      this.#leftOut += length;
    }
  }

  #cutPiece(): void {
    if (this.#newestBytes > 0) this.#tail.push(Buffer.concat(this.#newest));
    this.#newest = [];
    this.#newestBytes = 0;
  }

  /** Path of the file from the project's root; undefined without output, or where nothing could be kept. */
  close(): string | undefined {
    if (this.#leftOut > 0) this.#wait(Buffer.from(`… ${formatBytes(this.#leftOut)} are left out here …\n`));
    this.#cutPiece();
    for (const bytes of this.#tail) this.#wait(bytes);
    this.#write();
    this.#tail.length = 0;
    this.#isClosed = true;
    if (this.#opened) closeSync(this.#opened.file);
    return this.#opened && !this.#isBroken ? this.#opened.path : undefined;
  }

  #wait(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= PIECE) this.#write();
    else if (!this.#isDue) {
      this.#isDue = true;
      this.#logs.later(() => {
        this.#isDue = false;
        if (!this.#isClosed) this.#write();
      });
    }
  }

  #write(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#isBroken || bytes.length === 0) return;
    try {
      const room = this.#logs.take(bytes.length);
      if (room === 0) throw new Error('the logs of this run are full');
      this.#opened ??= this.#logs.open(this.#key);
      for (let from = 0; from < room; ) from += writeSync(this.#opened.file, bytes, from, room - from);
      this.#isBroken = room < bytes.length;
    } catch {
      this.#isBroken = true;
    }
  }
}

/** Characters of a key that are shown in a file's name. */
const LONGEST = 80;

/** `shot[seed=2]`; a key that a disk cannot take as a name is replaced by its digest. */
function logName(key: InstanceKey): string {
  const plain = key.replaceAll(/[^\p{L}\p{N}[\]=,._-]+/gu, '-').slice(0, LONGEST);
  return plain === key ? plain : `${plain}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/** Unix milliseconds; `until` null: it goes on. */
interface Span {
  readonly from: number;
  readonly until: number | null;
}

/** A folder is named by the second in which its first line was written. */
const SECOND = 1000;

/** By instance: absolute paths of its logs, oldest first, one for each attempt. The folders are read once, with the first question. */
export function keptLogs(folder: string, { from, until }: Span): (key: InstanceKey) => readonly string[] {
  let read: readonly { readonly folder: string; readonly names: ReadonlySet<string> }[] | undefined;
  const runs = () =>
    namesIn(folder)
      .filter(name => {
        const at = timeOf(name);
        return at !== undefined && at >= from - SECOND && (until === null || at <= until);
      })
      .map(name => ({ folder: join(folder, name), names: new Set(namesIn(join(folder, name))) }));
  return key => {
    read ??= runs();
    return read.flatMap(run => attemptsIn(run, logName(key)));
  };
}

function attemptsIn(
  { folder, names }: { readonly folder: string; readonly names: ReadonlySet<string> },
  name: string,
): readonly string[] {
  const paths: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const file = fileName(name, attempt);
    if (!names.has(file)) return paths;
    paths.push(join(folder, file));
  }
}

/** `2026-11-22T08-20-11` */
function timeOf(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)$/.exec(name) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

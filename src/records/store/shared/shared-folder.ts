/**
 * A team's results in a folder that all can reach: `<folder>/<aa>/<sha256>-<bytes><ext>`, as a store of one machine has it, so that such a
 * store can be named as well.
 *
 * It may be on a network, where no lock holds and a rename is no single moment: a name holds the length of its file, who finds it shorter
 * takes it for missing, and who reads it takes its digest. It may be unmounted at any time: the empty folder that is left is
 * another one, and nothing is written into that.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { codeOf } from '../../../machine/error-code.ts';
import { ifThere } from '../../../machine/files/files.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { deadline } from '../../../machine/time/deadline.ts';
import { checkedUpload, FileChanged, FileUnreadable } from '../publish/checked-upload.ts';
import type { FileToPublish, OnProgress, UploadOutcome } from '../publish/publishing.ts';
import { messages } from './shared-messages.ts';
import type { Looked, Note, NotePlace, Opened, PlaceFault, SharedPlace } from './shared-place.ts';

interface SharedFolderOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Milliseconds for one word of the disk. */
  readonly patience?: number;
}

/** A disk on a network may never answer; such a question cannot be called off. */
const PATIENCE = 30_000;
/** Milliseconds after which a draft is abandoned. */
const ABANDONED = 24 * 3_600_000;

export class SharedFolder implements SharedPlace, NotePlace {
  readonly to: string;
  readonly #clock: Clock;
  readonly #patience: number;
  #known: Pick<Stats, 'dev' | 'ino'> | undefined;

  constructor({ folder, clock, patience = PATIENCE }: SharedFolderOptions) {
    this.to = folder;
    this.#clock = clock;
    this.#patience = patience;
  }

  async look(sha256: string): Promise<Looked> {
    return this.#orFault(async () => {
      const found = await this.#found(sha256);
      return found ? { is: 'there', bytes: found.bytes } : { is: 'missing' };
    });
  }

  async read(sha256: string, signal: AbortSignal): Promise<Opened> {
    return this.#orFault(async () => {
      const found = await this.#found(sha256);
      if (!found) return { is: 'missing' };
      return { is: 'open', extension: extname(found.path), bytes: this.#pieces(found.path, signal) };
    });
  }

  async send(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome> {
    const { sha256, bytes, extension } = file;
    const folder = join(this.to, sha256.slice(0, 2));
    const place = join(folder, `${sha256}-${bytes}${extension}`);
    const draft = join(folder, `.${sha256}.${randomUUID()}.part`);
    const sent = await this.#orFault<UploadOutcome>(async () => {
      if (await this.#found(sha256)) return { is: 'there' };
      await this.#timely(mkdir(folder, { recursive: true }));
      try {
        await this.#write(draft, file, onProgress, signal);
        // It may have been unmounted while it was written: then all of that went elsewhere.
        await this.#look();
        await this.#timely(rename(draft, place));
      } catch (error) {
        await this.#timely(rm(draft, { force: true })).catch(() => {});
        if (signal.aborted) return { is: 'stopped' };
        // Where a file cannot be put over another one, another machine may have been quicker.
        if (!(await this.#found(sha256))) throw error;
      }
      onProgress(bytes, bytes);
      await this.#clear(folder, sha256);
      return { is: 'there' };
    });
    return sent.is === 'fault' ? { is: 'failed', message: sent.message } : sent;
  }

  async readNote(name: string, signal: AbortSignal): Promise<Note> {
    return this.#orFault<Note>(async () => {
      await this.#look();
      const text = await ifThere(this.#timely(readFile(join(this.to, name), { encoding: 'utf8', signal })));
      return text === undefined ? { is: 'missing' } : { is: 'note', text };
    });
  }

  async writeNote(name: string, text: string): Promise<{ readonly is: 'there' } | PlaceFault> {
    return this.#orFault<{ readonly is: 'there' }>(async () => {
      await this.#look();
      const draft = join(this.to, `.${name}.${randomUUID()}.part`);
      await this.#timely(writeFile(draft, text, { flush: true }));
      await this.#timely(rename(draft, join(this.to, name)));
      return { is: 'there' };
    });
  }

  async close(): Promise<void> {}

  async #write(draft: string, file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<void> {
    await using opened = await this.#timely(open(draft, 'wx'));
    for await (const piece of checkedUpload(file, onProgress)) {
      signal.throwIfAborted();
      await this.#timely(opened.writeFile(piece));
    }
    await this.#timely(opened.sync());
  }

  /** What a machine left there that ended in the middle. */
  async #clear(folder: string, sha256: string): Promise<void> {
    try {
      for (const name of await this.#timely(readdir(folder))) {
        if (!name.startsWith(`.${sha256}.`)) continue;
        const path = join(folder, name);
        const { mtimeMs } = await this.#timely(stat(path));
        if (this.#clock.now() - mtimeMs > ABANDONED) await this.#timely(rm(path, { force: true }));
      }
    } catch {
      // It does no harm.
    }
  }

  /** The whole file with this digest in its name. */
  async #found(sha256: string): Promise<{ readonly path: string; readonly bytes: number } | undefined> {
    await this.#look();
    const folder = join(this.to, sha256.slice(0, 2));
    for (const name of (await ifThere(this.#timely(readdir(folder)))) ?? []) {
      const bytes = WHOLE.exec(name)?.[1];
      if (bytes === undefined || !name.startsWith(`${sha256}-`)) continue;
      const path = join(folder, basename(name));
      const there = await this.#timely(stat(path)).catch(() => undefined);
      if (there?.isFile() && String(there.size) === bytes) return { path, bytes: there.size };
    }
    return undefined;
  }

  /** @throws SharedFolderFault where it is not there, or not the one that it was. */
  async #look(): Promise<void> {
    const found = await ifThere(this.#timely(stat(this.to)));
    if (found === undefined) throw new SharedFolderFault(messages.folderGone());
    if (!found.isDirectory()) throw new SharedFolderFault(messages.notAFolder());
    this.#known ??= found;
    if (found.dev !== this.#known.dev || found.ino !== this.#known.ino)
      throw new SharedFolderFault(messages.folderChanged());
  }

  async *#pieces(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
    const stream = createReadStream(path, { highWaterMark: PIECE, signal });
    const pieces = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next: IteratorResult<Buffer> = await this.#timely(pieces.next());
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      const message = faultOf(error);
      throw message === undefined ? error : new SharedFolderFault(message);
    } finally {
      stream.destroy();
    }
  }

  async #orFault<T>(work: () => Promise<T>): Promise<T | PlaceFault> {
    try {
      return await work();
    } catch (error) {
      const message = faultOf(error);
      if (message === undefined) throw error;
      return { is: 'fault', message };
    }
  }

  async #timely<T>(work: Promise<T>): Promise<T> {
    using late = deadline(this.#patience, { clock: this.#clock, where: 'in the background' });
    const silent = Promise.withResolvers<never>();
    late.signal.addEventListener('abort', () =>
      silent.reject(new SharedFolderFault(messages.silent(Math.round(this.#patience / 1000)))),
    );
    return await Promise.race([work, silent.promise]);
  }
}

class SharedFolderFault extends Error {}

const PIECE = 256 * 1024;
const WHOLE = /^[0-9a-f]{64}-(\d+)(?:\.[a-z0-9]+)?$/;

/** Undefined for a bug. */
function faultOf(error: unknown): string | undefined {
  if (error instanceof SharedFolderFault) return error.message;
  if (error instanceof FileChanged) return messages.changed();
  if (error instanceof FileUnreadable) return messages.folderFault(error.code);
  const code = codeOf(error);
  return code === undefined ? undefined : messages.folderFault(code);
}

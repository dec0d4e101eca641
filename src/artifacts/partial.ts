/**
 * The beginning of a download, waiting for its rest: `<id>.part` and, beside it, what must still be true at the service for the
 * rest to fit. Only bytes that were synced are counted as there: after a power cut a file may be long and hold zeros.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What the service said about the file when its first byte came. */
export interface Source {
  /** For `If-Range`: a strong ETag, or a date (RFC 9110, 13.1.5). Without one, a rest cannot be trusted to fit. */
  readonly validator: string | null;
  /** Length of the whole file; null where not told. */
  readonly total: number | null;
  readonly contentType: string | null;
}

export interface Kept {
  readonly source: Source;
  /** Bytes known to be on the disk. */
  readonly bytes: number;
}

export class Partial {
  readonly path: string;
  readonly #note: string;

  /** `id` names the file only when it can: ids come from outside. */
  constructor(folder: string, id: string) {
    const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
    this.path = join(folder, `${name}.part`);
    this.#note = `${this.path}.json`;
  }

  /** What an earlier attempt left, if the rest can be asked for. */
  async kept(): Promise<Kept | undefined> {
    const note = await readFile(this.#note, 'utf8').then(parse, () => undefined);
    const found = await stat(this.path).catch(() => undefined);
    if (note === undefined || found === undefined || note.bytes === 0 || found.size < note.bytes) return undefined;
    return note.source.validator === null ? undefined : note;
  }

  /** Opens the file with exactly its first `bytes` in it. */
  async open(bytes: number): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true });
    const file = await open(this.path, bytes === 0 ? 'w' : 'r+');
    await file.truncate(bytes);
    return file;
  }

  /** Makes the bytes written so far count. */
  async keep(file: FileHandle, source: Source, bytes: number): Promise<void> {
    await file.datasync();
    await writeFile(`${this.#note}.new`, JSON.stringify({ source, bytes } satisfies Kept));
    await rename(`${this.#note}.new`, this.#note);
  }

  /** The note of a file that is no longer a part: its bytes are in the store, or are not wanted. */
  async forget(): Promise<void> {
    await rm(this.#note, { force: true });
  }
}

function parse(text: string): Kept | undefined {
  try {
    const { source, bytes } = JSON.parse(text) as { source?: { [name: string]: unknown }; bytes?: unknown };
    if (!Number.isSafeInteger(bytes) || source === undefined) return undefined;
    const { validator, total, contentType } = source;
    return {
      bytes: bytes as number,
      source: {
        validator: typeof validator === 'string' ? validator : null,
        total: typeof total === 'number' ? total : null,
        contentType: typeof contentType === 'string' ? contentType : null,
      },
    };
  } catch {
    return undefined;
  }
}

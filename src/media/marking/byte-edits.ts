/** Changes of a file's bytes, for a copy of it: the file itself stays as it is. */
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** At byte `at`, `remove` bytes give way to `insert`. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: Buffer;
}

/** The bytes of the edited copy. @param edits in the order of their places, none inside another. */
export async function* edited(path: string, edits: readonly Edit[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const { at, remove, insert } of edits) {
    if (at > from) yield* createReadStream(path, { start: from, end: at - 1 });
    if (insert.length > 0) yield insert;
    from = at + remove;
  }
  yield* createReadStream(path, { start: from });
}

/** All of them in the order that `edited` takes: at one place, what is inserted comes before what is left out. */
export const together = (...edits: readonly (readonly Edit[])[]): readonly Edit[] =>
  edits.flat().sort((a, b) => a.at - b.at || a.remove - b.remove);

/** Bytes by which the edited copy is longer. */
export const growth = (edits: readonly Edit[]): number =>
  edits.reduce((sum, { remove, insert }) => sum + insert.length - remove, 0);

/** A file that is looked at in a few places. */
export interface Bytes {
  readonly size: number;
  /** Fewer at the end of the file. */
  read(at: number, length: number): Promise<Buffer>;
}

/** Bytes that are read at once: heads of chunks and boxes mostly lie side by side. */
const WINDOW = 4_096;

export async function bytesOf(file: FileHandle): Promise<Bytes> {
  const { size } = await file.stat();
  let from = 0;
  let seen = Buffer.alloc(0);
  return {
    size,
    async read(at, length) {
      const end = Math.min(at + length, size);
      if (at < from || end > from + seen.length) {
        const wanted = Math.max(0, Math.min(Math.max(length, WINDOW), size - at));
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
        from = at;
        seen = buffer.subarray(0, bytesRead);
      }
      return seen.subarray(at - from, Math.max(at, end) - from);
    },
  };
}

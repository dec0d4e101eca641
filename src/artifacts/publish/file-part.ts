/** A file in parts: where each begins, and what it holds. */
import { createHash, type Hash } from 'node:crypto';
import { FileChanged, piecesOf } from './checked-upload.ts';

export interface PartSizes {
  /** Bytes up to which a file goes in one piece. */
  readonly above: number;
  /** Bytes of a part; the last one is what is left. */
  readonly size: number;
}

const MIB = 1024 ** 2;
/** A connection that is cut costs a part of what was sent, not all of it. */
export const PART_SIZES: PartSizes = { above: 64 * MIB, size: 16 * MIB };
/** Parts of one upload (S3). */
const MOST = 10_000;

export interface FilePart {
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  readonly bytes: number;
}

export function partsOf(bytes: number, { size }: Pick<PartSizes, 'size'>): readonly FilePart[] {
  const each = Math.max(size, Math.ceil(bytes / MOST));
  return Array.from({ length: Math.ceil(bytes / each) }, (_, index) => {
    const start = index * each;
    return { number: index + 1, start, bytes: Math.min(each, bytes - start) };
  });
}

export interface PartDigests {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Of all that was read into `whole` so far. */
  readonly whole: Hash;
  /** Lower-case hex, as most buckets name a part (its ETag). */
  readonly md5: string;
}

/** Reads a part once. `before`: what the parts before it came to. @throws FileChanged where the file is shorter by now, FileUnreadable. */
export async function digestsOf(path: string, part: FilePart, before: Hash): Promise<PartDigests> {
  const [sha256, md5, whole] = [createHash('sha256'), createHash('md5'), before.copy()];
  let read = 0;
  for await (const piece of piecesOf(path, part)) {
    read += piece.length;
    for (const hash of [sha256, md5, whole]) hash.update(piece);
  }
  if (read !== part.bytes) throw new FileChanged(`${path} has changed`);
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), whole };
}

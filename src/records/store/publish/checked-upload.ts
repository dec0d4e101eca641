/** The bytes of a file, or of a part of it, as they are sent. What turns out to be another by then is never sent to its end. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { OnProgress } from './publishing.ts';

/** The file holds something else than when it was planned. */
export class FileChanged extends Error {}

/** The disk does not give it. The network's errors look alike: a socket is read, too. */
export class FileUnreadable extends Error {
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? cause.message;
  }
}

export interface PieceToSend {
  readonly path: string;
  /** Of these bytes. Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Where a part begins; absent: the bytes are the whole file. */
  readonly start?: number;
}

/** The last piece is held back until the digest of all is what it has to be. */
export async function* checkedUpload(
  { path, sha256, bytes, start }: PieceToSend,
  onProgress: OnProgress,
): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  let read = 0;
  let sent = 0;
  for await (const piece of piecesOf(path, start === undefined ? undefined : { start, bytes })) {
    hash.update(piece);
    read += piece.length;
    if (read > bytes) break;
    if (held) {
      yield held;
      sent += held.length;
      onProgress(sent, bytes);
    }
    held = piece;
  }
  if (read !== bytes || hash.digest('hex') !== sha256) throw new FileChanged(`${path} has changed`);
  if (held) yield held;
}

const PIECE = 256 * 1024;

/** The bytes of a file; of a part of it, where one is named. @throws FileUnreadable */
async function* piecesOf(
  path: string,
  part?: { readonly start: number; readonly bytes: number },
): AsyncGenerator<Buffer, void, void> {
  const range = part && { start: part.start, end: part.start + part.bytes - 1 };
  const pieces = createReadStream(path, { highWaterMark: PIECE, ...range }) as AsyncIterable<Buffer>;
  try {
    yield* pieces;
  } catch (error) {
    throw new FileUnreadable(error as NodeJS.ErrnoException);
  }
}

/** A file in parts: where each begins, and what it holds. */
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

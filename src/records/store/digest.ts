import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

export interface Digest {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

export async function digestOf(path: string): Promise<Digest> {
  await using file = await open(path, 'r');
  return await digestOfOpen(file);
}

/** Bytes. */
const FIRST_PIECE = 16 * 1024;
const PIECE = 256 * 1024;

/**
 * The digest of an open file, from its beginning. It is read in pieces of 256 kB, which take 0.2 to 0.8 ms each: a screen and a
 * hundred other downloads go on in between, so that no thread of its own is needed.
 */
export async function digestOfOpen(file: FileHandle): Promise<Digest> {
  const hash = createHash('sha256');
  // Most pictures that are asked for by the thousand fit into the first, small piece.
  let piece = Buffer.allocUnsafe(FIRST_PIECE);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
    hash.update(piece.subarray(0, bytesRead));
    bytes += bytesRead;
    if (bytesRead === FIRST_PIECE) piece = Buffer.allocUnsafe(PIECE);
  }
}

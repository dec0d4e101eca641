import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface Digest {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

export async function digestOf(path: string): Promise<Digest> {
  const hash = createHash('sha256');
  const bytes = await feed(hash, path);
  return { sha256: hash.digest('hex'), bytes };
}

/** Feeds a hash with a file, or with its first `bytes`; returns how many there were. */
export async function feed(hash: Hash, path: string, bytes = Number.POSITIVE_INFINITY): Promise<number> {
  let fed = 0;
  if (bytes <= 0) return fed;
  for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    fed += chunk.length;
  }
  return fed;
}

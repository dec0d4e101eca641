/** The bytes of a file as they are sent. What turns out to be another file by then is never sent to its end. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileToPublish, HearSent } from './publishing.ts';

/** The file holds something else than when it was planned. */
export class FileChanged extends Error {}

/** Bytes read at a time. */
const PIECE = 256 * 1024;

/** The last piece is held back until the digest of all is what it has to be. */
export async function* checkedUpload(
  { path, sha256, bytes }: FileToPublish,
  hear: HearSent,
): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  let read = 0;
  let sent = 0;
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    hash.update(piece);
    read += piece.length;
    if (read > bytes) break;
    if (held) {
      yield held;
      sent += held.length;
      hear(sent, bytes);
    }
    held = piece;
  }
  if (read !== bytes || hash.digest('hex') !== sha256) throw new FileChanged(`${path} has changed`);
  if (held) yield held;
}

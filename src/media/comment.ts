/** A note inside a film, where players show a comment. It travels with the bytes, whoever copies or renames them. */

import { type FormatContext, type Libav, libav } from './libav.ts';
import { openMedia } from './open-input.ts';

/** MP4 counts a comment's bytes in 16 bits. */
const MOST = 60_000;

/** Before the head is written. A note that is too long is left out: it is a convenience, not the film. */
export function writeComment(av: Libav, file: FormatContext, comment: string): void {
  if (Buffer.byteLength(comment) <= MOST) file.metadata = av.Dictionary.fromObject({ comment });
}

/** Undefined where there is none. */
export async function readComment(path: string): Promise<string | undefined> {
  const av = await libav();
  await using file = await openMedia(av, path);
  return file.metadata?.get('comment') ?? undefined;
}

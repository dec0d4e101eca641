/** A media file opened for reading, and what its tracks say about themselves. */
import { DEMUXERS } from './filtergraph.ts';
import { check, type FormatContext, type Libav, libav, type Stream } from './libav.ts';

/** An opened file that closes itself at the end of the scope. */
export async function openMedia(av: Libav, path: string) {
  const file = new av.FormatContext();
  file.allocContext();
  const close = { [Symbol.asyncDispose]: () => file.closeInput() };
  try {
    using options = av.Dictionary.fromObject({ format_whitelist: DEMUXERS.join() });
    check(av, await file.openInput(path, null, options), `opening ${path}`);
    check(av, await file.findStreamInfo(), `reading ${path}`);
  } catch (error) {
    await file.closeInput();
    throw error;
  }
  return Object.assign(file, close);
}

/** The first track of a kind. Cover pictures are none. */
export const trackIn = (av: Libav, file: FormatContext, kind: 'video' | 'audio'): Stream | undefined =>
  file.streams.find(stream => trackKindOf(av, stream) === kind);

/** Packets of other tracks are left out while the file is read. */
export function readOnly(av: Libav, file: FormatContext, track: Stream): void {
  for (const other of file.streams) if (other.index !== track.index) other.discard = av.c.AVDISCARD_ALL;
}

export function trackKindOf(av: Libav, stream: Stream): 'video' | 'audio' | undefined {
  if (stream.codecpar.codecType === av.c.AVMEDIA_TYPE_AUDIO) return 'audio';
  const isCover = (stream.disposition & av.c.AV_DISPOSITION_ATTACHED_PIC) !== 0;
  return stream.codecpar.codecType === av.c.AVMEDIA_TYPE_VIDEO && !isCover ? 'video' : undefined;
}

// A note inside a film, where players show a comment. It stays with the bytes when they are copied or renamed.

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

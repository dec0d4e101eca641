/** A media file opened for reading, and what its tracks say about themselves. */
import { DEMUXERS } from './filtergraph.ts';
import { check, type Libav, type Stream } from './libav.ts';

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

export function trackKindOf(av: Libav, stream: Stream): 'video' | 'audio' | undefined {
  if (stream.codecpar.codecType === av.c.AVMEDIA_TYPE_AUDIO) return 'audio';
  const isCover = (stream.disposition & av.c.AV_DISPOSITION_ATTACHED_PIC) !== 0;
  return stream.codecpar.codecType === av.c.AVMEDIA_TYPE_VIDEO && !isCover ? 'video' : undefined;
}

/** Degrees clockwise that a player turns the pictures: 0, 90, 180 or 270. Flips are not looked for. */
export function rotationOf(av: Libav, stream: Stream): 0 | 90 | 180 | 270 {
  const matrix = stream.codecpar.getCodedSideData(av.c.AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return 0;
  // The first two numbers of the 3x3 matrix, 16.16 fixed point: cosine and sine of the turn.
  const degrees = Math.round((Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI);
  const turn = (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
  return turn === 90 || turn === 180 || turn === 270 ? turn : 0;
}

/** A media file opened for reading, and what its tracks say about themselves. */
import { DEMUXERS } from '../filtergraph.ts';
import { check, type FormatContext, type Frame, type Libav, libav, type Packet, type Stream } from '../libav.ts';

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

/** The packets of a file, each whole until the next one is asked for. A file that breaks off ends where it does. */
export async function* packetsOf(av: Libav, file: FormatContext): AsyncGenerator<Packet, void> {
  using packet = new av.Packet();
  packet.alloc();
  for (;;) {
    const code = await file.readFrame(packet);
    if (code === av.c.AVERROR_EOF || code === av.c.AVERROR_INVALIDDATA) return;
    check(av, code, 'reading packets');
    yield packet;
    packet.unref();
  }
}

/** When what is in a packet is shown, by the clock of its track. */
export const ticksOf = ({ c }: Libav, { pts, dts }: Packet): number => Number(pts === c.AV_NOPTS_VALUE ? dts : pts);

/** A clip that was cut without encoding keeps pictures before its first one, for the decoder alone: they are never shown. */
export const isHidden = ({ c }: Libav, { flags }: Packet): boolean => (flags & c.AV_PKT_FLAG_DISCARD) !== 0;

/** Pixels, even, that a picture of this width takes with square pixels. */
export const squareWidth = (width: number, { num, den }: { readonly num: number; readonly den: number }): number =>
  num > 0 && den > 0 && num !== den ? Math.round((width * num) / den / 2) * 2 : width;

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

/**
 * How a player turns the pictures of a track before it shows them: its display matrix (ISO/IEC 14496-12, 8.3.2), of which a camera writes
 * one of eight. A phone that is held upright turns; a webcam, or the front camera of a phone, may mirror as well.
 */
export interface Orientation {
  /** What is wide is shown high. */
  readonly isTurned: boolean;
  /** Filters that do what a player does; none where the pictures lie as they are shown. */
  readonly steps: readonly string[];
}

const AS_IT_IS: Orientation = { isTurned: false, steps: [] };

export function orientationOf(av: Libav, stream: Stream): Orientation {
  const matrix = stream.codecpar.getCodedSideData(av.c.AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return AS_IT_IS;
  // A point (x, y), counted to the right and down, is shown at (a x + c y, b x + d y). 16.16 fixed point.
  const [a, b, c, d] = [0, 4, 12, 16].map(at => matrix.readInt32LE(at)) as [number, number, number, number];
  // A turn by a few degrees is left out: no camera writes one.
  if (Math.abs(a) + Math.abs(d) >= Math.abs(b) + Math.abs(c))
    return { isTurned: false, steps: [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])] };
  const along = b < 0 ? (c < 0 ? 'clock_flip' : 'cclock') : c < 0 ? 'clock' : 'cclock_flip';
  return { isTurned: true, steps: [`transpose=${along}`] };
}

export const formatName = (av: Libav, { format }: Pick<Frame, 'format'>): string =>
  av.avGetPixFmtName(format as never) ?? '';

export const isRgb = (av: Libav, frame: Pick<Frame, 'format'>): boolean =>
  /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2)/.test(formatName(av, frame));

// The colours of pictures without a colour description in their file: players use those that are usual for their size.

/** Lines and columns that standard video has at most; a wide film of 1280x544 is HD with its black bars cut off. */
const STANDARD = { lines: 576, columns: 1024 } as const;

export const defaultColourSpace = ({ c }: Libav, { width, height }: Pick<Frame, 'width' | 'height'>) =>
  height <= STANDARD.lines && width <= STANDARD.columns ? c.AVCOL_SPC_SMPTE170M : c.AVCOL_SPC_BT709;

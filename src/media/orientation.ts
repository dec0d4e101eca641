/**
 * How a player turns the pictures of a track before it shows them: its display matrix (ISO/IEC 14496-12, 8.3.2), of which a camera writes
 * one of eight. A phone that is held upright turns; a webcam, or the front camera of a phone, may mirror as well.
 */
import type { Frame, Libav, Stream } from './libav.ts';

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

// The colours that pictures are meant to have whose file does not name them: players take them for those of their size.

/** Lines and columns that standard video has at most; a wide film of 1280x544 is HD with its black bars cut off. */
const STANDARD = { lines: 576, columns: 1024 } as const;

export const defaultColourSpace = ({ c }: Libav, { width, height }: Pick<Frame, 'width' | 'height'>) =>
  height <= STANDARD.lines && width <= STANDARD.columns ? c.AVCOL_SPC_SMPTE170M : c.AVCOL_SPC_BT709;

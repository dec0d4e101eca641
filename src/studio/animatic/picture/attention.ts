/**
 * Where to cut a picture that is too tall or too wide for its frame. Faces first: sharp's own `attention` follows strong
 * colour and would rather keep a yellow coat than the head above it. So every place of a small copy is weighed: skin counts
 * most, then contrast, a little more in the upper middle, where people put what matters. The frame goes where its middle
 * holds the most.
 */
import sharp from 'sharp';
import { clamp } from '../../random.ts';
import type { FrameSize } from '../request/frame-size.ts';

export interface Cut extends FrameSize {
  readonly left: number;
  readonly top: number;
}

/** The long side of the small copy. */
const SMALL = 96;

/** The part of an upright picture, in its own pixels, that has the frame's ratio. `face`: what the author says is or is not there. */
export async function cutFor(upright: Buffer, picture: FrameSize, frame: FrameSize, face?: boolean): Promise<Cut> {
  const scale = Math.min(picture.width / frame.width, picture.height / frame.height);
  const width = Math.min(picture.width, Math.round(frame.width * scale));
  const height = Math.min(picture.height, Math.round(frame.height * scale));
  if (picture.width - width < 2 && picture.height - height < 2) return { left: 0, top: 0, width, height };
  const { weights, columns, rows } = await weighed(upright, face);
  const upAndDown = picture.height - height >= picture.width - width;
  const line = upAndDown
    ? Array.from({ length: rows }, (_, row) => sum(columns, column => weights[row * columns + column]!))
    : Array.from({ length: columns }, (_, column) => sum(rows, row => weights[row * columns + column]!));
  const part = upAndDown ? height / picture.height : width / picture.width;
  const start = best(line, Math.max(1, Math.round(line.length * part))) / line.length;
  return upAndDown
    ? { left: 0, top: Math.min(picture.height - height, Math.round(start * picture.height)), width, height }
    : { left: Math.min(picture.width - width, Math.round(start * picture.width)), top: 0, width, height };
}

/** How much contrast and skin weigh. */
const UNTOLD = { contrasts: 1, skins: 1.4 };
const A_FACE = { contrasts: 0.15, skins: 5 };
const NO_FACE = { contrasts: 1, skins: 0 };

/** Where a window of that length holds the most, what lies in its middle counting double. */
function best(line: readonly number[], length: number): number {
  let most = Number.NEGATIVE_INFINITY;
  let at = 0;
  for (let start = 0; start + length <= line.length; start++) {
    const held = sum(length, i => line[start + i]! * (1 + Math.sin(((i + 0.5) / length) * Math.PI)));
    if (held > most) [most, at] = [held, start];
  }
  return at;
}

async function weighed(
  upright: Buffer,
  face: boolean | undefined,
): Promise<{ weights: Float32Array; columns: number; rows: number }> {
  const { contrasts, skins } = face === undefined ? UNTOLD : face ? A_FACE : NO_FACE;
  const { data, info } = await sharp(upright)
    .resize(SMALL, SMALL, { fit: 'inside' })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: columns, height: rows, channels } = info;
  const weights = new Float32Array(columns * rows);
  const channel = (column: number, row: number, which: number) =>
    data[
      (clamp(row, 0, rows - 1) * columns + clamp(column, 0, columns - 1)) * channels + Math.min(which, channels - 1)
    ]!;
  const light = (column: number, row: number) => sum(3, which => channel(column, row, which)) / 765;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const contrast =
        Math.abs(light(column + 1, row) - light(column - 1, row)) +
        Math.abs(light(column, row + 1) - light(column, row - 1));
      const [r, g, b] = [channel(column, row, 0), channel(column, row, 1), channel(column, row, 2)];
      const middle = Math.exp(-(((column / columns - 0.5) / 0.35) ** 2) - ((row / rows - 0.4) / 0.4) ** 2);
      weights[row * columns + column] = (contrasts * Math.min(contrast, 0.4) + skins * skin(r, g, b)) * (0.35 + middle);
    }
  }
  return { weights, columns, rows };
}

/** How much a colour is like skin, of any tone: warm, not very saturated, neither black nor white. 0 to 1. */
function skin(r: number, g: number, b: number): number {
  const total = r + g + b;
  if (total < 90 || total > 690 || r <= g || g < b * 0.85) return 0;
  const [red, green] = [r / total, g / total];
  return Math.exp(-(((red - 0.43) / 0.045) ** 2) - ((green - 0.315) / 0.025) ** 2);
}

const sum = (length: number, of: (i: number) => number): number => {
  let all = 0;
  for (let i = 0; i < length; i++) all += of(i);
  return all;
};

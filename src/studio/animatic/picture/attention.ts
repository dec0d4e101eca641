/**
 * Where to cut a picture that is too tall or too wide for its frame. Faces first: sharp's own `attention` follows strong
 * colour and would rather keep a yellow coat than the head above it. So every place of a small copy is weighed: skin counts
 * most, then contrast, a little more in the upper middle, where people put what matters. The frame goes where its middle
 * holds the most. Of a still that the studio drew it is known where its subject is.
 */
import sharp from 'sharp';
import { type Picture, still } from '../../../media/encode/open-still.ts';
import { recordObjectIn } from '../../../model/text/json.ts';
import { clamp } from '../../shared/random.ts';
import type { FrameSize } from '../request/frame-size.ts';
import type { Box } from '../scene/scene.ts';

export interface Cut extends FrameSize {
  readonly left: number;
  readonly top: number;
}

/** The long side of the small copy. */
const SMALL = 96;

/** What is known of a picture before it is looked at. */
interface Known {
  /** Whether the author expects a face. */
  readonly face?: boolean | undefined;
  /** Where the studio drew it. */
  readonly subject?: Box | undefined;
}

/** The part of an upright picture, in its own pixels, that has the frame's ratio. */
export async function cutFor(
  upright: Buffer,
  picture: FrameSize,
  frame: FrameSize,
  { face, subject }: Known = {},
): Promise<Cut> {
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
  const found = best(line, Math.max(1, Math.round(line.length * part))) / line.length;
  const start = subject ? around(found, part, subject, upAndDown) : found;
  return upAndDown
    ? { left: 0, top: Math.min(picture.height - height, Math.round(start * picture.height)), width, height }
    : { left: Math.min(picture.width - width, Math.round(start * picture.width)), top: 0, width, height };
}

/** Air around a subject, as a part of the picture. */
const AIR = 0.04;

/** The window nearest to the found one that holds the subject; the upper or middle part of one that is larger. All in parts of the picture. */
function around(found: number, length: number, { left, right, top, bottom }: Box, isUpright: boolean): number {
  const [first, last] = [Math.max(0, (isUpright ? top : left) - AIR), Math.min(1, (isUpright ? bottom : right) + AIR)];
  const spare = length - (last - first);
  if (spare < 0) return clamp(first - (isUpright ? 0 : spare / 2), 0, 1 - length);
  return clamp(found, Math.max(0, first - spare), Math.min(1 - length, first));
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

/** Written into the clean plate of a still, as its EXIF description. */
export const subjectNote = ({ left, right, top, bottom }: Box): string =>
  JSON.stringify({ shotlist: 1, subject: [left, right, top, bottom].map(at => Math.round(at * 1e4) / 1e4) });

/** Where the studio drew the subject of one of its stills; undefined for every other picture. */
export async function subjectIn(picture: Picture): Promise<Box | undefined> {
  const { exif } = await still(picture).metadata();
  const [note] = exif?.toString('latin1').match(/\{"shotlist":1,"subject":\[[\d.,-]{7,80}\]\}/) ?? [];
  const { subject } = (note === undefined ? undefined : recordObjectIn(note)) ?? {};
  if (!Array.isArray(subject) || !subject.every(it => typeof it === 'number')) return undefined;
  const [left = 0, right = 0, top = 0, bottom = 0] = subject.map(it => clamp(it, 0, 1));
  return left < right && top < bottom ? { left, right, top, bottom } : undefined;
}

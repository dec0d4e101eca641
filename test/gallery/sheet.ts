/** Contact sheets: a strip of pictures for each take with its request under it, in the project's own type. */
import { type Canvas, createCanvas, ImageData, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import { readFrames } from '../../src/media/decode/decode.ts';
import { font, wrap } from '../../src/media/encode/typography.ts';
import type { Drawn } from './props.ts';

export interface Strip {
  readonly title: string;
  readonly pictures: readonly Canvas[];
}

/** Pixels: large enough that type in the pictures can be read. */
const WIDE = 1960;
const TALL = 350;
const EDGE = 36;
const GAP = 10;
/** Under a picture's last row: the words, and air. */
const BELOW = 96;
/** First, last, and the middle of each quarter: what comes and goes at a quarter is seen. */
const MOMENTS = [0, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1];

/** First and last picture of a film and some between; a still is one. */
export async function picturesOf({ path, facts }: Pick<Drawn, 'path' | 'facts'>): Promise<Canvas[]> {
  if (facts.kind === 'image') return [await stillOf(path)];
  const count = Math.round((facts.duration ?? 1) * (facts.fps ?? 24));
  const wanted = new Set(MOMENTS.map(at => Math.round(at * (count - 1))));
  const pictures: Canvas[] = [];
  for await (const { index, width, height, pixels } of readFrames(path)) {
    if (!wanted.has(index)) continue;
    const canvas = createCanvas(width, height);
    canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    pictures.push(canvas);
  }
  return pictures;
}

async function stillOf(path: string): Promise<Canvas> {
  const image = await loadImage(await sharp(path).png().toBuffer());
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  chequers(context, image.width, image.height);
  context.drawImage(image, 0, 0);
  return canvas;
}

function chequers(context: ReturnType<Canvas['getContext']>, width: number, height: number): void {
  for (let y = 0; y < height; y += 12)
    for (let x = 0; x < width; x += 12) {
      context.fillStyle = (x + y) % 24 === 0 ? '#2b2b30' : '#38383e';
      context.fillRect(x, y, 12, 12);
    }
}

/** Strips from left to right and down: a film's pictures stay together, on as many rows as they need. */
export async function sheet(title: string, strips: readonly Strip[]): Promise<Buffer> {
  const placed = place(strips);
  const canvas = createCanvas(WIDE, (placed.at(-1)?.bottom ?? 0) + EDGE);
  const context = canvas.getContext('2d');
  context.fillStyle = '#131316';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#fff';
  context.font = font('display', 600, 34, title);
  context.fillText(title, EDGE, EDGE + 30);
  context.imageSmoothingQuality = 'high';
  for (const { strip, frames, left, below, width } of placed) {
    for (const { picture, x, y } of frames) context.drawImage(picture, x, y, ...sizeOf(picture, strip));
    context.fillStyle = 'rgba(255,255,255,0.66)';
    context.font = font('mono', 400, 14, strip.title);
    for (const [i, line] of wrap(context, strip.title, width, LINES).entries())
      context.fillText(line, left, below + 22 + i * 19);
  }
  return canvas.encode('png');
}

const LINES = 3;

interface Placed {
  readonly strip: Strip;
  readonly frames: readonly { readonly picture: Canvas; readonly x: number; readonly y: number }[];
  readonly left: number;
  /** Where its last row of pictures ends. */
  readonly below: number;
  readonly width: number;
  readonly bottom: number;
}

function place(strips: readonly Strip[]): Placed[] {
  let [left, top, low] = [EDGE, EDGE + 62, 0];
  return strips.map(strip => {
    const across = strip.pictures.reduce((sum, picture) => sum + sizeOf(picture, strip)[0] + GAP, -GAP);
    const width = Math.min(WIDE - EDGE * 2, Math.max(across, 300));
    if (left > EDGE && left + width > WIDE - EDGE) [left, top] = [EDGE, low + 24];
    let [x, y, below] = [left, top, top];
    const frames = strip.pictures.map(picture => {
      const [wide, tall] = sizeOf(picture, strip);
      if (x > left && x + wide > WIDE - EDGE + 1) [x, y] = [left, below + GAP];
      const frame = { picture, x, y };
      x += wide + GAP;
      below = Math.max(below, y + tall);
      return frame;
    });
    const placed = { strip, frames, left, below, width, bottom: below + BELOW };
    low = Math.max(left === EDGE ? 0 : low, placed.bottom);
    left += width + GAP * 2;
    return placed;
  });
}

/** As tall as a row, unless that would be wider than a third of one; a film that is not wide stands in one row. */
function sizeOf({ width, height }: Canvas, { pictures }: Strip): [width: number, height: number] {
  const share = width <= height ? Math.max(3, pictures.length) : 3;
  const most = (WIDE - EDGE * 2 - GAP * (share - 1)) / share;
  const scale = Math.min(TALL / height, most / width);
  return [Math.round(width * scale), Math.round(height * scale)];
}

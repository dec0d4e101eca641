/** Contact sheets: a strip of pictures for each take with its request under it, in the project's own type. */
import { type Canvas, createCanvas, ImageData, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import { readFrames } from '../../src/media/decode.ts';
import { font, wrap } from '../../src/studio/render/type.ts';
import type { Drawn } from './props.ts';

export interface Strip {
  readonly title: string;
  readonly pictures: readonly Canvas[];
}

/** Pixels. */
const WIDE = 1800;
const TALL = 190;
const EDGE = 36;
const GAP = 10;
/** First, last, and the middle of each quarter: what comes and goes at a quarter is seen. */
const MOMENTS = [0, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1];

/** First and last picture of a film and some between; a still is one. */
export async function picturesOf({ path, facts }: Drawn): Promise<Canvas[]> {
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

/** Strips from left to right, on as many rows as they need; single stills are given more room than films. */
export async function sheet(title: string, strips: readonly Strip[]): Promise<Buffer> {
  const tall = strips.every(({ pictures }) => pictures.length === 1) && strips.length <= 8 ? 300 : TALL;
  const placed = place(strips, tall);
  const canvas = createCanvas(WIDE, (placed.at(-1)?.bottom ?? 0) + EDGE);
  const context = canvas.getContext('2d');
  context.fillStyle = '#131316';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#fff';
  context.font = font('display', 600, 34, title);
  context.fillText(title, EDGE, EDGE + 30);
  for (const { strip, left, top, width } of placed) {
    let x = left;
    for (const picture of strip.pictures) {
      const [w, h] = sizeOf(picture, tall);
      context.drawImage(picture, x, top, w, h);
      x += w + GAP;
    }
    const below = top + Math.max(...strip.pictures.map(picture => sizeOf(picture, tall)[1]));
    context.fillStyle = 'rgba(255,255,255,0.66)';
    context.font = font('mono', 400, 14, strip.title);
    for (const [i, line] of wrap(context, strip.title, width, LINES).entries())
      context.fillText(line, left, below + 22 + i * 19);
  }
  return canvas.encode('png');
}

const LINES = 3;

function place(strips: readonly Strip[], tall: number) {
  let [left, top] = [EDGE, EDGE + 62];
  return strips.map(strip => {
    const across = strip.pictures.reduce((sum, picture) => sum + sizeOf(picture, tall)[0] + GAP, -GAP);
    const width = Math.max(across, 300);
    if (left > EDGE && left + width > WIDE - EDGE) [left, top] = [EDGE, top + tall + 76];
    const placed = { strip, left, top, width, bottom: top + tall + 54 };
    left += width + GAP * 2;
    return placed;
  });
}

/** As tall as a row, unless that would be wider than its part of one. */
function sizeOf({ width, height }: Canvas, tall: number): readonly [width: number, height: number] {
  const most = (WIDE - EDGE * 2 - GAP * (MOMENTS.length - 1)) / MOMENTS.length;
  const scale = Math.min(tall / height, (most * (tall / TALL)) / width);
  return [Math.round(width * scale), Math.round(height * scale)];
}

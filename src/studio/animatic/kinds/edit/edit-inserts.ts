/** Insertions into an edited picture: other pictures as prints, words in quotes as titles. And the removal of its background. */
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { still } from '../../../../media/encode/open-still.ts';
import { font } from '../../../../media/encode/typography.ts';
import { Random } from '../../../shared/random.ts';
import { flood } from '../../picture/flood.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import type { Context } from '../../scene/brush.ts';
import { quoted } from './edits.ts';

/** The other inputs as prints, each with its number in the request: a few in the upper right, many down both sides, so that the middle stays free. */
export async function insertPictures(
  context: Context,
  frame: FrameSize,
  files: readonly string[],
  { seed, from }: { readonly seed: string; readonly from: number },
): Promise<void> {
  const { cell, places } = files.length <= FEW ? inCorner(frame, files.length) : downTheSides(frame, files.length);
  const unit = Math.min(frame.width, frame.height) / 720;
  const side = Math.max(4, Math.round(cell * 0.84));
  for (const [i, file] of files.entries()) {
    const { x, y } = places[i] ?? { x: 0, y: 0 };
    context.save();
    context.translate(x, y);
    context.rotate(new Random(`print|${seed}|${i}`).spread() * 0.045);
    hang(context, await printOf(file, side), { side, unit, number: from + i });
    context.restore();
  }
}

/** Middles of the prints, and the room each has, in pixels. */
interface Hanging {
  readonly cell: number;
  readonly places: readonly { readonly x: number; readonly y: number }[];
}

const FEW = 3;

function inCorner({ width, height }: FrameSize, count: number): Hanging {
  const cell = Math.min((width * 0.86) / Math.max(1, count), height * 0.32);
  const right = width * 0.97 - cell / 2;
  const places = Array.from({ length: count }, (_, i) => {
    return { x: right - (count - 1 - i) * cell, y: height * 0.06 + cell / 2 };
  });
  return { cell, places };
}

/** Part of the width that prints may take, both sides together, and of the height: above the slate. */
const SIDES = 0.48;
const DOWN = 0.82;

function downTheSides({ width, height }: FrameSize, count: number): Hanging {
  let best = { cell: 0, rows: 1, columns: 1 };
  for (let rows = 2; rows <= count; rows++) {
    const columns = Math.ceil(count / rows);
    const cell = Math.min((height * DOWN) / rows, (width * SIDES) / columns);
    if (cell > best.cell) best = { cell, rows, columns };
  }
  const { cell, rows, columns } = best;
  const onLeft = Math.ceil(columns / 2);
  const edge = width * 0.015 + cell / 2;
  const places = Array.from({ length: count }, (_, i) => {
    const column = Math.floor(i / rows);
    const x = column < onLeft ? edge + column * cell : width - edge - (columns - 1 - column) * cell;
    return { x, y: height * 0.03 + (i % rows) * cell + cell / 2 };
  });
  return { cell, places };
}

async function printOf(file: string, side: number): Promise<Canvas> {
  const pixels = await still(file)
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const print = createCanvas(side, side);
  print.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(pixels), side, side), 0, 0);
  return print;
}

interface Print {
  readonly side: number;
  readonly unit: number;
  readonly number: number;
}

function hang(context: Context, print: Canvas, { side, unit, number }: Print): void {
  const paper = 5 * unit;
  context.save();
  context.shadowColor = 'rgba(0,0,0,0.55)';
  context.shadowBlur = 18 * unit;
  context.shadowOffsetY = 6 * unit;
  context.fillStyle = '#f7f4ee';
  context.fillRect(-side / 2 - paper, -side / 2 - paper, side + paper * 2, side + paper * 2);
  context.restore();
  context.drawImage(print, -side / 2, -side / 2);
  const badge = -side / 2 + 15 * unit;
  context.fillStyle = 'rgba(8,9,14,0.78)';
  context.beginPath();
  context.arc(badge, badge, 12 * unit, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = '#fff';
  context.font = font('sans', 700, 13 * unit);
  context.textAlign = 'center';
  context.fillText(String(number), badge, badge + 4.6 * unit);
}

export function drawTitle(context: Context, { width, height }: FrameSize, words: string): void {
  for (const [i, title] of quoted(words).entries()) {
    let size = height * 0.13;
    context.save();
    context.font = font('display', 700, size, title);
    while (context.measureText(title).width > width * 0.84 && size > 6) {
      size *= 0.94;
      context.font = font('display', 700, size, title);
    }
    context.textAlign = 'center';
    context.shadowColor = 'rgba(0,0,0,0.6)';
    context.shadowBlur = size * 0.2;
    context.fillStyle = '#fff';
    context.fillText(title, width / 2, height * (0.24 + 0.16 * i));
    context.restore();
  }
}

/** Neighbours differing by less than this, summed over the channels, belong together. */
const ALIKE = 21;

/** Of a picture's pixels: where less than this lies behind the subject, no plain background was found. */
const LEAST_BEHIND = 0.03;

/**
 * Every pixel that like colours connect to the border becomes transparent, with a soft edge. Right for plain backgrounds; a busy one
 * cannot be separated from its subject this way: the picture is cut to an oval instead.
 */
export async function removeBackground(context: Context, { width, height }: FrameSize): Promise<void> {
  const image = context.getImageData(0, 0, width, height);
  const pixels = image.data;
  const kept = new Uint8Array(width * height).fill(255);
  const across = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const down = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  flood({ width, height }, [...across, ...down].flat(), (at, next) => {
    let apart = 0;
    for (let c = 0; c < 3; c++) apart += Math.abs((pixels[at * 4 + c] ?? 0) - (pixels[next * 4 + c] ?? 0));
    return apart < ALIKE;
  }).forEach((reached, at) => {
    if (reached) kept[at] = 0;
  });
  const behind = kept.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0);
  if (behind < kept.length * LEAST_BEHIND) return fadeToOval(context, { width, height });
  const alpha = await sharp(kept, { raw: { width, height, channels: 1 } })
    .median(5)
    .blur(1.1)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  for (let i = 0; i < kept.length; i++) pixels[i * 4 + 3] = alpha[i] ?? 255;
  context.putImageData(image, 0, 0);
}

/** The picture in an oval that fades to nothing. */
export function fadeToOval(context: Context, { width, height }: FrameSize): void {
  context.save();
  context.globalCompositeOperation = 'destination-in';
  context.translate(width / 2, height / 2);
  context.scale(width / 2, height / 2);
  const oval = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  oval.addColorStop(0.78, '#000f');
  oval.addColorStop(0.96, '#0000');
  context.fillStyle = oval;
  context.fillRect(-1, -1, 2, 2);
  context.restore();
}

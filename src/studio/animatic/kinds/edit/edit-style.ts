/** Changes of hand: pencil, flat colour, paint, a soft background, the colours of another picture. RGBA in, RGBA out. */
import sharp from 'sharp';
import { still } from '../../../../media/encode/still.ts';
import { clamp, mixNumber, smooth } from '../../../shared/random.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import type { EditName } from './edits.ts';

export async function restyled(
  picture: Buffer,
  size: FrameSize,
  edits: ReadonlySet<EditName>,
  model: string | null,
): Promise<Buffer> {
  let now = picture;
  if (model) now = await coloursOf(now, model);
  if (edits.has('soft background')) now = await softened(now, size);
  if (edits.has('sketch')) now = await sketched(now, size);
  else if (edits.has('painting')) now = await painted(now, size);
  else if (edits.has('poster')) now = await flattened(now, size);
  return now;
}

const raw = ({ width, height }: FrameSize) => ({ raw: { width, height, channels: 4 as const } });

/** Colour dodge of the picture's lightness by its own blurred negative: what a soft pencil leaves. */
async function sketched(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const grey = await sharp(picture, raw(size)).removeAlpha().greyscale().raw().toBuffer();
  const one = { raw: { ...size, channels: 1 as const } };
  const negative = await sharp(grey, one)
    .negate()
    .blur(Math.max(1.2, size.width / 180))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const out = Buffer.from(picture);
  for (let i = 0; i < size.width * size.height; i++) {
    const line = Math.min(255, ((grey[i] ?? 0) * 255) / (256 - (negative[i] ?? 0)));
    const tone = mixNumber(line, (line * (160 + (grey[i] ?? 0) * 0.37)) / 255, 0.4);
    out.set([tone, tone * 0.985, tone * 0.95], i * 4);
  }
  return out;
}

/** Median strokes with a little of the edges left. */
async function painted(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const stroke = Math.max(3, Math.round(Math.min(size.width, size.height) / 160) * 2 + 1);
  return sharp(picture, raw(size))
    .removeAlpha()
    .median(Math.min(15, stroke))
    .modulate({ saturation: 1.22 })
    .sharpen({ sigma: 2.2 })
    .ensureAlpha()
    .raw()
    .toBuffer();
}

async function flattened(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const calm = await sharp(picture, raw(size))
    .removeAlpha()
    .median(7)
    .modulate({ saturation: 1.2 })
    .ensureAlpha()
    .raw()
    .toBuffer();
  // Lightness in steps, hue as it was: channels stepped one by one turn greys into rainbows.
  for (let i = 0; i < calm.length; i += 4) {
    const light = (0.299 * (calm[i] ?? 0) + 0.587 * (calm[i + 1] ?? 0) + 0.114 * (calm[i + 2] ?? 0)) / 255;
    const stepped = (Math.floor(light * 7) + 0.5) / 7;
    for (let c = 0; c < 3; c++) calm[i + c] = clamp(((calm[i + c] ?? 0) * stepped) / Math.max(light, 0.02), 0, 255);
  }
  return calm;
}

/** Sharp inside an oval in the middle, where portraits are. */
async function softened(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const { width, height } = size;
  const soft = await sharp(picture, raw(size))
    .blur(Math.max(1, width / 70))
    .raw()
    .toBuffer();
  const out = Buffer.from(picture);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = smooth(
        clamp((Math.hypot((x - width / 2) / (width * 0.32), (y - height * 0.52) / (height * 0.46)) - 0.75) / 0.5),
      );
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) out[i + c] = mixNumber(picture[i + c] ?? 0, soft[i + c] ?? 0, away);
    }
  }
  return out;
}

interface Tone {
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

/** Lightness, red–blue and green–magenta of every pixel are moved to the model's mean and stretched to its spread. */
async function coloursOf(picture: Buffer, model: string): Promise<Buffer> {
  const other = await still(model).autoOrient().resize(256, 256, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
  const [from, to] = [toneOf(picture), toneOf(other)];
  const out = Buffer.from(picture);
  for (let i = 0; i < out.length; i += 4) {
    const now = axes(picture, i);
    const moved = now.map((value, k) => {
      const stretch = clamp((to.spread[k] ?? 1) / (from.spread[k] ?? 1), 0.55, 1.7);
      return mixNumber(value, (value - (from.mean[k] ?? 0)) * stretch + (to.mean[k] ?? 0), k === 0 ? 0.6 : 0.92);
    });
    const [l = 0, u = 0, v = 0] = moved;
    // Inverse of `axes`: with r = s + u/2, b = s − u/2, g = s + v.
    const s = l - 0.587 * v - (0.299 - 0.114) * (u / 2);
    out.set([clamp(s + u / 2, 0, 255), clamp(s + v, 0, 255), clamp(s - u / 2, 0, 255)], i);
  }
  return out;
}

function axes(picture: Buffer, i: number): readonly [number, number, number] {
  const [r, g, b] = [picture[i] ?? 0, picture[i + 1] ?? 0, picture[i + 2] ?? 0];
  return [0.299 * r + 0.587 * g + 0.114 * b, r - b, g - (r + b) / 2];
}

function toneOf(picture: Buffer): Tone {
  const sum = [0, 0, 0];
  const squares = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < picture.length; i += 16) {
    for (const [k, value] of axes(picture, i).entries()) {
      sum[k] = (sum[k] ?? 0) + value;
      squares[k] = (squares[k] ?? 0) + value * value;
    }
    count++;
  }
  const mean = sum.map(value => value / count);
  return { mean, spread: squares.map((value, k) => Math.sqrt(Math.max(1, value / count - (mean[k] ?? 0) ** 2))) };
}

/** A picture brought to the asked shape: cropped where it matters least; extended where a crop would take too much, or the words ask for more. */
import sharp, { type Sharp } from 'sharp';
import { upright } from '../../../media/still.ts';
import type { FrameSize } from '../request/frame-size.ts';
import type { EditName } from './edits.ts';

/** Of the picture's area; more than this is not cropped away. */
const MOST_CROPPED = 0.45;

/** RGBA of exactly `size`. */
export async function croppedOrExtended(file: string, size: FrameSize, edits: ReadonlySet<EditName>): Promise<Buffer> {
  const source = sharp(await upright(file).png({ compressionLevel: 0 }).toBuffer());
  const { width = size.width, height = size.height } = await source.metadata();
  const shape = size.width / size.height;
  const own = width / height;
  const lost = 1 - Math.min(shape, own) / Math.max(shape, own);
  const picture =
    edits.has('extended') || lost > MOST_CROPPED
      ? await extended(source, size, own)
      : await cropped(source, size, { width, height });
  return edits.has('mirrored')
    ? sharp(picture, { raw: { ...size, channels: 4 } })
        .flop()
        .raw()
        .toBuffer()
    : picture;
}

/** Heads are in the upper part of pictures of people: so most of a crop is taken from below. */
async function cropped(source: Sharp, { width, height }: FrameSize, own: FrameSize): Promise<Buffer> {
  const scale = Math.max(width / own.width, height / own.height);
  const wide = Math.max(width, Math.round(own.width * scale));
  const tall = Math.max(height, Math.round(own.height * scale));
  const window = { left: Math.floor((wide - width) / 2), top: Math.floor((tall - height) * 0.16), width, height };
  return source.resize(wide, tall, { fit: 'fill', kernel: 'lanczos3' }).extract(window).ensureAlpha().raw().toBuffer();
}

/** Beyond its edges a picture goes on as its own outer strip, mirrored and drawn out: the whole mirror image would show its subject twice. */
const STRIP = 0.07;

/** The picture whole, in the middle; what is beyond its edges is made up, and softer the farther. */
async function extended(source: Sharp, { width, height }: FrameSize, own: number): Promise<Buffer> {
  const inner =
    own > width / height
      ? { width, height: Math.max(1, Math.round(width / own)) }
      : { width: Math.max(1, Math.round(height * own)), height };
  const whole = await source.clone().resize(inner.width, inner.height, { fit: 'fill' }).ensureAlpha().png().toBuffer();
  const [left, top] = [Math.floor((width - inner.width) / 2), Math.floor((height - inner.height) / 2)];
  const edges = { left, right: width - inner.width - left, top, bottom: height - inner.height - top };
  const mirrored = await drawnOut(whole, inner, edges, { width, height });
  const soft = await sharp(mirrored)
    .blur(Math.max(2, Math.min(width, height) / 50))
    .png()
    .toBuffer();
  const fade = Math.round(Math.min(width, height) * 0.06);
  const sides = left > 0 ? fade : 0;
  const ends = top > 0 ? fade : 0;
  const core = { width: Math.max(1, inner.width - sides * 2), height: Math.max(1, inner.height - ends * 2) };
  // In steps: one pipeline of sharp resizes before it extends, whatever the order of the calls.
  const block = await sharp({ create: { ...core, channels: 4, background: '#ffff' } })
    .extend({
      left: left + sides,
      right: width - core.width - left - sides,
      top: top + ends,
      bottom: height - core.height - top - ends,
      background: '#0000',
    })
    .png()
    .toBuffer();
  const mask = await sharp(block)
    .blur(Math.max(0.4, fade / 2.2))
    .png()
    .toBuffer();
  const sharpPart = await sharp(mirrored)
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
  return sharp(soft)
    .composite([{ input: sharpPart }])
    .ensureAlpha()
    .raw()
    .toBuffer();
}

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

async function drawnOut(whole: Buffer, inner: FrameSize, edges: Edges, { width, height }: FrameSize): Promise<Buffer> {
  const strip = {
    wide: Math.max(1, Math.round(inner.width * STRIP)),
    tall: Math.max(1, Math.round(inner.height * STRIP)),
  };
  const pieces: { input: Buffer; left: number; top: number }[] = [{ input: whole, left: edges.left, top: edges.top }];
  const across = async (from: number, wide: number, left: number) => {
    const cut = await sharp(whole)
      .extract({ left: from, top: 0, width: strip.wide, height: inner.height })
      .flop()
      .png()
      .toBuffer();
    pieces.push({ input: await sharp(cut).resize(wide, inner.height, { fit: 'fill' }).png().toBuffer(), left, top: 0 });
  };
  const along = async (from: number, tall: number, top: number) => {
    const cut = await sharp(whole)
      .extract({ left: 0, top: from, width: inner.width, height: strip.tall })
      .flip()
      .png()
      .toBuffer();
    pieces.push({ input: await sharp(cut).resize(inner.width, tall, { fit: 'fill' }).png().toBuffer(), left: 0, top });
  };
  if (edges.left > 0) await across(0, edges.left, 0);
  if (edges.right > 0) await across(inner.width - strip.wide, edges.right, edges.left + inner.width);
  if (edges.top > 0) await along(0, edges.top, 0);
  if (edges.bottom > 0) await along(inner.height - strip.tall, edges.bottom, edges.top + inner.height);
  return sharp({ create: { width, height, channels: 4, background: '#000f' } })
    .composite(pieces)
    .png()
    .toBuffer();
}

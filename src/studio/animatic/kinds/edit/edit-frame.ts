/** A picture brought to the asked shape: cropped where it matters least; extended where a crop would take too much, or the words ask for more. */
import sharp, { type Sharp } from 'sharp';
import { upright } from '../../../../media/encode/still.ts';
import { type Cut, cutFor, subjectIn } from '../../picture/attention.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import type { Box } from '../../scene/scene.ts';
import type { EditName } from './edits.ts';

/** Of the picture's area; more than this is not cropped away. */
const MOST_CROPPED = 0.45;

/** RGBA of exactly `size`, and where the subject is in it where that is known. */
export async function croppedOrExtended(
  file: string,
  size: FrameSize,
  edits: ReadonlySet<EditName>,
): Promise<{ readonly picture: Buffer; readonly subject: Box | undefined }> {
  const whole = await upright(file).png({ compressionLevel: 0 }).toBuffer();
  const { width = size.width, height = size.height } = await sharp(whole).metadata();
  const subject = await subjectIn(file);
  const shape = size.width / size.height;
  const own = width / height;
  const lost = 1 - Math.min(shape, own) / Math.max(shape, own);
  const { picture, at } =
    edits.has('extended') || lost > MOST_CROPPED
      ? await extended(sharp(whole), size, own)
      : await cropped(whole, size, { width, height }, subject);
  const placed = subject && {
    left: at.left + subject.left * at.width,
    right: at.left + subject.right * at.width,
    top: at.top + subject.top * at.height,
    bottom: at.top + subject.bottom * at.height,
  };
  if (!edits.has('mirrored')) return { picture, subject: placed };
  const flopped = await sharp(picture, { raw: { ...size, channels: 4 } })
    .flop()
    .raw()
    .toBuffer();
  return { picture: flopped, subject: placed && { ...placed, left: 1 - placed.right, right: 1 - placed.left } };
}

/** A picture brought to a frame, and where all of the old one is then, in parts of the frame. */
interface Framed {
  readonly picture: Buffer;
  readonly at: Cut;
}

async function cropped(whole: Buffer, size: FrameSize, own: FrameSize, subject: Box | undefined): Promise<Framed> {
  const cut = await cutFor(whole, own, size, { subject });
  const resized = sharp(whole).extract(cut).resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' });
  const [left, top] = [-cut.left / cut.width, -cut.top / cut.height];
  const at = { left, top, width: own.width / cut.width, height: own.height / cut.height };
  return { picture: await resized.ensureAlpha().raw().toBuffer(), at };
}

/** Beyond its edges a picture goes on as its own outer strip, mirrored and drawn out: the whole mirror image would show its subject twice. */
const STRIP = 0.07;

/** The picture whole, in the middle; what is beyond its edges is made up, and softer the farther. */
async function extended(source: Sharp, { width, height }: FrameSize, own: number): Promise<Framed> {
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
  const picture = await sharp(soft)
    .composite([{ input: sharpPart }])
    .ensureAlpha()
    .raw()
    .toBuffer();
  const at = { left: left / width, top: top / height, width: inner.width / width, height: inner.height / height };
  return { picture, at };
}

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The picture with strips of its own edges beyond it: each is cut from the edge, mirrored, and drawn out to the frame. */
async function drawnOut(whole: Buffer, inner: FrameSize, edges: Edges, { width, height }: FrameSize): Promise<Buffer> {
  const wide = Math.max(1, Math.round(inner.width * STRIP));
  const tall = Math.max(1, Math.round(inner.height * STRIP));
  const pieces: { input: Buffer; left: number; top: number }[] = [{ input: whole, left: edges.left, top: edges.top }];
  const strip = async (
    mirror: 'flop' | 'flip',
    cut: Cut,
    to: FrameSize & { readonly left: number; readonly top: number },
  ) => {
    if (to.width === 0 || to.height === 0) return;
    const mirrored = await sharp(whole).extract(cut)[mirror]().png().toBuffer();
    const input = await sharp(mirrored).resize(to.width, to.height, { fit: 'fill' }).png().toBuffer();
    pieces.push({ input, left: to.left, top: to.top });
  };
  const side = { top: 0, width: wide, height: inner.height };
  const end = { left: 0, width: inner.width, height: tall };
  const { left, right, top, bottom } = edges;
  await strip('flop', { ...side, left: 0 }, { ...side, left: 0, width: left });
  await strip('flop', { ...side, left: inner.width - wide }, { ...side, left: left + inner.width, width: right });
  await strip('flip', { ...end, top: 0 }, { ...end, top: 0, height: top });
  await strip('flip', { ...end, top: inner.height - tall }, { ...end, top: top + inner.height, height: bottom });
  return sharp({ create: { width, height, channels: 4, background: '#000f' } })
    .composite(pieces)
    .png()
    .toBuffer();
}

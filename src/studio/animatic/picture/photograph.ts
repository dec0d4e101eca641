/** A still as this studio uses it: turned upright, cut to the frame around what matters, or set into a larger one. */
import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import { upright } from '../../../media/encode/open-still.ts';
import { clamp, smooth } from '../../shared/random.ts';
import type { FrameSize } from '../request/frame-size.ts';
import type { Box } from '../scene/scene.ts';
import { type Cut, cutFor, subjectIn } from './attention.ts';
import { WIDEST } from './camera-view.ts';

export interface Photograph {
  readonly canvas: Canvas;
  /** What the canvas has beyond the frame, on each side, in pixels. */
  readonly spare: { readonly x: number; readonly y: number };
  /** Where a camera that comes closer goes to: from the middle of the frame, in parts of it. */
  readonly aim: { readonly x: number; readonly y: number };
}

/** A subject nearer to an edge than this comes no nearer to the middle. */
const AIM = 0.25;

/** Fills the frame; what does not fit is cut off where there is least to see. A face the author speaks of is kept. */
export async function photograph(path: string, size: FrameSize, face?: boolean): Promise<Photograph> {
  const { canvas, subject } = await cutTo(await openPicture(path), size, face);
  const context = canvas.getContext('2d');
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#101014';
  context.fillRect(0, 0, size.width, size.height);
  context.globalCompositeOperation = 'source-over';
  const towards = (from: number, to: number) => clamp((from + to) / 2 - 0.5, -AIM, AIM);
  const aim = subject
    ? { x: towards(subject.left, subject.right), y: towards(subject.top, subject.bottom) }
    : { x: 0, y: 0 };
  return { canvas, spare: { x: 0, y: 0 }, aim };
}

/** The same with a margin for a camera that pulls out. */
export function widened({ canvas, aim }: Photograph): Photograph {
  const { width, height } = canvas;
  const spare = { x: Math.ceil((width * (1 / WIDEST - 1)) / 2) + 2, y: Math.ceil((height * (1 / WIDEST - 1)) / 2) + 2 };
  const frame = { width: width + spare.x * 2, height: height + spare.y * 2 };
  return { canvas: surrounded(canvas, frame, spare), spare, aim };
}

/** A picture upright, and where its subject is, in parts of it, where that is known. */
interface OpenPicture extends FrameSize {
  readonly bytes: Buffer;
  readonly subject: Box | undefined;
}

/** A picture in a frame. */
interface Framed {
  readonly canvas: Canvas;
  /** In parts of the frame. */
  readonly subject: Box | undefined;
}

export async function openPicture(path: string): Promise<OpenPicture> {
  const whole = upright(path).toColourspace('srgb').png({ compressionLevel: 0 });
  const { data, info } = await whole.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, subject: await subjectIn(path) };
}

/** Cut where there is least to see. */
export async function cutTo(picture: OpenPicture, size: FrameSize, face?: boolean): Promise<Framed> {
  const cut = await cutFor(picture.bytes, picture, size, { face, subject: picture.subject });
  const left = -cut.left / cut.width;
  const top = -cut.top / cut.height;
  const at = { left, top, width: picture.width / cut.width, height: picture.height / cut.height };
  return { canvas: await scaled(picture.bytes, cut, size), subject: placed(picture.subject, at) };
}

/** Whole, in the middle; what is beyond its edges is made up. */
export async function extendedTo(picture: OpenPicture, frame: FrameSize): Promise<Framed> {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height);
  const [width, height] = [picture.width, picture.height].map(side => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const at = { x: Math.floor((frame.width - width) / 2), y: Math.floor((frame.height - height) / 2) };
  const inner = await scaled(
    picture.bytes,
    { left: 0, top: 0, width: picture.width, height: picture.height },
    { width, height },
  );
  const parts = {
    left: at.x / frame.width,
    top: at.y / frame.height,
    width: width / frame.width,
    height: height / frame.height,
  };
  return { canvas: surrounded(inner, frame, at), subject: placed(picture.subject, parts) };
}

async function scaled(bytes: Buffer, cut: Cut, { width, height }: FrameSize): Promise<Canvas> {
  const resized = sharp(bytes).extract(cut).resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  const { buffer, byteOffset, length } = await resized.ensureAlpha().raw().toBuffer();
  const canvas = createCanvas(width, height);
  canvas
    .getContext('2d')
    .putImageData(new ImageData(new Uint8ClampedArray(buffer, byteOffset, length), width, height), 0, 0);
  return canvas;
}

const placed = (subject: Box | undefined, { left, top, width, height }: Cut): Box | undefined =>
  subject && {
    left: left + subject.left * width,
    right: left + subject.right * width,
    top: top + subject.top * height,
    bottom: top + subject.bottom * height,
  };

/** Of a picture's side: a strip of its edge. The whole mirror image would show its subject twice. */
const STRIP = 0.07;
/** Of the shorter side of the frame: how far from the picture its strips are sharp. */
const NEAR = 0.065;

/** A picture in a larger frame. Beyond its edges go on its own outer strips, mirrored, drawn out, and softer the farther they are. */
function surrounded(picture: Canvas, frame: FrameSize, at: Photograph['spare']): Canvas {
  const short = Math.min(frame.width, frame.height);
  const canvas = createCanvas(frame.width, frame.height);
  const near = createCanvas(frame.width, frame.height);
  const [context, sharpAgain] = [canvas.getContext('2d'), near.getContext('2d')];
  drawOut(sharpAgain, picture, frame, at);
  // Under the blurred one: a blur lets the frame's own edge shine through.
  context.drawImage(near, 0, 0);
  context.filter = `blur(${Math.max(1, short / 55)}px)`;
  context.drawImage(near, 0, 0);
  context.filter = 'none';
  // Sharp again towards the picture, so that no line shows where it ends.
  sharpAgain.globalCompositeOperation = 'destination-in';
  sharpAgain.drawImage(nearness(frame, picture, at, short * NEAR), 0, 0, frame.width, frame.height);
  context.drawImage(near, 0, 0);
  context.drawImage(picture, at.x, at.y);
  return canvas;
}

function drawOut(context: SKRSContext2D, picture: Canvas, frame: FrameSize, at: Photograph['spare']): void {
  /** A strip before the picture, the picture, a strip behind it: from where in it, and to where in the frame. */
  const parts = (length: number, start: number, whole: number) => {
    const strip = Math.max(1, Math.round(length * STRIP));
    return [
      { from: 0, size: strip, to: start, over: -start },
      { from: 0, size: length, to: start, over: length },
      { from: length - strip, size: strip, to: whole, over: start + length - whole },
    ].filter(({ over }) => over !== 0);
  };
  for (const x of parts(picture.width, at.x, frame.width))
    for (const y of parts(picture.height, at.y, frame.height)) {
      context.save();
      context.translate(x.to, y.to);
      context.scale(Math.sign(x.over), Math.sign(y.over));
      context.drawImage(picture, x.from, y.from, x.size, y.size, 0, 0, Math.abs(x.over), Math.abs(y.over));
      context.restore();
    }
}

/** Opaque over the picture, gone beyond `reach`. Small: it is drawn large. */
function nearness(frame: FrameSize, { width, height }: FrameSize, at: Photograph['spare'], reach: number): Canvas {
  const scale = 1 / 4;
  const mask = createCanvas(Math.ceil(frame.width * scale), Math.ceil(frame.height * scale));
  const context = mask.getContext('2d');
  const pixels = context.createImageData(mask.width, mask.height);
  for (let i = 0; i < mask.width * mask.height; i++) {
    const [x, y] = [(i % mask.width) / scale - at.x, Math.floor(i / mask.width) / scale - at.y];
    const away = Math.hypot(Math.max(0, -x, x - width), Math.max(0, -y, y - height));
    pixels.data[i * 4 + 3] = Math.round(255 * (1 - smooth(away / reach)));
  }
  context.putImageData(pixels, 0, 0);
  return mask;
}

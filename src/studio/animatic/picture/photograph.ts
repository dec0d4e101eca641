/** A still as the films of this studio use it: turned upright, cut to the frame around what matters, ready to be drawn. */
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { upright } from '../../../media/encode/still.ts';
import { clamp, smooth } from '../../shared/random.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { cutFor, subjectIn } from './attention.ts';
import { WIDEST } from './camera-view.ts';

export interface Photograph {
  readonly canvas: Canvas;
  /** What the canvas has beyond the frame, on each side, in pixels. */
  readonly spare: { readonly x: number; readonly y: number };
  /** Where a camera that comes closer goes to: from the middle of the frame, in parts of it. */
  readonly aim: { readonly x: number; readonly y: number };
}

/** Fills the frame; what does not fit is cut off where there is least to see. A face the author speaks of is kept. */
export async function photograph(path: string, { width, height }: FrameSize, face?: boolean): Promise<Photograph> {
  const whole = await upright(path)
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  const subject = await subjectIn(path);
  const cut = await cutFor(whole.data, whole.info, { width, height }, { face, subject });
  const data = await sharp(whole.data)
    .extract(cut)
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .flatten({ background: '#101014' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const canvas = createCanvas(width, height);
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  const towards = (from: number, to: number, start: number, length: number, whole: number) =>
    clamp((((from + to) / 2) * whole - start) / length - 0.5, -AIM, AIM);
  const aim = subject
    ? {
        x: towards(subject.left, subject.right, cut.left, cut.width, whole.info.width),
        y: towards(subject.top, subject.bottom, cut.top, cut.height, whole.info.height),
      }
    : { x: 0, y: 0 };
  return { canvas, spare: { x: 0, y: 0 }, aim };
}

/** A subject nearer to an edge than this comes no nearer to the middle. */
const AIM = 0.25;

/** The same with a margin for a camera that pulls out: mirrored, and out of focus the further it is from the picture. */
export function widened({ canvas, aim }: Photograph): Photograph {
  const { width, height } = canvas;
  const spare = { x: Math.ceil((width * (1 / WIDEST - 1)) / 2) + 2, y: Math.ceil((height * (1 / WIDEST - 1)) / 2) + 2 };
  const wide = createCanvas(width + spare.x * 2, height + spare.y * 2);
  const context = wide.getContext('2d');
  const blur = Math.min(width, height) / 60;
  context.filter = `blur(${blur}px)`;
  tiled(context, canvas, spare);
  context.filter = 'none';
  // Sharp again towards the picture, so that no line shows where it ends.
  const near = createCanvas(wide.width, wide.height);
  const sharpAgain = near.getContext('2d');
  tiled(sharpAgain, canvas, spare);
  sharpAgain.globalCompositeOperation = 'destination-in';
  sharpAgain.drawImage(nearness(wide, { width, height }, spare), 0, 0, wide.width, wide.height);
  context.drawImage(near, 0, 0);
  context.drawImage(canvas, spare.x, spare.y);
  return { canvas: wide, spare, aim };
}

function tiled(context: ReturnType<Canvas['getContext']>, canvas: Canvas, spare: Photograph['spare']): void {
  const { width, height } = canvas;
  for (const column of [-1, 0, 1]) {
    for (const row of [-1, 0, 1]) {
      context.save();
      context.translate(spare.x + width / 2 + column * width, spare.y + height / 2 + row * height);
      context.scale(column === 0 ? 1 : -1, row === 0 ? 1 : -1);
      context.drawImage(canvas, -width / 2, -height / 2);
      context.restore();
    }
  }
}

/** Opaque over the picture, gone within a third of the margin. Small: it is drawn large. */
function nearness(wide: FrameSize, { width, height }: FrameSize, spare: Photograph['spare']): Canvas {
  const scale = 1 / 4;
  const mask = createCanvas(Math.round(wide.width * scale), Math.round(wide.height * scale));
  const context = mask.getContext('2d');
  const pixels = context.createImageData(mask.width, mask.height);
  const reach = Math.max(spare.x, spare.y) / 2.5;
  for (let row = 0, at = 3; row < mask.height; row++) {
    for (let column = 0; column < mask.width; column++, at += 4) {
      const x = column / scale - spare.x;
      const y = row / scale - spare.y;
      const away = Math.hypot(Math.max(0, -x, x - width), Math.max(0, -y, y - height));
      pixels.data[at] = Math.round(255 * (1 - smooth(clamp(away / reach))));
    }
  }
  context.putImageData(pixels, 0, 0);
  return mask;
}

/** The slate as a layer of its own, for films that a filtergraph makes: it is laid over while the clean plate stays clean. */

import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { pixelsOf, release } from '../../../media/encode/canvas-pixels.ts';
import { type DrawnPictures, fpsOf, type Rate } from '../../../media/encode/encoder-settings.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { Slate, type SlateOptions } from './slate.ts';

/**
 * Graph text that lays `[overlay]` over `[under]`. A canvas gives colours already multiplied by their alpha; the overlay wants
 * them straight, or every soft edge darkens.
 */
export const overlayGraph = (under: string, out: string, format: 'yuv420' | 'yuv420p10' = 'yuv420'): string =>
  `[overlay]format=gbrap,unpremultiply=inplace=1[straight];[${under}][straight]overlay=format=${format}[${out}]`;

/** The slate's content for pictures `from` to `to` of a film, for `EncodeJob.overlay`. */
export interface SlateOverlay extends FrameSize, Pick<SlateOptions, 'facts' | 'shots' | 'accent' | 'watermark'> {
  readonly rate: Rate;
  /** How many pictures the film has. */
  readonly length: number;
  /** The first picture with a slate, and the first without one again; default: the whole film. */
  readonly from?: number;
  readonly to?: number;
  /** How much of it is seen, 0 to 1, picture by picture. */
  readonly seen?: (frame: number) => number;
  /** Drawn under it. */
  readonly beneath?: (context: SKRSContext2D) => void;
}

export function slateOverlay(options: SlateOverlay): DrawnPictures {
  const { rate, width, height } = options;
  return { width, height, fps: rate, pixels: drawn(options) };
}

/** The slate itself, to be drawn over other pictures. */
export function slateOf({ rate, length, ...options }: SlateOverlay): Slate {
  const fps = fpsOf(rate);
  return new Slate({ ...options, fps, duration: length / fps });
}

function* drawn(layover: SlateOverlay): Generator<Uint8Array> {
  const { width, height, length, from = 0, to = length, seen, beneath } = layover;
  const slate = slateOf(layover);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const faded = createCanvas(width, height);
  for (let frame = from; frame < to; frame++) {
    context.clearRect(0, 0, width, height);
    beneath?.(context);
    slate.draw(context, frame);
    const alpha = seen?.(frame) ?? 1;
    const pixels = pixelsOf(alpha === 1 ? canvas : dimmed(canvas, faded, alpha));
    yield pixels;
    release(pixels);
  }
}

function dimmed(canvas: Canvas, onto: Canvas, alpha: number): Canvas {
  const context = onto.getContext('2d');
  context.clearRect(0, 0, onto.width, onto.height);
  context.globalAlpha = alpha;
  context.drawImage(canvas, 0, 0);
  context.globalAlpha = 1;
  return onto;
}

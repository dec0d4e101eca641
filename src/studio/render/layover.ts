/** The slate as a layer of its own, for films that a filtergraph makes: it is laid over while the clean plate stays clean. */
import { createCanvas } from '@napi-rs/canvas';
import type { DrawnPictures, Rate } from '../../media/encoder.ts';
import { fpsOf } from '../../media/settings.ts';
import type { FrameSize } from './size.ts';
import { Slate, type SlateOptions } from './slate.ts';

/**
 * Graph text that lays `[slate]` over `[under]`. A canvas gives colours already multiplied by their alpha; the overlay wants
 * them straight, or every soft edge darkens.
 */
export const laidOver = (under: string, out: string): string =>
  `[slate]format=gbrap,unpremultiply=inplace=1[straight];[${under}][straight]overlay=format=yuv420[${out}]`;

/** What the slate says of pictures `from` to `to` of a film, for `EncodeJob.slate`. */
export interface Layover extends FrameSize, Pick<SlateOptions, 'facts' | 'shots' | 'accent'> {
  readonly rate: Rate;
  /** How many pictures the film has. */
  readonly length: number;
  /** The first picture with a slate, and the first without one again; the whole film unless told. */
  readonly from?: number;
  readonly to?: number;
}

export function layover({ rate, length, from = 0, to = length, ...options }: Layover): DrawnPictures {
  const { width, height } = options;
  const fps = fpsOf(rate);
  const slate = new Slate({ ...options, fps, duration: length / fps });
  return { width, height, fps: rate, pixels: drawn(slate, { width, height }, from, to) };
}

function* drawn(slate: Slate, { width, height }: FrameSize, from: number, to: number): Generator<Uint8Array> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let frame = from; frame < to; frame++) {
    context.clearRect(0, 0, width, height);
    slate.draw(context, frame);
    yield canvas.data();
  }
}

/** The slate as a layer of its own, for films that are made by a filtergraph: it is laid over while the clean plate stays clean. */
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

export interface Layover extends FrameSize, Pick<SlateOptions, 'facts'> {
  readonly rate: Rate;
  /** How many pictures. */
  readonly length: number;
  readonly words: string;
}

export function layover({ width, height, rate, length, words, facts }: Layover): { readonly pictures: DrawnPictures } {
  const fps = fpsOf(rate);
  const duration = length / fps;
  const slate = new Slate({ width, height, fps, duration, shots: [{ start: 0, end: duration, words }], facts });
  return { pictures: { width, height, fps: rate, pixels: drawn(slate, { width, height }, length) } };
}

function* drawn(slate: Slate, { width, height }: FrameSize, length: number): Generator<Uint8Array> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let frame = 0; frame < length; frame++) {
    context.clearRect(0, 0, width, height);
    slate.draw(context, frame);
    yield canvas.data();
  }
}

/** What was painted or read in RGB, as a frame in the colours of HD video. */
import type { Canvas } from '@napi-rs/canvas';
import { framePool, type PoolFormat } from '../decode/frame-pool.ts';
import type { Frame } from '../libav.ts';
import { type CutContext, WITH_ALPHA } from './cut-context.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, top-down, unpadded; colours are not multiplied by their alpha. */
  readonly bytes: Uint8Array;
}

/** Without its alpha. The caller frees it. */
export const opaqueFrame = (kit: CutContext, pixels: Pixels): Promise<Frame> => converted(kit, pixels, kit.format);

export const frameWithAlpha = (kit: CutContext, pixels: Pixels): Promise<Frame> =>
  converted(kit, pixels, WITH_ALPHA[kit.format].format);

export function pixelsOfCanvas(canvas: Canvas): Pixels {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return { width, height, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

async function converted(
  { av, rate }: CutContext,
  { width, height, bytes }: Pixels,
  format: PoolFormat,
): Promise<Frame> {
  using pool = framePool(av, { width, height, fps: { num: rate.frames, den: rate.seconds }, format });
  const given = (await pool.fill(bytes)).clone();
  if (given === null) throw new Error('no memory for a picture');
  return given;
}

/** Small painted pictures for the tests, and what can be said of them without keeping golden ones: numbers that hold on any machine. */
import { createHash } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { readPrompt } from '../../../src/studio/animatic/prompt/read-prompt.ts';
import type { FrameSize } from '../../../src/studio/animatic/request/frame-size.ts';
import { Scene } from '../../../src/studio/animatic/scene/scene.ts';

const WIDTH = 192;
const HEIGHT = 108;

interface Painted {
  readonly prompt: string;
  readonly seed?: string;
  readonly progress?: number;
}

/** The first shot of the prompt at a moment of it. */
export function painted({ prompt, seed = '11', progress = 0.5 }: Painted): Buffer {
  const [shot] = readPrompt(prompt, { duration: 2, seed });
  if (!shot) throw new Error('no shot');
  const canvas = createCanvas(WIDTH, HEIGHT);
  new Scene(shot, { width: WIDTH, height: HEIGHT, seed }).draw(canvas.getContext('2d'), {
    seconds: progress * 2,
    progress,
  });
  return canvas.data();
}

/** Where the cast of the prompt's first shot is seen at moments of it. */
export function castAt(prompt: string, size: FrameSize, moments: readonly number[], seed = '11') {
  const [shot] = readPrompt(prompt, { duration: 2, seed });
  if (!shot) throw new Error('no shot');
  const scene = new Scene(shot, { ...size, seed });
  return moments.map(progress => {
    const box = scene.subject({ seconds: progress * 2, progress });
    if (!box) throw new Error('nothing is cast');
    return box;
  });
}

/** A picture's pixels, as straight RGBA. */
export const rgba = async (file: string): Promise<Uint8Array> =>
  new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());

export const digest = (pixels: Uint8Array): string => createHash('sha256').update(pixels).digest('hex');

/** Mean difference of the colour channels, 0 to 255. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}

/** Mean of red, green and blue, 0 to 255. */
export function brightness(pixels: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 4) sum += (pixels[i] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i + 2] ?? 0);
  return sum / ((pixels.length / 4) * 3);
}

/** How much neighbours differ: detail. */
export function detail(pixels: Uint8Array, width: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i + 4 < pixels.length; i += 4) {
    if ((i / 4 + 1) % width === 0) continue;
    sum += Math.abs((pixels[i + 1] ?? 0) - (pixels[i + 5] ?? 0));
    count++;
  }
  return sum / count;
}

/** Standard deviation of the green channel: 0 for an empty picture. */
export function variety(pixels: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 1; i < pixels.length; i += 4) {
    sum += pixels[i] ?? 0;
    squares += (pixels[i] ?? 0) ** 2;
  }
  const count = pixels.length / 4;
  return Math.sqrt(squares / count - (sum / count) ** 2);
}

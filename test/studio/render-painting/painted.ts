/** Small painted pictures for the tests, and what can be said of them without keeping golden ones: numbers that hold on any machine. */
import { createHash } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import { readPrompt } from '../../../src/studio/animatic/prompt/prompt.ts';
import type { FrameSize } from '../../../src/studio/animatic/request/frame-size.ts';
import { cameraAt, project } from '../../../src/studio/animatic/scene/camera.ts';
import { cast } from '../../../src/studio/animatic/scene/cast.ts';
import { PLACES } from '../../../src/studio/animatic/scene/places.ts';
import { Scene } from '../../../src/studio/animatic/scene/scene.ts';
import { Stage } from '../../../src/studio/animatic/scene/stage.ts';
import { Noise } from '../../../src/studio/random.ts';

export const WIDTH = 192;
export const HEIGHT = 108;

export interface Painted {
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

/**
 * Where the cast of the prompt's first shot is seen at moments of it: parts of the frame's width, 0 and 1 at its edges, up to half a frame beyond.
 */
export function castWithin(prompt: string, { width, height }: FrameSize, moments: readonly number[], seed = '11') {
  const [shot] = readPrompt(prompt, { duration: 2, seed });
  if (!shot) throw new Error('no shot');
  const stage = new Stage(shot, { width, height, seed });
  PLACES[shot.place](stage);
  const actors = cast(stage, seed);
  const frame = { width, height, vanishing: stage.horizon, reach: stage.reach };
  return moments.map(progress => {
    const moment = { progress, seconds: progress * 2, pulse: 0 };
    const camera = cameraAt(shot.camera, { ...moment, pace: shot.pace }, new Noise(`hand|${seed}`));
    const canvas = createCanvas(width * 2, height);
    const context = canvas.getContext('2d');
    context.translate(width / 2, 0);
    for (const actor of actors) actor.draw(context, project(camera, actor.depth, frame), moment);
    return columnsOf(context.getImageData(0, 0, canvas.width, height).data, canvas.width).map(x => x / width - 0.5);
  }) as [left: number, right: number][];
}

/** The first and the last that is not seen through: a shadow is. */
function columnsOf(pixels: Uint8ClampedArray, width: number): readonly [left: number, right: number] {
  let [left, right] = [width, 0];
  for (let at = 3, x = 0; at < pixels.length; at += 4, x = (x + 1) % width) {
    if ((pixels[at] ?? 0) < 200) continue;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
  }
  return [left, right];
}

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

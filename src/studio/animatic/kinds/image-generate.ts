/** Words → a picture: one moment of the scene the words describe. More steps look longer: finer painting, from sketch to finish. */
import { createCanvas } from '@napi-rs/canvas';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { deliver } from '../picture/still-file.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import { type FrameSize, frameSize } from '../request/frame-size.ts';
import { number, seedOf, text } from '../request/request-fields.ts';
import { Scene } from '../scene/scene.ts';

/** Pixels; the document shows no size field for I-GEN-A, so it is a square of this. */
const SIDE = '1024';
const DEFAULT_STEPS = 8;

export async function renderImageGenerate(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const steps = number(job.request, 'num_inference_steps') ?? DEFAULT_STEPS;
  const size = frameSize(text(job.request, 'aspect_ratio') ?? '1:1', SIDE, job.speed);
  const { canvas, accent, words, subject } = paintStill(job, size, steps);
  hooks.progress(0.8);
  const seed = number(job.request, 'seed');
  const result = await deliver(job, canvas, {
    label: job.label,
    words,
    accent,
    subject,
    facts: [`${size.width}×${size.height}`, `${steps} steps`, seed === undefined ? 'no seed' : `seed ${seed}`],
  });
  hooks.progress(1);
  return result;
}

/** Part of its size that a picture is painted at: 1 from 20 steps on. */
export const fineness = (steps: number): number => Math.min(1, 0.2 + 0.8 * Math.sqrt(steps / 20));

/** Of its shot, that a still shows. */
export const MOMENT = { seconds: 1.4, progress: 0.42 };

/** Painted at a part of its size that grows with the steps, then enlarged: few steps are soft, from about 20 on every pixel is painted. */
export function paintStill({ request }: Pick<RenderJob, 'request'>, size: FrameSize, steps: number) {
  const seed = seedOf(request);
  const [shot] = readPrompt(text(request, 'prompt') ?? '', { duration: 1, seed });
  if (!shot) throw new Error('a prompt gave no shot');
  const fine = fineness(steps);
  const inner = createCanvas(Math.max(16, Math.round(size.width * fine)), Math.max(16, Math.round(size.height * fine)));
  const scene = new Scene(shot, { width: inner.width, height: inner.height, seed });
  scene.draw(inner.getContext('2d'), MOMENT);
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(inner, 0, 0, size.width, size.height);
  return { canvas, accent: scene.palette.accent, words: shot.words, subject: scene.subject(MOMENT) };
}

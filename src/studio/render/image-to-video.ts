/**
 * A picture → a film that starts from it: the first frame is the picture itself, then the camera of the prompt moves over
 * it, and the prompt's weather falls before it. Reference pictures stand in the slate, numbered. A loop is a closed path:
 * after its last frame comes its first.
 */
import { aac, rateOf, toYuv } from '../../media/encoder.ts';
import { input } from './inputs.ts';
import type { RenderHooks, RenderJob, RenderResult } from './job.ts';
import { laidOver, layover } from './layover.ts';
import { ENTRANCE, FPS, pictures } from './moving-picture.ts';
import { palette } from './palette.ts';
import { photograph } from './photograph.ts';
import { shoot } from './plates.ts';
import { readPrompt, type Shot } from './prompt.ts';
import { clamp } from './random.ts';
import { referenceStrip } from './reference-strip.ts';
import { number, seedOf, text, yes } from './request.ts';
import { noteOf } from './shot-notes.ts';
import { type FrameSize, frameSize, sameRatio } from './size.ts';
import { bed } from './sound.ts';

/** Where the request says nothing, `auto` or -1. */
const SECONDS = 5;
/** "Default `540p`." */
const RESOLUTION = '540p';

export async function renderImageToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const { request } = job;
  const loop = yes(request, 'loop');
  const source = input(job, 'input_image');
  const size = sizeOf(job, source.facts);
  const duration = secondsOf(job);
  const length = Math.round(duration * FPS);
  const seed = seedOf(request);
  const whole = oneShot(text(request, 'prompt') ?? '', duration, seed);
  const picture = await photograph(source.cleanPlate ?? source.path, size);
  const references = await referenceStrip(job.inputs.reference_image_urls ?? [], size);
  const light = palette(whole.time, seed, { storm: whole.storm ? 1 : 0 });
  const sound = request.generate_audio === false ? undefined : bed({ duration, shots: [whole], seed, loop });
  const rate = rateOf(FPS);
  return await shoot(job, hooks, {
    rate,
    length,
    comment: noteOf([whole]),
    frames: { ...size, fps: FPS, pixels: pictures(whole, picture, { size, length, loop, seed }) },
    slate: layover({
      ...size,
      rate,
      length,
      shots: [whole],
      accent: light.accent,
      watermark: yes(request, 'watermark'),
      facts: facts(job, size, references.count),
      seen: frame => clamp(Math.min(frame, loop ? length - frame : frame) / ENTRANCE),
      beneath: references.draw,
    }),
    graph: `[raw]${toYuv()},split[clean][bare];${laidOver('bare', 'v')}${sound ? ';[pcm]anull[a]' : ''}`,
    ...(sound ? { sound, audio: aac() } : {}),
  });
}

/** A moving picture has no cuts: the camera, the light and the weather of the first shot hold for all of it. */
function oneShot(prompt: string, duration: number, seed: string): Shot {
  const [first] = readPrompt(prompt, { duration, seed, fps: FPS }) as [Shot];
  return { ...first, words: prompt.charAt(0).toUpperCase() + prompt.slice(1), end: duration };
}

function sizeOf(
  { request, speed }: RenderJob,
  { width = 16, height = 9 }: { width?: number; height?: number },
): FrameSize {
  const label = text(request, 'resolution') ?? RESOLUTION;
  const ratio = text(request, 'aspect_ratio');
  return ratio === undefined ? sameRatio({ width, height }, label, speed) : frameSize(ratio, label, speed);
}

/** `5s`, `10s`; other models of the kind write a number. */
function secondsOf({ request }: RenderJob): number {
  const seconds = number(request, 'duration') ?? Number.parseFloat(text(request, 'duration') ?? '');
  return seconds > 0 ? seconds : SECONDS;
}

function facts({ label, request }: RenderJob, { width, height }: FrameSize, references: number): string[] {
  const seed = number(request, 'seed');
  return [
    label,
    `${width}×${height}`,
    `${FPS} fps`,
    ...(yes(request, 'loop') ? ['loop'] : []),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(references > 0 ? [`${references} reference${references === 1 ? '' : 's'}`] : []),
  ];
}

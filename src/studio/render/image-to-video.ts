/**
 * A picture → a film that starts from it: the first frame is the picture itself, then the camera of the prompt moves over
 * it, and the prompt's weather falls before it. Reference pictures stand in the slate, numbered. A loop is a closed path:
 * after its last frame comes its first.
 */
import { createCanvas } from '@napi-rs/canvas';
import { aac, rateOf, toYuv } from '../../media/encoder.ts';
import { input } from './inputs.ts';
import type { RenderHooks, RenderJob, RenderResult } from './job.ts';
import { laidOver, layover } from './layover.ts';
import { palette } from './palette.ts';
import { type Photograph, photograph, widened } from './photograph.ts';
import { shoot } from './plates.ts';
import { readPrompt, type Shot } from './prompt.ts';
import { clamp, Noise, smooth } from './random.ts';
import { referenceStrip } from './reference-strip.ts';
import { number, seedOf, text, yes } from './request.ts';
import { cameraAt } from './scene/camera.ts';
import { Weather } from './scene/weather.ts';
import { noteOf } from './shot-notes.ts';
import { type FrameSize, frameSize, sameRatio } from './size.ts';
import { bed } from './sound.ts';
import { type View, viewOf } from './view.ts';

const FPS = 24;
/** Where the request says nothing, `auto` or -1. */
const SECONDS = 5;
/** "Default `540p`." */
const RESOLUTION = '540p';
/** Pictures until the slate is fully there: the first frame is the author's alone. */
const ENTRANCE = 8;

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

interface Filming {
  readonly size: FrameSize;
  readonly length: number;
  readonly loop: boolean;
  readonly seed: string;
}

function* pictures(shot: Shot, picture: Photograph, { size, length, loop, seed }: Filming): Generator<Uint8Array> {
  const { width, height } = size;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'medium';
  const noise = new Noise(`hand|${seed}`);
  const cameraOf = (frame: number) =>
    cameraAt(
      shot.camera,
      { progress: frame / (loop ? length : length - 1), seconds: frame / FPS, pace: shot.pace, loop },
      noise,
    );
  const air = atmosphere(shot, { size, length, loop, seed });
  const start = cameraOf(0);
  const wide = widened(picture);
  for (let frame = 0; frame < length; frame++) {
    const view = viewOf(cameraOf(frame), start, size);
    place(context, view.scale < 1 ? wide : picture, view, size);
    // The first frame is the picture and nothing else; in a loop the last one leads into it, as a gust comes and goes.
    const there = smooth(loop ? Math.min(frame, length - frame) / (ENTRANCE * 3) : frame / ENTRANCE);
    if (there > 0) air?.(context, frame, there);
    yield canvas.data();
  }
}

type Context = ReturnType<ReturnType<typeof createCanvas>['getContext']>;

function place(context: Context, { canvas, spare }: Photograph, view: View, { width, height }: FrameSize): void {
  context.save();
  context.translate(width / 2 + view.x, height / 2 + view.y);
  context.rotate(view.roll);
  context.scale(view.scale, view.scale);
  context.drawImage(canvas, -width / 2 - spare.x, -height / 2 - spare.y);
  context.restore();
}

/** The prompt's weather, or nothing. It has no end and no beginning of its own, so a loop fades it over into itself. */
function atmosphere(
  shot: Shot,
  { size, length, loop, seed }: Filming,
): ((context: Context, frame: number, there: number) => void) | undefined {
  if (shot.weather.length === 0) return undefined;
  const weather = new Weather(shot.weather, { ...size, palette: palette(shot.time, seed), seed, heavy: shot.heavy });
  const layer = createCanvas(size.width, size.height);
  const over = layer.getContext('2d');
  const lay = (context: Context, seconds: number, alpha: number) => {
    if (alpha <= 0) return;
    over.clearRect(0, 0, size.width, size.height);
    weather.draw(over, { seconds });
    context.globalAlpha = alpha;
    context.drawImage(layer, 0, 0);
    context.globalAlpha = 1;
  };
  return (context, frame, there) => {
    const seconds = frame / FPS;
    if (!loop) return lay(context, seconds, there);
    const progress = frame / length;
    lay(context, seconds, there * (1 - progress));
    lay(context, seconds - length / FPS, there * progress);
  };
}

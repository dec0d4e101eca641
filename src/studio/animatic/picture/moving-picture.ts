/** The pictures of a film that is made from one picture: the camera over it, the weather before it. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { pixelsOf, release } from '../../../media/encode/canvas-pixels.ts';
import { Noise, smooth } from '../../shared/random.ts';
import type { RenderJob } from '../job.ts';
import { palette } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { cameraAt } from '../scene/camera.ts';
import { Weather } from '../scene/weather.ts';
import { type View, viewOf } from './camera-view.ts';
import { type Photograph, widened } from './photograph.ts';

export const FPS = 24;
/** Pictures until slate and weather are fully there (weather takes three times that in a loop): the first is the author's alone. */
export const ENTRANCE = 8;

export interface Filming {
  readonly size: FrameSize;
  readonly length: number;
  readonly loop: boolean;
  readonly seed: string;
  readonly speed: RenderJob['speed'];
}

export function* pictures(
  shot: Shot,
  picture: Photograph,
  { size, length, loop, seed, speed }: Filming,
): Generator<Uint8Array> {
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
  let wide: Photograph | undefined;
  for (const { frame, shown } of drawings({ speed }, 0, length)) {
    const view = viewOf(cameraOf(frame), start, size, picture.aim);
    if (view.scale < 1) wide ??= widened(picture);
    place(context, view.scale < 1 && wide ? wide : picture, view, size);
    // The first frame is the picture and nothing else; in a loop the last one leads into it, as a gust comes and goes.
    const there = smooth(loop ? Math.min(frame, length - frame) / (ENTRANCE * 3) : frame / ENTRANCE);
    if (there > 0) air?.(context, frame, there);
    const pixels = pixelsOf(canvas);
    for (let n = 0; n < shown; n++) yield pixels;
    release(pixels);
  }
}

export function place(
  context: SKRSContext2D,
  { canvas, spare }: Photograph,
  view: View,
  { width, height }: FrameSize,
): void {
  context.save();
  context.translate(width / 2 + view.x, height / 2 + view.y);
  context.rotate(view.roll);
  context.scale(view.scale, view.scale);
  context.drawImage(canvas, -width / 2 - spare.x, -height / 2 - spare.y);
  context.restore();
}

/** The prompt's weather, or nothing. It has no end and no beginning of its own, so a loop fades it over into itself. */
export function atmosphere(
  shot: Shot,
  { size, length, loop, seed }: Omit<Filming, 'speed'>,
): ((context: SKRSContext2D, frame: number, there: number) => void) | undefined {
  if (shot.weather.length === 0) return undefined;
  const weather = new Weather(shot.weather, { ...size, palette: palette(shot.time, seed), seed, heavy: shot.heavy });
  const layer = createCanvas(size.width, size.height);
  const over = layer.getContext('2d');
  const lay = (context: SKRSContext2D, seconds: number, alpha: number) => {
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

/**
 * A draft is drawn on twos, as animators call it: each drawing is shown for two frames of the film. There is half as much to draw, and shots,
 * lengths and rates stay as they are.
 */
interface Drawing {
  /** What is drawn. */
  readonly frame: number;
  /** Frames of the film, from that one on, that it is shown for. */
  readonly shown: number;
}

/** The drawings of a shot from one frame up to another, in order. Its last frame is drawn in any case: it may have to meet a picture. */
export function* drawings({ speed }: Pick<RenderJob, 'speed'>, from: number, end: number): Generator<Drawing> {
  const most = speed === 'draft' ? 2 : 1;
  for (let frame = from; frame < end; ) {
    const shown = Math.max(1, Math.min(most, end - 1 - frame));
    yield { frame, shown };
    frame += shown;
  }
}

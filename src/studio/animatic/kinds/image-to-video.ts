/**
 * A picture → a film that starts from it: the first frame is the picture itself, then the camera of the prompt moves over
 * it, and the prompt's weather falls before it. With a tail image the film becomes that picture and ends as it. Reference
 * pictures stand in the slate, numbered. A loop is a closed path: after its last frame comes its first.
 */

import type { SKRSContext2D } from '@napi-rs/canvas';
import { aac, hevcMain10, rateOf } from '../../../media/encode/encoder-settings.ts';
import { font } from '../../../media/encode/typography.ts';
import { toYuv } from '../../../media/filtergraph.ts';
import { clamp } from '../../shared/random.ts';
import { type LocalInput, type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from '../job.ts';
import { morph } from '../picture/morph.ts';
import { ENTRANCE, FPS, pictures } from '../picture/moving-picture.ts';
import { type Photograph, photograph } from '../picture/photograph.ts';
import { encodeFilm } from '../picture/plates.ts';
import { palette } from '../prompt/palette.ts';
import { readPrompt, type Shot } from '../prompt/read-prompt.ts';
import { type Length, lengthOf } from '../request/film-length.ts';
import { even, type FrameSize, frameSize, ratioOf, sameRatio, usualResolution } from '../request/frame-size.ts';
import { jobInput, plateOf } from '../request/job-input.ts';
import { number, seedOf, text, yes } from '../request/request-fields.ts';
import { noteOf } from '../slate/shot-notes.ts';
import { overlayGraph, slateOverlay } from '../slate/slate-overlay.ts';
import { soundBed } from '../sound/sound-bed.ts';
import { renderTextToVideo } from './text-to-video.ts';

export async function renderImageToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const { request } = job;
  if (job.label === 'V-I2V-E' && !job.inputs.input_image?.length) return await renderTextToVideo(job, hooks);
  checkFormat(job);
  const loop = yes(request, 'loop');
  const source = jobInput(job, 'input_image');
  const [tail] = job.inputs.tail_image_url ?? [];
  const size = sizeOf(job, source.facts);
  const chosen = lengthOf(job);
  const duration = chosen.seconds;
  const length = Math.round(duration * FPS);
  const seed = seedOf(request);
  const whole = oneShot(text(request, 'prompt') ?? '', duration, seed);
  const first = await photograph(plateOf(source), size, flagOf(job, 'input_image_has_face'));
  const last = tail && (await photograph(plateOf(tail), size, flagOf(job, 'tail_image_url_has_face')));
  const references = await referenceStrip(job.inputs.reference_image_urls ?? [], size);
  const light = palette(whole.time, seed, { storm: whole.storm ? 1 : 0 });
  const sound = request.generate_audio === false ? undefined : soundBed({ duration, shots: [whole], seed, loop });
  const rate = rateOf(FPS);
  const filming = { size, length, loop, seed, speed: job.speed };
  // The slate keeps away from pictures that are the author's own: the first, and the last of a loop or before a tail image.
  const closes = loop ? length : last ? length - 1 : Number.POSITIVE_INFINITY;
  return await encodeFilm(job, hooks, {
    rate,
    length,
    comment: noteOf([whole]),
    frames: {
      ...size,
      fps: FPS,
      ...(isTenBit(job) ? {} : { format: 'yuv420p' as const }),
      pixels: last ? morph(whole, [first, last], filming) : pictures(whole, first, filming),
    },
    overlay: slateOverlay({
      ...size,
      rate,
      length,
      shots: [whole],
      accent: light.accent,
      watermark: yes(request, 'watermark'),
      facts: facts(job, size, chosen, references.count),
      seen: frame => clamp(Math.min(frame, closes - frame) / ENTRANCE),
      beneath: references.draw,
    }),
    ...(isTenBit(job) ? { video: hevcMain10(rate) } : {}),
    graph: `${isTenBit(job) ? TEN_BITS : EIGHT_BITS}${sound ? ';[pcm]anull[a]' : ''}`,
    ...(sound ? { sound, audio: aac() } : {}),
  });
}

const EIGHT_BITS = `[raw]split[clean][bare];${overlayGraph('bare', 'v')}`;
/** The clean plate stays 8-bit H.264: whatever comes next can draw from it. */
const TEN_BITS = `[raw]split[plain][deep];[plain]${toYuv()}[clean];[deep]${toYuv('yuv420p10le')}[bare];${overlayGraph('bare', 'v', 'yuv420p10')}`;

/** "1080p uses 10-bit color and H.265/HEVC encoding." */
const isTenBit = ({ label, request }: RenderJob): boolean =>
  label === 'V-I2V-C' && text(request, 'resolution') === '1080p';

function checkFormat({ request }: RenderJob): void {
  const format = text(request, 'output_format') ?? 'mp4';
  if (format !== 'mp4')
    throw new RenderRefusal(`output_format "${format}" is none that the built-in studio writes: write mp4`);
}

/** A moving picture has no cuts: the camera, the light and the weather of the first shot hold for all of it. */
function oneShot(prompt: string, duration: number, seed: string): Shot {
  const [first] = readPrompt(prompt, { duration, seed, fps: FPS }) as [Shot];
  return { ...first, words: prompt.charAt(0).toUpperCase() + prompt.slice(1), end: duration };
}

/** Where no ratio is asked for, or the label knows none, "the output keeps" the ratio of the input image. */
function sizeOf(
  { label, request, speed }: RenderJob,
  { width = 16, height = 9 }: { width?: number; height?: number },
): FrameSize {
  const resolution = text(request, 'resolution') ?? usualResolution(label);
  const ratio = label === 'V-I2V-C' ? undefined : ratioOf(request);
  return ratio === undefined ? sameRatio({ width, height }, resolution, speed) : frameSize(ratio, resolution, speed);
}

const flagOf = ({ request }: RenderJob, field: string): boolean | undefined =>
  typeof request[field] === 'boolean' ? request[field] : undefined;

function facts(job: RenderJob, { width, height }: FrameSize, chosen: Length, references: number): string[] {
  const { label, request, inputs } = job;
  const seed = number(request, 'seed');
  return [
    label,
    `${width}×${height}`,
    `${FPS} fps`,
    ...(isTenBit(job) ? ['HEVC 10-bit'] : []),
    ...chosen.notes,
    ...(yes(request, 'loop') ? ['loop'] : []),
    ...(inputs.tail_image_url?.length ? ['first → last'] : []),
    ...(yes(request, 'input_image_has_face') || yes(request, 'tail_image_url_has_face') ? ['face kept'] : []),
    ...(request.generate_audio === false ? ['no sound'] : []),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(references > 0 ? [`${references} reference${references === 1 ? '' : 's'}`] : []),
  ];
}

interface ReferenceStrip {
  readonly count: number;
  draw(context: SKRSContext2D): void;
}

/** More than this are only counted. */
const MOST = 5;

/** Guide pictures as numbered thumbnails under the timecode: which were given, in which order. */
async function referenceStrip(
  references: readonly LocalInput[],
  { width, height }: FrameSize,
): Promise<ReferenceStrip> {
  const unit = Math.min(width, height) / 720;
  const side = even(66 * unit);
  const shown = references.slice(0, MOST);
  const thumbnails = await Promise.all(
    shown.map(reference => photograph(reference.cleanPlate ?? reference.path, { width: side, height: side })),
  );
  return {
    count: references.length,
    draw: context => drawStrip(context, thumbnails, { width, height }, { unit, side }),
  };
}

function drawStrip(
  context: SKRSContext2D,
  thumbnails: readonly Photograph[],
  { width, height }: FrameSize,
  { unit, side }: { unit: number; side: number },
): void {
  const pad = Math.min(width, height) * 0.045;
  const step = side + 8 * unit;
  const top = pad + 46 * unit;
  for (const [i, { canvas }] of thumbnails.entries()) {
    const left = width - pad - (thumbnails.length - i) * step + 8 * unit;
    context.save();
    context.shadowColor = 'rgba(0,0,0,0.45)';
    context.shadowBlur = 10 * unit;
    context.fillStyle = '#0a0b10';
    context.beginPath();
    context.roundRect(left, top, side, side, 6 * unit);
    context.fill();
    context.shadowBlur = 0;
    context.clip();
    context.drawImage(canvas, left, top);
    context.fillStyle = 'rgba(8,9,14,0.62)';
    context.fillRect(left, top + side - 18 * unit, 24 * unit, 18 * unit);
    context.fillStyle = '#fff';
    context.font = font('mono', 600, 12 * unit);
    context.fillText(`@${i + 1}`, left + 4 * unit, top + side - 5 * unit);
    context.restore();
    context.strokeStyle = 'rgba(255,255,255,0.8)';
    context.lineWidth = 1.2 * unit;
    context.beginPath();
    context.roundRect(left, top, side, side, 6 * unit);
    context.stroke();
  }
}

/**
 * V-RF: another frame around the same film. The source stays untouched in the middle; what the new frame shows beyond it
 * is the place that the film's words and the prompt describe, in the source's colours. Sound, rate and length stay as they
 * are, and the slate keeps to the new ground.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Footage } from '../../../media/decode/footage.ts';
import { fpsOf } from '../../../media/encode/encoder-settings.ts';
import { font, wrap } from '../../../media/encode/typography.ts';
import { escapePath, resize, toYuv } from '../../../media/filtergraph.ts';
import { smooth } from '../../shared/random.ts';
import { placeIn } from '../../shared/vocabulary.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { fitInside, frameSize } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { seedOf, text } from '../request/request-fields.ts';
import { Scene } from '../scene/scene.ts';
import { openScratch } from '../scratch.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
import type { SlateShot } from '../slate/slate.ts';

/** As in the document's example; it gives no default. */
const RESOLUTION = '540p';

export async function renderReframe(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const footage = await footageOf(jobInput(job, 'input_video'));
  const ratio = text(job.request, 'aspect_ratio') ?? '16:9';
  const frame = frameSize(ratio, text(job.request, 'resolution') ?? RESOLUTION, job.speed);
  await using scratch = await openScratch(job);
  const ground: Ground = { frame, inner: fitInside(footage, frame) };
  const prompt = text(job.request, 'prompt') ?? '';
  const shots = await shotsOf(footage.path, footage.seconds, prompt);
  const words = { prompt, shots, seed: seedOf(job.request), fps: fpsOf(footage.rate) };
  const fill = await paintFill(scratch.path('fill'), ground, words);
  const caption = await paintCaption(scratch.path('caption.png'), ground, {
    prompt,
    from: `${footage.width}×${footage.height}`,
    to: ratio,
  });
  return await encodeFilm(job, hooks, {
    rate: footage.rate,
    length: footage.frames,
    slateless: caption === null,
    comment: noteOf(shots),
    graph: pictures(footage, ground, fill, caption) + (footage.sound?.graph ?? ''),
    ...footage.sound?.track,
  });
}

function pictures(
  footage: Footage,
  { inner }: Ground,
  fill: Awaited<ReturnType<typeof paintFill>>,
  caption: string | null,
): string {
  const parts = [`${footage.picture},${resize(inner.width, inner.height)},format=yuv420p`];
  const placed = `[ground][inner]overlay=${inner.x}:${inner.y}:format=yuv420`;
  if (fill === null) return `${parts[0]}[v]`;
  parts[0] += ',split[inner][edge]';
  parts.push(fill.graph('edge', 'ground'));
  if (caption === null) parts.push(`${placed}[v]`);
  else {
    parts.push(
      `${placed},split[clean][bare]`,
      `movie=${escapePath(caption)},format=yuva420p[caption]`,
      `[bare][caption]overlay=format=yuv420[v]`,
    );
  }
  return parts.join(';');
}

interface CaptionWords {
  readonly prompt: string;
  /** `1280×720`. */
  readonly from: string;
  /** `9:16`. */
  readonly to: string;
}

/** Less room than this (in 540ths of the short side) and there is no slate. */
const LEAST = 46;

/**
 * The reframe's slate: it is only on the new ground, so that the source stays what it was.
 * Null where the ground has no room for type.
 */
async function paintCaption(path: string, ground: Ground, words: CaptionWords): Promise<string | null> {
  const { frame, inner } = ground;
  const unit = Math.min(frame.width, frame.height) / 540;
  const upright = inner.height < frame.height;
  const room = upright ? inner.y : inner.x;
  if (room < LEAST * unit) return null;
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext('2d');
  context.shadowColor = 'rgba(0,0,0,0.5)';
  context.shadowBlur = 8 * unit;
  const pad = Math.min(22 * unit, room * 0.16);
  const width = upright ? frame.width - pad * 2 : room - pad * 2;
  heading(context, { pad, unit, width }, ground, words);
  prompt(
    context,
    { pad, unit, width, bottom: frame.height - pad, room: upright ? room : frame.height * 0.6 },
    words.prompt,
  );
  context.shadowBlur = 0;
  corners(context, ground, unit);
  await writeFile(path, canvas.toBuffer('image/png'));
  return path;
}

/** The old frame inside the new one, drawn small, and both sizes in words. */
function heading(
  context: SKRSContext2D,
  { pad, unit, width }: { pad: number; unit: number; width: number },
  { frame, inner }: Ground,
  { from, to }: CaptionWords,
): void {
  const tall = 26 * unit;
  const scale = Math.min(tall / frame.height, (tall * 1.9) / frame.width);
  const small = { width: frame.width * scale, height: frame.height * scale };
  const top = pad + (tall - small.height) / 2;
  context.lineWidth = 1.5 * unit;
  context.strokeStyle = 'rgba(255,255,255,0.95)';
  context.strokeRect(pad, top, small.width, small.height);
  context.fillStyle = 'rgba(255,255,255,0.9)';
  context.fillRect(pad + inner.x * scale, top + inner.y * scale, inner.width * scale, inner.height * scale);
  const left = pad + small.width + 11 * unit;
  const beside = width - small.width - 11 * unit > 92 * unit;
  const [x, y] = beside ? [left, pad + 10 * unit] : [pad, pad + tall + 18 * unit];
  context.fillStyle = '#fff';
  context.font = font('display', 700, 17 * unit);
  context.fillText(to, x, y + 2 * unit);
  context.font = font('mono', 500, 10.5 * unit, from);
  context.fillStyle = 'rgba(255,255,255,0.78)';
  context.fillText(`from ${from}`, x, y + 16 * unit);
}

function prompt(
  context: SKRSContext2D,
  { pad, unit, width, bottom, room }: { pad: number; unit: number; width: number; bottom: number; room: number },
  words: string,
): void {
  let size = 17 * unit;
  const most = Math.max(1, Math.floor((room - pad * 2) / (size * 1.28)));
  let lines: string[] = [];
  for (; ; size *= 0.92) {
    context.font = font('sans', 600, size, words);
    lines = wrap(context, words, width, Math.min(9, most));
    if (!lines.at(-1)?.endsWith('…') || size < 12 * unit) break;
  }
  context.fillStyle = '#fff';
  for (const [i, line] of lines.entries()) context.fillText(line, pad, bottom - (lines.length - 1 - i) * size * 1.28);
}

/** Hair-thin corner marks on the new ground, where the source begins. */
function corners(context: SKRSContext2D, { frame, inner }: Ground, unit: number): void {
  const arm = 9 * unit;
  const upright = inner.height < frame.height;
  context.strokeStyle = 'rgba(255,255,255,0.55)';
  context.lineWidth = Math.max(1, unit);
  context.beginPath();
  if (upright) {
    for (const y of [inner.y - 2, inner.y + inner.height + 2]) {
      context.moveTo(0, y);
      context.lineTo(arm, y);
      context.moveTo(frame.width, y);
      context.lineTo(frame.width - arm, y);
    }
  } else {
    for (const x of [inner.x - 2, inner.x + inner.width + 2]) {
      context.moveTo(x, 0);
      context.lineTo(x, arm);
      context.moveTo(x, frame.height);
      context.lineTo(x, frame.height - arm);
    }
  }
  context.stroke();
}

/**
 * The ground beyond the source's edge. A mirror gives itself away: people stand upside down beside themselves, and what is cut by the edge runs
 * on as smoke. So the edge is drawn out for a finger's breadth only, and blurs; behind it lies the place itself, painted as the film's words
 * describe it, in the colours that the source has along that edge in each frame.
 */

/** A frame, and where in it the untouched source lies. */
export interface Ground {
  readonly frame: FrameSize;
  readonly inner: FrameSize & { readonly x: number; readonly y: number };
}

interface Words {
  readonly prompt: string;
  readonly seed: string;
  /** The source's. */
  readonly shots: readonly SlateShot[];
  readonly fps: number;
}

interface Fill {
  /** Filtergraph from `[input]`, the scaled source, to `[output]`, a whole frame of ground. Both are yuv420p. */
  graph(input: string, output: string): string;
}

/** How far the drawn-out edge reaches, sharp and blurred, as parts of the frame's shorter side. */
const NEAR = 0.035;
const SOFT = 0.11;
/** How deep the colours along the edge are looked for, as a part of the source's side; and in how many places. */
const STRIP = 0.04;
const CELLS = 4;
/** A film may name any number of shots; behind the last of these the ground stays. */
const MOST_PLACES = 12;
/** The grey that changes nothing in a sum of colours around 128, before it becomes luma of video range. */
const NEUTRAL = 130.4;

/** Writes the painted places and masks into `folder`. Null when the frame is filled by the source alone. */
async function paintFill(folder: string, ground: Ground, words: Words): Promise<Fill | null> {
  const { frame, inner } = ground;
  if (inner.width === frame.width && inner.height === frame.height) return null;
  await mkdir(folder);
  const path = (name: string) => join(folder, name);
  const away = distance(ground);
  await writeMask(path('near.pgm'), frame, (x, y) => 1 - smooth(away(x, y) / NEAR));
  await writeMask(path('soft.pgm'), frame, (x, y) => 1 - smooth(away(x, y) / SOFT));
  const shots = words.shots.slice(0, MOST_PLACES);
  for (const [i, shot] of shots.entries()) await writeFile(path(`place-${i}.png`), paintPlace(ground, words, shot));

  const upright = inner.height < frame.height;
  const [before, after] = [inner.x, inner.y];
  const borders = `left=${before}:right=${frame.width - inner.width - before}:top=${after}:bottom=${frame.height - inner.height - after}`;
  const exact = 'accurate_rnd+bitexact';
  const whole = `scale=${frame.width}:${frame.height}:flags=bicubic+${exact}`;
  const blur = (4 * Math.min(frame.width, frame.height)) / 540;
  const depth = Math.max(2, 2 * Math.round(((upright ? inner.height : inner.width) * STRIP) / 2));
  const half = 2 * Math.round((upright ? frame.height : frame.width) / 4);
  // The colours along one edge, spread over half of the frame.
  const spread = (isFirst: boolean) => {
    const from = isFirst ? 0 : upright ? `ih-${depth}` : `iw-${depth}`;
    const strip = upright ? `crop=iw:${depth}:0:${from}` : `crop=${depth}:ih:${from}:0`;
    const side = isFirst ? half : (upright ? frame.height : frame.width) - half;
    const small = upright ? `${CELLS}:2` : `2:${CELLS}`;
    const large = upright ? `${frame.width}:${side}` : `${side}:${frame.height}`;
    return `${strip},scale=${small}:flags=area+${exact},scale=32:32:flags=neighbor+${exact},gblur=sigma=8:steps=2,scale=${large}:flags=bicubic+${exact}`;
  };
  const still = (name: string, format: string, label: string) => `movie=${escapePath(path(name))},${format}[${label}]`;
  const atFrame = (i: number) => {
    const from = i === 0 ? 0 : Math.round((shots[i]?.start ?? 0) * words.fps);
    const next = shots[i + 1];
    return next === undefined ? `gte(n,${from})` : `between(n,${from},${Math.round(next.start * words.fps) - 1})`;
  };
  return {
    graph: (input, output) =>
      [
        `[${input}]split=3[first][last][middle]`,
        `[first]${spread(true)}[one]`,
        `[last]${spread(false)}[other]`,
        `[one][other]${upright ? 'vstack' : 'hstack'},setsar=1[bare0]`,
        ...shots.flatMap((_, i) => [
          still(`place-${i}.png`, toYuv(), `place${i}`),
          `[bare${i}][place${i}]blend=all_mode=grainmerge:enable='${atFrame(i)}'[bare${i + 1}]`,
        ]),
        `[middle]pad=${frame.width}:${frame.height}:${inner.x}:${inner.y},fillborders=${borders}:mode=smear,split[sharp][n2]`,
        `[n2]scale=iw/2:ih/2:flags=area+${exact},gblur=sigma=${blur.toFixed(2)}:steps=2,${whole}[blurred]`,
        still('near.pgm', 'format=gray', 'nearmask'),
        still('soft.pgm', 'format=gray', 'softmask'),
        '[sharp][nearmask]alphamerge[near]',
        '[blurred][softmask]alphamerge[soft]',
        `[bare${shots.length}][soft]overlay=format=yuv420[softly]`,
        `[softly][near]overlay=format=yuv420[${output}]`,
      ].join(';'),
  };
}

/** How far a pixel lies from the source's edge; 1 is the short side of the frame. */
function distance({ frame, inner }: Ground): (x: number, y: number) => number {
  const right = inner.x + inner.width;
  const bottom = inner.y + inner.height;
  const short = Math.min(frame.width, frame.height);
  return (x, y) => Math.max(0, inner.x - x, x - right + 1, inner.y - y, y - bottom + 1) / short;
}

/** How the place differs from what it is along the source's edge, around a neutral grey; where no words name a place, it grows darker. */
function paintPlace(ground: Ground, { prompt, seed, shots }: Words, { words }: SlateShot): Buffer {
  const { frame, inner } = ground;
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext('2d');
  const all = [...shots.map(shot => shot.words), prompt].join('. ');
  const isKnown = placeIn(all) !== undefined;
  if (isKnown) {
    const [shot] = readPrompt(words, { duration: 1, seed, after: all });
    if (!shot) throw new Error('words gave no shot');
    const empty = { ...shot, size: 'wide', camera: 'locked', subject: null, extras: [], weather: [] } as const;
    const scene = new Scene(empty, { ...frame, seed });
    scene.draw(context, { seconds: 0, progress: 0.5 });
    scene.strike();
  }
  const picture = context.getImageData(0, 0, frame.width, frame.height);
  const { data } = picture;
  const upright = inner.height < frame.height;
  const band = Math.max(1, Math.round(Math.min(frame.width, frame.height) * STRIP));
  const edges = upright
    ? [
        meanOf(canvas, 0, inner.y - band, frame.width, band),
        meanOf(canvas, 0, inner.y + inner.height, frame.width, band),
      ]
    : [
        meanOf(canvas, inner.x - band, 0, band, frame.height),
        meanOf(canvas, inner.x + inner.width, 0, band, frame.height),
      ];
  const away = distance(ground);
  for (let y = 0, at = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++, at += 4) {
      const edge = edges[(upright ? y < frame.height / 2 : x < frame.width / 2) ? 0 : 1];
      const shade = isKnown ? 0 : DARKER * smooth(away(x, y) / 0.7);
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = NEUTRAL + (isKnown ? CONTRAST * (data[at + channel]! - edge![channel]!) : 0) - shade;
      data[at + 3] = 255;
    }
  }
  context.putImageData(picture, 0, 0);
  return canvas.toBuffer('image/png');
}

/** Of the place as it is painted: it lies behind the picture. */
const CONTRAST = 0.55;
const DARKER = 40;

function meanOf(canvas: Canvas, x: number, y: number, width: number, height: number): number[] {
  const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) for (let i = 0; i < 3; i++) sums[i]! += data[at + i]!;
  return sums.map(sum => (sum * 4) / data.length);
}

/** `value` is asked for every pixel, row by row, and gives 0 to 1. */
async function writeMask(
  path: string,
  { width, height }: FrameSize,
  value: (x: number, y: number) => number,
): Promise<void> {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const pixels = Buffer.alloc(width * height);
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[at++] = Math.round(value(x, y) * 255);
  await writeFile(path, Buffer.concat([head, pixels]));
}

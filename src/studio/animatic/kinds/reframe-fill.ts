/**
 * The ground beyond the source's edge. A mirror gives itself away: people stand upside down beside themselves, and what is cut by the edge runs
 * on as smoke. So the edge is drawn out for a finger's breadth only, and blurs; behind it lies the place itself, painted as the film's words
 * describe it, in the colours that the source has along that edge in each frame.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { escapePath, toYuv } from '../../../media/filtergraph.ts';
import { smooth } from '../../shared/random.ts';
import { placeIn } from '../../shared/vocabulary.ts';
import { readPrompt } from '../prompt/prompt.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { Scene } from '../scene/scene.ts';
import type { SlateShot } from '../slate/slate.ts';

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
export async function paintFill(folder: string, ground: Ground, words: Words): Promise<Fill | null> {
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

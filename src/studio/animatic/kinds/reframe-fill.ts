/**
 * The ground beyond the source's edge. A mirror gives itself away: people stand upside down beside themselves, and ears that
 * reach near the edge grow a second pair. So only the outermost rows are mirrored, slower and slower, which draws the edge
 * out; the drawing fans and wavers more with every step, blurs, and turns to the prompt's light.
 * Every pixel's source is worked out once, as two maps; a frame is one look-up and two blurs.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { escapePath } from '../../../media/encoder.ts';
import { clamp, mixNumber, Noise, smooth } from '../../random.ts';
import { first, TIMES } from '../../vocabulary.ts';
import { writeMap, writeMask } from '../picture/gray-map.ts';
import { type Colour, css, lch, mix, palette } from '../prompt/palette.ts';
import { readPrompt } from '../prompt/prompt.ts';
import type { FrameSize } from '../request/frame-size.ts';

/** A frame, and where in it the untouched source lies. */
export interface Ground {
  readonly frame: FrameSize;
  readonly inner: FrameSize & { readonly x: number; readonly y: number };
}

export interface Fill {
  /** Filtergraph from `[input]`, the scaled source, to `[output]`, a whole frame of ground in RGB. */
  graph(input: string, output: string): string;
}

/** How deep into the source the mirror looks, as a part of its side: deeper, and things are recognised in it. */
const DEPTH = 0.028;

/** Writes the maps and masks into `folder`. Null when the frame is filled by the source alone. */
export async function paintFill(
  folder: string,
  ground: Ground,
  words: { readonly prompt: string; readonly seed: string },
): Promise<Fill | null> {
  const { frame, inner } = ground;
  if (inner.width === frame.width && inner.height === frame.height) return null;
  await mkdir(folder);
  const path = (name: string) => join(folder, name);
  const map = bend(ground, new Noise(`reframe|${words.seed}`));
  await writeMap(path('x.pgm'), frame, map.x);
  await writeMap(path('y.pgm'), frame, map.y);
  const away = distance(ground);
  await writeMask(path('soft.pgm'), frame, (x, y) => smooth(away(x, y) / 0.09));
  await writeMask(path('far.pgm'), frame, (x, y) => smooth((away(x, y) - 0.04) / 0.3));
  await writeFile(path('tint.png'), tint(ground, words));

  const unit = Math.min(frame.width, frame.height) / 540;
  const read = (name: string, label: string) => `movie=${escapePath(path(name))},format=gbrp[${label}]`;
  const whole = `scale=${frame.width}:${frame.height}:flags=bicubic+accurate_rnd+bitexact`;
  return {
    graph: (input, output) =>
      [
        `[${input}]scale=flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=gbrp[rgb]`,
        `movie=${escapePath(path('x.pgm'))},format=gray16le[mapx]`,
        `movie=${escapePath(path('y.pgm'))},format=gray16le[mapy]`,
        `[rgb][mapx][mapy]remap=format=color,split=3[near][n2][n3]`,
        `[n2]scale=iw/2:ih/2:flags=area+accurate_rnd+bitexact,gblur=sigma=${(4 * unit).toFixed(2)}:steps=2,${whole}[softly]`,
        `[n3]scale=iw/8:ih/8:flags=area+accurate_rnd+bitexact,gblur=sigma=${(4.5 * unit).toFixed(2)}:steps=3,${whole}[widely]`,
        read('soft.pgm', 'softmask'),
        read('far.pgm', 'farmask'),
        '[near][softly][softmask]maskedmerge[g1]',
        '[g1][widely][farmask]maskedmerge[g2]',
        `movie=${escapePath(path('tint.png'))},format=gbrap[tint]`,
        // A breath of grain, or the wide blur shows as bands in eight bits.
        `[g2][tint]overlay=format=gbrp,noise=alls=3:allf=t:all_seed=1[${output}]`,
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

/** For every pixel of the frame, which pixel of the source it shows. */
function bend({ frame, inner }: Ground, noise: Noise): { x: Uint16Array; y: Uint16Array } {
  const x = new Uint16Array(frame.width * frame.height);
  const y = new Uint16Array(frame.width * frame.height);
  const wave = Math.min(inner.width, inner.height) / 5;
  const upright = inner.height < frame.height;
  const side = upright ? inner.height : inner.width;
  const reach = side * DEPTH;
  for (let row = 0, at = 0; row < frame.height; row++) {
    for (let column = 0; column < frame.width; column++, at++) {
      const across = upright ? column - inner.x : row - inner.y;
      const along = upright ? row - inner.y : column - inner.x;
      const out = along < 0 ? -along : Math.max(0, along - side + 1);
      // Starts at the source's own scale and slows down: never deeper than `reach`.
      const drawn = reach * (1 - Math.exp(-out / reach));
      const loose = smooth(out / (wave * 1.2));
      const sway = (noise.cloud(column / wave, row / wave, 3) - 0.5) * wave * 1.6 * loose;
      const heave = (noise.cloud(row / wave + 40, column / wave + 40, 3) - 0.5) * reach * 1.5 * loose;
      const middle = (upright ? inner.width : inner.height) / 2;
      const fanned = mixNumber(across, middle + (across - middle) * 0.8, loose) + sway;
      const depth = clamp(drawn + heave, 0, side - 1);
      const inside = out === 0 ? along : along < 0 ? depth : side - 1 - depth;
      const [sx, sy] = upright ? [fanned, inside] : [inside, fanned];
      x[at] = Math.round(clamp(reflected(sx, inner.width), 0, inner.width - 1));
      y[at] = Math.round(clamp(reflected(sy, inner.height), 0, inner.height - 1));
    }
  }
  return { x, y };
}

const reflected = (at: number, length: number) => (at < 0 ? -at : at > length - 1 ? 2 * (length - 1) - at : at);

/** The prompt's sky above, its ground below; to the sides the one fades into the other. Transparent over the source. */
function tint({ frame, inner }: Ground, { prompt, seed }: { readonly prompt: string; readonly seed: string }): Buffer {
  const { above, below, beside } = lightOf(prompt, seed);
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext('2d');
  const { width, height } = frame;
  if (inner.height < height) {
    band(context, { from: inner.y, to: 0, upright: true, across: width }, above);
    band(context, { from: inner.y + inner.height, to: height, upright: true, across: width }, below);
  } else {
    for (const [from, to] of [
      [inner.x, 0],
      [inner.x + inner.width, width],
    ] as const) {
      band(context, { from, to, upright: false, across: height }, beside);
    }
  }
  return canvas.toBuffer('image/png');
}

/** Where the words say nothing of the hour, the source's own light goes on into the dark: any other would not be the film's. */
function lightOf(
  prompt: string,
  seed: string,
): { readonly above: Colour; readonly below: Colour; readonly beside: Colour } {
  const [shot] = readPrompt(prompt, { duration: 1, seed });
  if (!shot || (first(TIMES, prompt) === undefined && !shot.storm)) return { above: DEEP, below: DEEP, beside: DEEP };
  const { sky, near } = palette(shot.time, seed, { storm: shot.storm ? 1 : 0 });
  return {
    above: mix(sky[0], DEEP, 0.35),
    below: mix(near, DEEP, 0.3),
    beside: mix(mix(sky[1], near, 0.4), DEEP, 0.4),
  };
}

const DEEP = lch(0.16, 0.025, 275);

function band(
  context: SKRSContext2D,
  { from, to, upright, across }: { from: number; to: number; upright: boolean; across: number },
  colour: Colour,
): void {
  const gradient = upright
    ? context.createLinearGradient(0, from, 0, to)
    : context.createLinearGradient(from, 0, to, 0);
  // A narrow strip stays the picture's; only wide ground has room for a light of its own.
  const strength = 0.6 * smooth(Math.abs(to - from) / (across * 0.5)) + 0.05;
  gradient.addColorStop(0, css(colour, 0));
  gradient.addColorStop(0.4, css(colour, strength * 0.35));
  gradient.addColorStop(1, css(colour, strength));
  context.fillStyle = gradient;
  const start = Math.min(from, to);
  const length = Math.abs(to - from);
  if (upright) context.fillRect(0, start, across, length);
  else context.fillRect(start, 0, length, across);
}

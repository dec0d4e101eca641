/** What an edit's words can ask for, and the light and colour changes among them, painted over the picture as a colourist would: in layers. */
import type { Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { still } from '../../../../media/encode/open-still.ts';
import { clamp, mixNumber, Random, smooth } from '../../../shared/random.ts';
import { all, first, SAID, TIMES, type TimeOfDay, WEATHERS, type WeatherKind } from '../../../shared/vocabulary.ts';
import { type Colour, css, lch, mix, palette } from '../../prompt/palette.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import { type Context, glow, surface } from '../../scene/brush.ts';
import { draw } from '../../scene/subjects/drawing.ts';
import { Weather } from '../../scene/weather.ts';
import rows from '../data/edits.json' with { type: 'json' };

/** The changes of the table, and those that other words of the prompt or the number of pictures ask for. */
export type EditName = keyof typeof rows.edits | 'relit' | 'weather' | 'inserted' | 'title';

const EDITS = Object.entries(rows.edits).map(
  ([edit, pattern]) => [edit as EditName, new RegExp(pattern, 'gi')] as const,
);

export function editsIn(prompt: string, inputs: number): ReadonlySet<EditName> {
  const words = spoken(prompt);
  const edits = new Set(all(EDITS, words));
  if (first(TIMES, words)) edits.add('relit');
  if (first(WEATHERS, words)) edits.add('weather');
  if (inputs < 2) edits.delete('style');
  if (inputs > (edits.has('style') ? 2 : 1)) edits.add('inserted');
  if (quoted(prompt).length > 0) edits.add('title');
  return edits;
}

const QUOTED = /["“「『]([^"”」』]{1,60})["”」』]/g;
/** Words in quotes are to be read in the picture, not followed. */
export const quoted = (words: string): string[] => [...words.matchAll(QUOTED)].map(match => match[1] ?? '');
const spoken = (words: string): string => words.replace(QUOTED, '');

type Toned = readonly [l: number, c: number, h: number, strength: number];
type Wash = readonly [mode: Context['globalCompositeOperation'], ...Toned];

interface Grading {
  readonly words: string;
  readonly seed: string;
  readonly edits: ReadonlySet<EditName>;
}

export function grade(context: Context, size: FrameSize, { words: prompt, seed, edits }: Grading): void {
  const words = spoken(prompt);
  const lantern = edits.has('lantern') ? lanternIn(size, new Random(`lantern|${seed}`)) : null;
  const lamplit = lantern ? byLamplight(context, size, lantern) : null;
  const time = first(TIMES, words);
  if (time) relight(context, size, time, seed, lantern !== null);
  else if (lantern) wash(context, size, 'multiply', lch(0.62, 0.04, 270), 0.75);
  const washed = (edit: keyof typeof rows.washes) => {
    if (!edits.has(edit)) return;
    for (const [mode, l, c, h, strength] of rows.washes[edit] as unknown as readonly Wash[])
      wash(context, size, mode, lch(l, c, h), strength);
  };
  if (!lantern) washed('warm');
  washed('cool');
  washed('brighter');
  washed('darker');
  if (edits.has('contrast')) {
    context.save();
    context.globalCompositeOperation = 'overlay';
    context.globalAlpha = 0.5;
    context.drawImage(context.canvas, 0, 0);
    context.restore();
  }
  washed('vintage');
  washed('black and white');
  if (edits.has('weather')) addWeather(context, size, all(WEATHERS, words), time ?? 'dusk', seed, words);
  if (lantern && lamplit) lightOf(context, size, lantern, lamplit);
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Low and to one side, as in a hand: it lights a face in the middle from below the chin. */
function lanternIn({ width, height }: FrameSize, random: Random): Light {
  const side = random.chance(0.5) ? 0.77 : 0.23;
  return { x: width * side, y: height * 0.74, radius: Math.min(width, height) * 0.072 };
}

function relight(context: Context, size: FrameSize, time: TimeOfDay, seed: string, lantern: boolean): void {
  const { multiply, tone } = rows.grades[time] as unknown as { readonly multiply: Toned; readonly tone: Toned };
  if (time === 'overcast') wash(context, size, 'saturation', lch(0.5, 0.01, 240), 0.4);
  wash(context, size, 'multiply', lch(multiply[0], multiply[1], multiply[2]), multiply[3] * (lantern ? 1 : 0.92));
  wash(context, size, 'soft-light', lch(tone[0], tone[1], tone[2]), tone[3]);
  const { light, accent, second } = palette(time, seed);
  const reach = Math.max(size.width, size.height) * 0.7;
  if (time === 'neon')
    for (const [x, colour] of [
      [0.05, accent],
      [0.95, second],
    ] as const)
      lightAt(context, size.width * x, size.height * 0.4, reach, colour, 0.5);
  else if (!lantern && time !== 'overcast')
    lightAt(
      context,
      size.width * (new Random(`sun|${seed}`).chance(0.5) ? 0.12 : 0.88),
      size.height * 0.12,
      reach,
      light,
      time === 'night' ? 0.16 : 0.34,
    );
}

function addWeather(
  context: Context,
  size: FrameSize,
  kinds: readonly WeatherKind[],
  time: TimeOfDay,
  seed: string,
  words: string,
): void {
  new Weather(kinds, {
    ...size,
    palette: palette(time, seed),
    seed,
    heavy: SAID.heavier.test(words) || SAID.storm.test(words),
  }).draw(context, { seconds: 2.3 });
}

/** The picture as it is in the lamp's own light: amber, and only as far as the light reaches. Taken before the night falls on it. */
function byLamplight(context: Context, size: FrameSize, { x, y }: Light): Canvas {
  const near = surface(size.width, size.height);
  near.context.drawImage(context.canvas, 0, 0);
  wash(near.context, size, 'multiply', lch(0.97, 0.06, 72), 0.95);
  wash(near.context, size, 'soft-light', lch(0.8, 0.13, 68), 0.6);
  wash(near.context, size, 'screen', lch(0.3, 0.09, 55), 0.35);
  const reach = Math.hypot(size.width, size.height) * 0.54;
  const light = near.context.createRadialGradient(x, y, 0, x, y, reach);
  for (const [at, alpha] of [
    [0, 1],
    [0.25, 0.95],
    [0.5, 0.78],
    [0.75, 0.32],
    [1, 0],
  ] as const)
    light.addColorStop(at, `rgba(0,0,0,${alpha})`);
  near.context.globalCompositeOperation = 'destination-in';
  near.context.fillStyle = light;
  near.context.fillRect(0, 0, size.width, size.height);
  // The air behind is too far away to be lit: only the middle, where a picture's subject is.
  const middle = Math.min(size.width, size.height * 1.1);
  near.context.translate(size.width * 0.5, size.height * 0.58);
  near.context.scale(middle * 0.42, size.height * 0.78);
  const subject = near.context.createRadialGradient(0, 0, 0, 0, 0, 1);
  for (const [at, alpha] of [
    [0, 1],
    [0.6, 1],
    [0.85, 0.55],
    [1, 0.22],
  ] as const)
    subject.addColorStop(at, `rgba(0,0,0,${alpha})`);
  near.context.fillStyle = subject;
  near.context.fillRect(-9, -9, 18, 18);
  return near.canvas;
}

/** The lantern, and what its light does: near things amber, a face beside it modelled, the rest left in the night. */
function lightOf(context: Context, size: FrameSize, { x, y, radius }: Light, lamplit: Canvas): void {
  const reach = Math.hypot(size.width, size.height);
  context.drawImage(lamplit, 0, 0);
  lightAt(context, x, y, reach * 0.3, lch(0.83, 0.14, 72), 0.3);
  drawLantern(context, x, y, radius);
  lightAt(context, x, y, radius * 3.4, lch(0.92, 0.12, 80), 0.75);
}

function drawLantern(context: Context, x: number, y: number, radius: number): void {
  context.save();
  context.translate(x, y);
  context.scale(radius, radius);
  draw(context, rows.lantern, { iron: lch(0.22, 0.02, 60) });
  context.restore();
}

function lightAt(context: Context, x: number, y: number, reach: number, colour: Colour, strength: number): void {
  context.save();
  context.globalCompositeOperation = 'screen';
  context.globalAlpha = strength;
  context.drawImage(glow(128, mix(colour, lch(0.9, 0.08, 75), 0.1)), x - reach, y - reach, reach * 2, reach * 2);
  context.restore();
}

function wash(
  context: Context,
  { width, height }: FrameSize,
  mode: Context['globalCompositeOperation'],
  colour: Colour,
  strength: number,
): void {
  context.save();
  context.globalCompositeOperation = mode;
  context.fillStyle = css(colour, strength);
  context.fillRect(0, 0, width, height);
  context.restore();
}

/** Changes of hand: pencil, flat colour, paint, a soft background, the colours of another picture. RGBA in, RGBA out. */

export async function restyled(
  picture: Buffer,
  size: FrameSize,
  edits: ReadonlySet<EditName>,
  model: string | null,
): Promise<Buffer> {
  let now = picture;
  if (model) now = await coloursOf(now, model);
  if (edits.has('soft background')) now = await softened(now, size);
  if (edits.has('sketch')) now = await sketched(now, size);
  else if (edits.has('painting')) now = await painted(now, size);
  else if (edits.has('poster')) now = await flattened(now, size);
  return now;
}

const raw = ({ width, height }: FrameSize) => ({ raw: { width, height, channels: 4 as const } });

/** Colour dodge of the picture's lightness by its own blurred negative: what a soft pencil leaves. */
async function sketched(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const grey = await sharp(picture, raw(size)).removeAlpha().greyscale().raw().toBuffer();
  const one = { raw: { ...size, channels: 1 as const } };
  const negative = await sharp(grey, one)
    .negate()
    .blur(Math.max(1.2, size.width / 180))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const out = Buffer.from(picture);
  for (let i = 0; i < size.width * size.height; i++) {
    const line = Math.min(255, ((grey[i] ?? 0) * 255) / (256 - (negative[i] ?? 0)));
    const tone = mixNumber(line, (line * (160 + (grey[i] ?? 0) * 0.37)) / 255, 0.4);
    out.set([tone, tone * 0.985, tone * 0.95], i * 4);
  }
  return out;
}

/** Median strokes with a little of the edges left. */
async function painted(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const stroke = Math.max(3, Math.round(Math.min(size.width, size.height) / 160) * 2 + 1);
  return sharp(picture, raw(size))
    .removeAlpha()
    .median(Math.min(15, stroke))
    .modulate({ saturation: 1.22 })
    .sharpen({ sigma: 2.2 })
    .ensureAlpha()
    .raw()
    .toBuffer();
}

async function flattened(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const calm = await sharp(picture, raw(size))
    .removeAlpha()
    .median(7)
    .modulate({ saturation: 1.2 })
    .ensureAlpha()
    .raw()
    .toBuffer();
  // Lightness in steps, hue as it was: channels stepped one by one turn greys into rainbows.
  for (let i = 0; i < calm.length; i += 4) {
    const light = (0.299 * (calm[i] ?? 0) + 0.587 * (calm[i + 1] ?? 0) + 0.114 * (calm[i + 2] ?? 0)) / 255;
    const stepped = (Math.floor(light * 7) + 0.5) / 7;
    for (let c = 0; c < 3; c++) calm[i + c] = clamp(((calm[i + c] ?? 0) * stepped) / Math.max(light, 0.02), 0, 255);
  }
  return calm;
}

/** Sharp inside an oval in the middle, where portraits are. */
async function softened(picture: Buffer, size: FrameSize): Promise<Buffer> {
  const { width, height } = size;
  const soft = await sharp(picture, raw(size))
    .blur(Math.max(1, width / 70))
    .raw()
    .toBuffer();
  const out = Buffer.from(picture);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = smooth(
        clamp((Math.hypot((x - width / 2) / (width * 0.32), (y - height * 0.52) / (height * 0.46)) - 0.75) / 0.5),
      );
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) out[i + c] = mixNumber(picture[i + c] ?? 0, soft[i + c] ?? 0, away);
    }
  }
  return out;
}

interface Tone {
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

/** Lightness, red–blue and green–magenta of every pixel are moved to the model's mean and stretched to its spread. */
async function coloursOf(picture: Buffer, model: string): Promise<Buffer> {
  const other = await still(model).autoOrient().resize(256, 256, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
  const [from, to] = [toneOf(picture), toneOf(other)];
  const out = Buffer.from(picture);
  for (let i = 0; i < out.length; i += 4) {
    const now = axes(picture, i);
    const moved = now.map((value, k) => {
      const stretch = clamp((to.spread[k] ?? 1) / (from.spread[k] ?? 1), 0.55, 1.7);
      return mixNumber(value, (value - (from.mean[k] ?? 0)) * stretch + (to.mean[k] ?? 0), k === 0 ? 0.6 : 0.92);
    });
    const [l = 0, u = 0, v = 0] = moved;
    // Inverse of `axes`: with r = s + u/2, b = s − u/2, g = s + v.
    const s = l - 0.587 * v - (0.299 - 0.114) * (u / 2);
    out.set([clamp(s + u / 2, 0, 255), clamp(s + v, 0, 255), clamp(s - u / 2, 0, 255)], i);
  }
  return out;
}

function axes(picture: Buffer, i: number): readonly [number, number, number] {
  const [r, g, b] = [picture[i] ?? 0, picture[i + 1] ?? 0, picture[i + 2] ?? 0];
  return [0.299 * r + 0.587 * g + 0.114 * b, r - b, g - (r + b) / 2];
}

function toneOf(picture: Buffer): Tone {
  const sum = [0, 0, 0];
  const squares = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < picture.length; i += 16) {
    for (const [k, value] of axes(picture, i).entries()) {
      sum[k] = (sum[k] ?? 0) + value;
      squares[k] = (squares[k] ?? 0) + value * value;
    }
    count++;
  }
  const mean = sum.map(value => value / count);
  return { mean, spread: squares.map((value, k) => Math.sqrt(Math.max(1, value / count - (mean[k] ?? 0) ** 2))) };
}

/** What an edit's words can ask for, and the light and colour changes among them, painted over the picture as a colourist would: in layers. */
import type { Canvas } from '@napi-rs/canvas';
import { Random } from '../../random.ts';
import {
  all,
  first,
  SAID,
  TIMES,
  type TimeOfDay,
  type Vocabulary,
  WEATHERS,
  type WeatherKind,
} from '../../vocabulary.ts';
import { type Colour, css, lch, mix, palette } from '../prompt/palette.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { type Context, glow, surface } from '../scene/brush.ts';
import { Weather } from '../scene/weather.ts';

export type EditName =
  | 'black and white'
  | 'warm'
  | 'cool'
  | 'vintage'
  | 'contrast'
  | 'brighter'
  | 'darker'
  | 'lantern'
  | 'relit'
  | 'weather'
  | 'sketch'
  | 'poster'
  | 'painting'
  | 'soft background'
  | 'style'
  | 'mirrored'
  | 'extended'
  | 'cut out'
  | 'inserted'
  | 'title';

const EDITS: Vocabulary<EditName> = [
  ['black and white', /\bblack[- ]and[- ]white\b|\bmonochrome\b|\bgr[ea]yscale\b|\bnoir\b|\bb&w\b|黑白/gi],
  ['warm', /\bwarm(er|th)?\b|\bcosy\b|\bcozy\b|暖/gi],
  ['cool', /\bcool(er)?\b|\bcold(er)?\b|\bicy\b|冷色|冷调/gi],
  ['vintage', /\bvintage\b|\bretro\b|\bsepia\b|\bfilm look\b|\banalog(ue)?\b|复古/gi],
  ['contrast', /\bcontrast(y)?\b|\bdramatic\b|\bpunch(y|ier)\b|对比/gi],
  ['brighter', /\bbright(er|en)\b|\blighter\b|提亮|更亮/gi],
  ['darker', /\bdark(er|en)\b|变暗|更暗/gi],
  [
    'lantern',
    /\blanterns?\b|\bcandle(light)?\b|\blamp(light)?\b|\btorch(light)?\b|\bfire(light|side)?\b|灯笼|提灯|烛光/gi,
  ],
  ['sketch', /\bsketch\b|\bline art\b|\bpencil\b|\bdrawing\b|素描|线稿/gi],
  ['poster', /\bposter(ised|ized)?\b|\bcartoon\b|\bcomic\b|\bflat colou?rs?\b|\bvector\b|海报|卡通/gi],
  ['painting', /\b(oil )?painting\b|\bwatercolou?r\b|\bpainterly\b|\bimpressionist\b|油画|水彩/gi],
  ['soft background', /\bblur(red)? (the )?background\b|\bbokeh\b|\bdepth of field\b|虚化/gi],
  ['style', /\bstyle of\b|\bmatch the (colou?rs|palette|look)\b|\bgrade (like|of)\b|\blike image 2\b|参考图/gi],
  ['mirrored', /\bmirror(ed)? (it|the (image|picture))\b|\bflip(ped)?\b|翻转/gi],
  ['extended', /\bextend\b|\boutpaint\b|\buncrop\b|\bzoom out\b|扩展|外扩/gi],
  ['cut out', /\b(remove|transparent|cut ?out|delete) (the )?(background|bg)\b|\btransparent\b|抠图|去背景/gi],
];

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
  if (edits.has('warm') && !lantern) {
    wash(context, size, 'multiply', lch(0.97, 0.045, 75), 0.85);
    wash(context, size, 'soft-light', lch(0.72, 0.14, 60), 0.4);
  }
  if (edits.has('cool')) {
    wash(context, size, 'multiply', lch(0.93, 0.04, 245), 0.8);
    wash(context, size, 'soft-light', lch(0.55, 0.1, 245), 0.35);
  }
  if (edits.has('brighter')) wash(context, size, 'screen', lch(0.5, 0.01, 80), 0.42);
  if (edits.has('darker')) wash(context, size, 'multiply', lch(0.5, 0.02, 270), 0.6);
  if (edits.has('contrast')) {
    context.save();
    context.globalCompositeOperation = 'overlay';
    context.globalAlpha = 0.5;
    context.drawImage(context.canvas, 0, 0);
    context.restore();
  }
  if (edits.has('vintage')) {
    wash(context, size, 'color', lch(0.6, 0.06, 75), 0.55);
    wash(context, size, 'screen', lch(0.3, 0.05, 300), 0.4);
    wash(context, size, 'multiply', lch(0.95, 0.05, 90), 0.9);
  }
  if (edits.has('black and white')) wash(context, size, 'saturation', lch(0.5, 0, 0), 1);
  if (edits.has('weather')) addWeather(context, size, all(WEATHERS, words), time ?? 'dusk', seed, words);
  if (lantern && lamplit) lightOf(context, size, lantern, lamplit);
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Low and to one side, as somebody holds it: it lights a face in the middle from below the chin. */
function lanternIn({ width, height }: FrameSize, random: Random): Light {
  const side = random.chance(0.5) ? 0.77 : 0.23;
  return { x: width * side, y: height * 0.74, radius: Math.min(width, height) * 0.072 };
}

const GRADES: {
  readonly [time in TimeOfDay]: {
    readonly multiply: readonly [number, number, number, number];
    readonly tone: readonly [number, number, number, number];
  };
} = {
  dawn: { multiply: [0.92, 0.04, 330, 0.7], tone: [0.82, 0.1, 50, 0.34] },
  day: { multiply: [0.99, 0.01, 220, 0.5], tone: [0.9, 0.04, 95, 0.3] },
  golden: { multiply: [0.94, 0.06, 70, 0.85], tone: [0.8, 0.15, 65, 0.46] },
  sunset: { multiply: [0.86, 0.09, 35, 0.85], tone: [0.68, 0.18, 40, 0.44] },
  dusk: { multiply: [0.7, 0.07, 285, 0.85], tone: [0.52, 0.12, 300, 0.34] },
  night: { multiply: [0.5, 0.075, 262, 0.94], tone: [0.35, 0.1, 258, 0.4] },
  neon: { multiply: [0.56, 0.1, 310, 0.9], tone: [0.5, 0.2, 330, 0.45] },
  overcast: { multiply: [0.88, 0.015, 240, 0.8], tone: [0.6, 0.015, 240, 0.4] },
};

function relight(context: Context, size: FrameSize, time: TimeOfDay, seed: string, lantern: boolean): void {
  const { multiply, tone } = GRADES[time];
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
  // The air behind is too far away to be lit: only what stands in the middle, where a picture's subject is.
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
  const iron = lch(0.22, 0.02, 60);
  context.save();
  context.translate(x, y);
  context.scale(radius, radius);
  context.strokeStyle = css(iron);
  context.lineWidth = 0.09;
  context.beginPath();
  context.arc(0, -1.35, 0.62, Math.PI, 0);
  context.stroke();
  const glass = context.createRadialGradient(0, 0.12, 0.05, 0, 0, 0.95);
  glass.addColorStop(0, css(lch(0.99, 0.03, 95)));
  glass.addColorStop(0.35, css(lch(0.9, 0.14, 82)));
  glass.addColorStop(1, css(lch(0.62, 0.16, 55), 0.85));
  context.fillStyle = glass;
  context.beginPath();
  context.moveTo(-0.5, -0.85);
  context.bezierCurveTo(-0.95, -0.3, -0.9, 0.4, -0.55, 0.85);
  context.lineTo(0.55, 0.85);
  context.bezierCurveTo(0.9, 0.4, 0.95, -0.3, 0.5, -0.85);
  context.fill();
  context.fillStyle = css(lch(0.99, 0.04, 95));
  context.beginPath();
  context.moveTo(0, -0.42);
  context.bezierCurveTo(0.3, 0.05, 0.26, 0.42, 0, 0.46);
  context.bezierCurveTo(-0.26, 0.42, -0.24, 0.05, 0, -0.42);
  context.fill();
  context.fillStyle = css(iron);
  for (const [left, top, wide, tall] of [
    [-0.66, 0.8, 1.32, 0.34],
    [-0.58, -1.02, 1.16, 0.22],
    [-0.3, -1.3, 0.6, 0.3],
  ] as const) {
    context.beginPath();
    context.roundRect(left, top, wide, tall, 0.08);
    context.fill();
  }
  context.lineWidth = 0.06;
  for (const bend of [-0.86, 0.86]) {
    context.beginPath();
    context.moveTo(bend * 0.6, -0.85);
    context.bezierCurveTo(bend * 1.1, -0.3, bend * 1.05, 0.4, bend * 0.64, 0.85);
    context.stroke();
  }
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

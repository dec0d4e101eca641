/** Canvas tools every painter here shares: surfaces, soft light, textures, and two ways to an organic outline (a spline, a tube). */
import { type Canvas, createCanvas, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Random } from '../../shared/random.ts';
import { type Colour, css, rgb } from '../prompt/palette.ts';

export type Context = SKRSContext2D;
type Gradient = ReturnType<Context['createLinearGradient']>;
export type Point = readonly [x: number, y: number];
/** A point of a tube with the tube's radius there. */
export type Joint = readonly [x: number, y: number, radius: number];

export function surface(width: number, height: number): { canvas: Canvas; context: Context; pen: Pen } {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  const context = canvas.getContext('2d');
  return { canvas, context, pen: new Pen(context) };
}

/**
 * Gives the memory of what was painted back at once, for canvases that nobody will look at again: a set is a hundred megabytes at
 * 1080p, and the garbage collector sees none of it. The canvas is empty and tiny from then on.
 */
export function strike(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

/** A disc of light that falls off like light, on a canvas of twice the radius. */
export function glow(radius: number, colour: Colour): Canvas {
  const { canvas, context } = surface(radius * 2, radius * 2);
  const light = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
  for (let i = 0; i <= 12; i++) light.addColorStop(i / 12, css(colour, (1 - i / 12) ** 2.6));
  context.fillStyle = light;
  context.fillRect(0, 0, radius * 2, radius * 2);
  return canvas;
}

/** A small picture computed pixel by pixel, to be drawn large. `u`, `v` run 0 to 1; alpha 0 to 1. */
export function texture(
  width: number,
  height: number,
  at: (u: number, v: number) => readonly [Colour, number],
): Canvas {
  const { canvas, context } = surface(width, height);
  const image = context.createImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [colour, alpha] = at(x / width, y / height);
      const [r, g, b] = rgb(colour);
      image.data.set([r, g, b, Math.round(255 * Math.max(0, Math.min(1, alpha)))], (y * width + x) * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** A colour at a part of a gradient's way; a third entry is alpha. */
type Stop = readonly [at: number, colour: Colour, alpha?: number];
type Paint = Colour | string | Gradient;
type Circles = readonly [x0: number, y0: number, r0: number, x1: number, y1: number, r1: number];
/** A path's letters as SVG has them (M, L, Q, C, Z; absolute), with numbers, points or lists of points between. */
type Trace = (letters: TemplateStringsArray, ...values: readonly (number | Point | readonly Point[])[]) => void;

/**
 * Paints on a context: a paint, then where.
 *
 *     pen.box(pen.down(0, height, [0, sky], [1, ground]), ...stage.all);
 *     pen.fill(leaf)`M${x} ${y} Q${bend} ${tip} Z`;
 */
export class Pen {
  readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  /** Settings of the context: `pen.set({ globalAlpha: 0.5, lineCap: 'round' })`. */
  set(settings: Partial<Context>): void {
    Object.assign(this.context, settings);
  }

  /** Colours down a line. */
  down(from: number, to: number, ...stops: readonly Stop[]): Gradient {
    return withStops(this.context.createLinearGradient(0, from, 0, to), stops);
  }
  across(from: number, to: number, ...stops: readonly Stop[]): Gradient {
    return withStops(this.context.createLinearGradient(from, 0, to, 0), stops);
  }
  radial(circles: Circles, ...stops: readonly Stop[]): Gradient {
    return withStops(this.context.createRadialGradient(...circles), stops);
  }

  box(paint: Paint, x: number, y: number, wide: number, tall: number): void {
    this.context.fillStyle = styleOf(paint);
    this.context.fillRect(x, y, wide, tall);
  }
  ellipse(paint: Paint, x: number, y: number, rx: number, ry: number = rx, turn = 0): void {
    this.context.fillStyle = styleOf(paint);
    ellipse(this.context, x, y, rx, ry, turn);
  }
  fill(paint: Paint): Trace {
    return (...path) => {
      this.context.fillStyle = styleOf(paint);
      this.trace(...path);
      this.context.fill();
    };
  }
  stroke(paint: Paint, width: number): Trace {
    return (...path) => {
      this.context.strokeStyle = styleOf(paint);
      this.context.lineWidth = width;
      this.trace(...path);
      this.context.stroke();
    };
  }

  /** The context's path becomes this one. */
  trace: Trace = (letters, ...values) => {
    this.context.beginPath();
    let letter = 'M';
    let numbers: number[] = [];
    for (const step of letters.flatMap((text, i) => [...stepsIn(text), ...numbersIn(values[i])]))
      if (typeof step === 'string') {
        letter = step;
        if (letter === 'Z') this.context.closePath();
      } else if (numbers.push(step) === ARITY[letter]) {
        segment(this.context, letter, numbers);
        numbers = [];
        if (letter === 'M') letter = 'L';
      }
  };

  /** Adds light (`glow`) to what is painted; `rx` and `ry` are half its width and height. */
  shine(light: Canvas, alpha: number, x: number, y: number, rx: number, ry: number = rx): void {
    const { context } = this;
    context.save();
    context.globalCompositeOperation = 'screen';
    context.globalAlpha = alpha;
    context.drawImage(light, x - rx, y - ry, rx * 2, ry * 2);
    context.restore();
  }

  /** What `draw` paints stays within the context's path. */
  within(draw: () => void): void {
    this.context.save();
    this.context.clip();
    draw();
    this.context.restore();
  }
}

const styleOf = (paint: Paint) => (typeof paint === 'object' && 'l' in paint ? css(paint) : paint);

function withStops(gradient: Gradient, stops: readonly Stop[]): Gradient {
  for (const [at, colour, alpha = 1] of stops) gradient.addColorStop(at, css(colour, alpha));
  return gradient;
}

const ARITY: { readonly [letter: string]: number } = { M: 2, L: 2, Q: 4, C: 6 };

function segment(context: Context, letter: string, numbers: readonly number[]): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  if (letter === 'M') context.moveTo(a, b);
  else if (letter === 'L') context.lineTo(a, b);
  else if (letter === 'Q') context.quadraticCurveTo(a, b, c, d);
  else context.bezierCurveTo(a, b, c, d, e, f);
}

const stepsIn = (text: string): (string | number)[] =>
  (text.match(/[A-Z]|-?[\d.]+/g) ?? []).map(step => (/[A-Z]/.test(step) ? step : Number(step)));

const numbersIn = (value: number | Point | readonly Point[] = []): readonly number[] =>
  typeof value === 'number' ? [value] : value.flat();

/** A table written in one line keeps the types of its rows. */
export const rows = <const Rows extends readonly (readonly unknown[])[]>(...table: Rows): Rows => table;

/** Points of a curve from left to right, both ends included where the step meets them. */
export function samples(from: number, to: number, step: number, y: (x: number) => number): Point[] {
  const points: Point[] = [];
  for (let x = from; x <= to; x += step) points.push([x, y(x)]);
  return points;
}

const outlines = new Map<string, readonly Point[]>();

/** Points written as one line of numbers: `outline('-1 0, 0 -1, 1 0')`. Read once, however often it is drawn. */
export function outline(text: string): readonly Point[] {
  const known = outlines.get(text);
  if (known) return known;
  const points = text.split(',').map((pair): Point => {
    const [x, y] = pair.trim().split(' ').map(Number);
    if (x === undefined || y === undefined || Number.isNaN(x + y))
      throw new Error(`"${pair}" is no point of an outline`);
    return [x, y];
  });
  outlines.set(text, points);
  return points;
}

/** A smooth line through all the points (Catmull-Rom). */
export function spline(points: readonly Point[], { closed = true }: { readonly closed?: boolean } = {}): Path2D {
  const path = new Path2D();
  const n = points.length;
  const at = (i: number): Point =>
    (closed ? points[((i % n) + n) % n] : points[Math.max(0, Math.min(n - 1, i))]) ?? [0, 0];
  path.moveTo(...at(0));
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path.bezierCurveTo(
      from[0] + (to[0] - before[0]) / 6,
      from[1] + (to[1] - before[1]) / 6,
      to[0] - (after[0] - from[0]) / 6,
      to[1] - (after[1] - from[1]) / 6,
      to[0],
      to[1],
    );
  }
  if (closed) path.closePath();
  return path;
}

/**
 * The outline drawn by a ball of changing size along a smooth line: limbs, necks, tails, bodies.
 * `nap` lets tufts of fur stand out by that much, combed towards the last joint.
 */
export function tube(
  joints: readonly Joint[],
  { steps = 8, nap = 0 }: { readonly steps?: number; readonly nap?: number } = {},
): Path2D {
  const line = along(joints, nap > 0 ? Math.round(steps * 1.6) : steps);
  const sides: [Point[], Point[]] = [[], []];
  for (const [i, [x, y, r]] of line.entries()) {
    const [ax, ay] = line[Math.max(0, i - 1)] ?? [x, y];
    const [bx, by] = line[Math.min(line.length - 1, i + 1)] ?? [x, y];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const nx = -(by - ay) / length;
    const ny = (bx - ax) / length;
    const tuft = nap === 0 ? 0 : nap * tuftAt(i);
    const back = (tuft * 1.5) / length;
    sides[0].push([x + nx * (r + tuft) + (bx - ax) * back, y + ny * (r + tuft) + (by - ay) * back]);
    sides[1].push([x - nx * (r + tuft) + (bx - ax) * back, y - ny * (r + tuft) + (by - ay) * back]);
  }
  const path = new Path2D();
  const outline = [...sides[0], ...sides[1].reverse()];
  for (const [x, y] of outline) path.lineTo(x, y);
  path.closePath();
  // A ball drawn against the outline's own turning direction would be a hole in it.
  const clockwise = turning(outline) > 0;
  for (const [x, y, r] of [line[0], line.at(-1)].filter(end => end !== undefined)) {
    path.moveTo(x + r, y);
    path.arc(x, y, Math.max(0.0001, r), 0, Math.PI * 2, !clockwise);
  }
  return path;
}

/** Uneven locks: every few steps one stands out, some more than others. */
const tuftAt = (i: number): number =>
  i % 3 === 2 ? 0.5 + 0.5 * Math.abs(Math.sin(i * 12.9898)) : i % 3 === 1 ? 0.12 : 0;

/** Positive where the outline runs clockwise on the screen. */
function turning(outline: readonly Point[]): number {
  let area = 0;
  for (const [i, [x, y]] of outline.entries()) {
    const [nx, ny] = outline[(i + 1) % outline.length] ?? [x, y];
    area += x * ny - nx * y;
  }
  return area;
}

/** Points of the smooth line through the joints, `steps` for each stretch. */
function along(joints: readonly Joint[], steps: number): Joint[] {
  const at = (i: number): Joint => joints[Math.max(0, Math.min(joints.length - 1, i))] ?? [0, 0, 0];
  const line: Joint[] = [];
  for (let i = 0; i < joints.length - 1; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let s = 0; s < steps; s++) line.push(curve(a, b, c, d, s / steps));
  }
  line.push(at(joints.length - 1));
  return line;
}

function curve(a: Joint, b: Joint, c: Joint, d: Joint, t: number): Joint {
  const one = (k: 0 | 1 | 2) => {
    const [p, q, r, s] = [a[k], b[k], c[k], d[k]];
    return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t);
  };
  return [one(0), one(1), Math.max(0, one(2))];
}

/** A closed outline with the nap of fur: the same points, pushed out in tufts. */
export function furred(points: readonly Point[], random: Random, tuft: number, steps = 9): Path2D {
  const n = points.length;
  const joint = (i: number): Joint => [...(points[((i % n) + n) % n] ?? ([0, 0] as const)), 0];
  const outline: Point[] = [];
  for (let i = 0; i < n; i++)
    for (let s = 0; s < steps; s++) {
      const [x, y] = curve(joint(i - 1), joint(i), joint(i + 1), joint(i + 2), s / steps);
      outline.push([x, y]);
    }
  const path = new Path2D();
  for (const [i, [x, y]] of outline.entries()) {
    const [ax, ay] = outline[(i + outline.length - 1) % outline.length] ?? [x, y];
    const [bx, by] = outline[(i + 1) % outline.length] ?? [x, y];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const push = (i % 2 === 0 ? 0 : 1) * tuft * random.between(0.35, 1);
    path.lineTo(
      x + ((by - ay) / length) * push + ((bx - ax) / length) * push * 0.7,
      y - ((bx - ax) / length) * push + ((by - ay) / length) * push * 0.7,
    );
  }
  path.closePath();
  return path;
}

export function ellipse(context: Context, x: number, y: number, rx: number, ry: number, turn = 0): void {
  context.beginPath();
  context.ellipse(x, y, Math.max(0, rx), Math.max(0, ry), turn, 0, Math.PI * 2);
  context.fill();
}

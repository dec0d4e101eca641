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
 * Gives the memory of what was painted back at once, for canvases that are not needed any more: a set is a hundred megabytes at
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
type Trace = (letters: TemplateStringsArray, ...values: readonly (number | Point | readonly Point[])[]) => Path2D;

/** A path as SVG writes it, with numbers, points or lists of points between its letters. */
export const path: Trace = (letters, ...values) => new Path2D(String.raw(letters, ...values));

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
    return (...traced) => {
      const shape = path(...traced);
      this.context.fillStyle = styleOf(paint);
      this.context.fill(shape);
      return shape;
    };
  }
  stroke(paint: Paint, width: number): Trace {
    return (...traced) => {
      const line = path(...traced);
      this.context.strokeStyle = styleOf(paint);
      this.context.lineWidth = width;
      this.context.stroke(line);
      return line;
    };
  }

  /** Paints under these settings of the context, which are as before afterwards. */
  with(settings: Partial<Context>, draw: () => void): void {
    this.context.save();
    this.set(settings);
    draw();
    this.context.restore();
  }

  /** Adds light (`glow`) to what is painted; `rx` and `ry` are half its width and height. */
  shine(light: Canvas, alpha: number, x: number, y: number, rx: number, ry: number = rx): void {
    const { context } = this;
    context.save();
    context.globalCompositeOperation = 'screen';
    context.globalAlpha = alpha;
    context.drawImage(light, x - rx, y - ry, rx * 2, ry * 2);
    context.restore();
  }

  /** What `draw` paints stays within the shape. */
  within(shape: Path2D, draw: () => void): void {
    this.context.save();
    this.context.clip(shape);
    draw();
    this.context.restore();
  }
}

const styleOf = (paint: Paint) => (typeof paint === 'object' && 'l' in paint ? css(paint) : paint);

function withStops(gradient: Gradient, stops: readonly Stop[]): Gradient {
  for (const [at, colour, alpha = 1] of stops) gradient.addColorStop(at, css(colour, alpha));
  return gradient;
}

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

/** The points by number: a closed line goes round, an open one stays at its ends. */
const numbered =
  <P extends readonly number[]>(points: readonly P[], closed: boolean) =>
  (i: number): P => {
    const last = points.length - 1;
    return points[closed ? (i + points.length) % points.length : Math.max(0, Math.min(last, i))]!;
  };

/** A smooth line through all the points (Catmull-Rom). */
export function spline(points: readonly Point[], { closed = true }: { readonly closed?: boolean } = {}): Path2D {
  const at = numbered(points, closed);
  const curves = points.slice(closed ? 0 : 1).map((_, i) => {
    const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return `C${[bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy]}`;
  });
  return new Path2D(`M${at(0)}${curves.join('')}${closed ? 'Z' : ''}`);
}

/**
 * The outline drawn by a ball of changing size along a smooth line: limbs, necks, tails, bodies.
 * `nap` lets tufts of fur stand out by that much, combed towards the last joint.
 */
export function tube(
  joints: readonly Joint[],
  { steps = 8, nap = 0 }: { readonly steps?: number; readonly nap?: number } = {},
): Path2D {
  const line = along(joints, nap > 0 ? Math.round(steps * 1.6) : steps, false);
  const side = (way: 1 | -1) =>
    line.map(([, , radius], i) => {
      const tuft = nap * tuftAt(i);
      return moved(line, i, way * (radius + tuft), tuft * 1.5, false);
    });
  const cap = (i: number, way: 1 | -1) =>
    CAP.map(turn => moved(line, i, way * line[i]![2] * Math.cos(turn), way * line[i]![2] * Math.sin(turn), false));
  const outline = [...side(1), ...cap(line.length - 1, 1), ...side(-1).reverse(), ...cap(0, -1)];
  return new Path2D(`M${outline}Z`);
}

/** Radians around a tube's end. */
const CAP = Array.from({ length: 11 }, (_, i) => ((i + 1) / 12) * Math.PI);

/** Uneven locks: every few steps one stands out, some more than others. */
const tuftAt = (i: number): number =>
  i % 3 === 2 ? 0.5 + 0.5 * Math.abs(Math.sin(i * 12.9898)) : i % 3 === 1 ? 0.12 : 0;

/** A closed outline with the nap of fur: the same points, pushed out in tufts. */
export function furred(points: readonly Point[], random: Random, tuft: number, steps = 9): Path2D {
  const line = along(
    points.map(([x, y]): Joint => [x, y, 0]),
    steps,
    true,
  );
  const tufts = line.map((_, i) => {
    const push = i % 2 === 0 ? 0 : tuft * random.between(0.35, 1);
    return moved(line, i, -push, push * 0.7, true);
  });
  return new Path2D(`M${tufts}Z`);
}

/** A point of a line moved aside (to the right of the way it goes is less than 0) and on along it. */
function moved(line: readonly Joint[], i: number, aside: number, on: number, closed: boolean): Point {
  const at = numbered(line, closed);
  const [[x, y], [ax, ay], [bx, by]] = [at(i), at(i - 1), at(i + 1)];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  return [x - dy * aside + dx * on, y + dx * aside + dy * on];
}

/** Points of the smooth line through the joints, `steps` for each stretch. */
function along(joints: readonly Joint[], steps: number, closed: boolean): Joint[] {
  const at = numbered(joints, closed);
  const line = joints.slice(closed ? 0 : 1).flatMap((_, i) => {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return Array.from({ length: steps }, (_, s): Joint => {
      const t = s / steps;
      const [x, y, r] = ([0, 1, 2] as const).map(k => {
        const [p, q, r, s] = [a[k], b[k], c[k], d[k]];
        return 0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t ** 3);
      }) as [number, number, number];
      return [x, y, Math.max(0, r)];
    });
  });
  return closed ? line : [...line, at(joints.length - 1)];
}

export function ellipse(context: Context, x: number, y: number, rx: number, ry: number, turn = 0): void {
  context.beginPath();
  context.ellipse(x, y, Math.max(0, rx), Math.max(0, ry), turn, 0, Math.PI * 2);
  context.fill();
}

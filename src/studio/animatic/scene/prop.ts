/**
 * Props: what does not bend or walk, each drawn in a file of its own under `props/`, that any drawing program opens. A file names its
 * paints (`var(--paint)`) and gives them values to be seen with; whoever draws fills in the light of the stage and their own colours.
 */
import { readFileSync } from 'node:fs';
import { css } from '../prompt/palette.ts';
import type { Context } from './brush.ts';
import type { Figure, Pose } from './lighting.ts';
import {
  type Gradient,
  type Group,
  type Ink,
  type Motion,
  type Part,
  type PropFile,
  readProp,
  type Shape,
} from './prop-file.ts';
import { type Paints, Slots } from './prop-paint.ts';
import type { Stage } from './stage.ts';

export interface PropLight {
  readonly paints: Paints;
  /** The side the light comes from; 1 unless told. */
  readonly lit?: 1 | -1;
  /** Lamps and windows are alight. */
  readonly night?: boolean;
  /** For its wheels and hands. */
  readonly seconds?: number;
}

/** Draws the prop at the context's 0,0 in the context's units. */
export function drawProp(
  context: Context,
  name: string,
  { paints, lit = 1, night = false, seconds = 0 }: PropLight,
): void {
  const file = propFile(name);
  const brush: Brush = { context, slots: new Slots(paints, file.slots), lit, night, seconds };
  context.save();
  context.scale(0.001, 0.001);
  drawParts(brush, file.parts);
  context.restore();
}

/** The stage's light as paints, beside those that are the prop's own. */
export function litBy({ palette, lit, dark }: Stage, own: Paints = {}): PropLight {
  const [zenith, sky, horizon] = palette.sky;
  const { light, near, far, accent, second } = palette;
  return {
    paints: {
      ...{ light, near, far, accent, second, zenith, sky, horizon, haze: palette.at(0.8) },
      ...{ dark: palette.dark, night: dark ? 1 : 0, distance: 0 },
      ...own,
    },
    lit,
    night: dark,
  };
}

/** Where a prop is in a set: its foot, its height in pixels, and whether it is turned round. */
interface Standing {
  readonly x: number;
  readonly base: number;
  readonly height: number;
  readonly way?: 1 | -1;
}

/** A prop as part of a set, in the stage's light. */
export function standProp(context: Context, stage: Stage, name: string, where: Standing, own: Paints = {}): void {
  const { x, base, height, way = 1 } = where;
  const light = litBy(stage, own);
  context.save();
  context.translate(x, base);
  context.scale(height * way, height);
  drawProp(context, name, { ...light, lit: stage.lit === way ? 1 : -1 });
  context.restore();
}

/** A prop that plays by itself; `after` draws what only code can: steam, a hand that ticks. */
export function propFigure(
  stage: Stage,
  name: string,
  own: Paints = {},
  { after, ...how }: Partial<Omit<Figure, 'draw'>> & { readonly after?: (context: Context, pose: Pose) => void } = {},
): Figure {
  const { box, moves } = propFile(name);
  const light = litBy(stage, own);
  return {
    box,
    stride: 0,
    rigid: !moves && !after,
    ...how,
    draw(context, pose) {
      drawProp(context, name, { ...light, seconds: pose.seconds });
      after?.(context, pose);
    },
  };
}

const files = new Map<string, PropFile>();

function propFile(name: string): PropFile {
  const known = files.get(name);
  if (known) return known;
  const file = readProp(readFileSync(new URL(`./props/${name}.svg`, import.meta.url), 'utf8'));
  files.set(name, file);
  return file;
}

interface Brush {
  readonly context: Context;
  readonly slots: Slots;
  readonly lit: 1 | -1;
  readonly night: boolean;
  readonly seconds: number;
}

function drawParts(brush: Brush, parts: readonly Part[]): void {
  for (const part of parts) part.kind === 'group' ? drawGroup(brush, part) : drawShape(brush, part);
}

function drawGroup(brush: Brush, { parts, night, sunward, clip, screen, blur, motions }: Group): void {
  if (night && !brush.night) return;
  const { context } = brush;
  context.save();
  if (sunward) context.scale(brush.lit, 1);
  if (clip) context.clip(clip.path, clip.rule);
  if (screen) context.globalCompositeOperation = 'screen';
  if (blur > 0) context.filter = `blur(${Math.max(0.3, blur * Math.abs(context.getTransform().a))}px)`;
  for (const motion of motions) move(context, motion, brush.seconds);
  drawParts(brush, parts);
  if (blur > 0) context.filter = 'none';
  context.restore();
}

function drawShape(brush: Brush, { path, rule, fill, stroke, matrix }: Shape): void {
  const { context } = brush;
  if (matrix) {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
    context.save();
    context.transform(a, b, c, d, e, f);
  }
  if (fill) {
    context.fillStyle = inked(brush, fill);
    context.fill(path, rule);
  }
  if (stroke) {
    context.strokeStyle = inked(brush, stroke);
    context.lineWidth = stroke.width;
    context.lineCap = stroke.cap;
    context.stroke(path);
  }
  if (matrix) context.restore();
}

function inked({ context, slots, lit }: Brush, { paint, alpha }: Ink): string | ReturnType<typeof gradientOn> {
  if (typeof paint === 'function') return css(paint(slots), alpha);
  const gradient = gradientOn(context, paint, lit);
  for (const stop of paint.stops) gradient.addColorStop(stop.at, css(stop.paint(slots), stop.alpha * alpha));
  return gradient;
}

/** Turned towards the light: a line from its other end, a circle in the other half. */
function gradientOn(context: Context, { at, sunward }: Gradient, lit: 1 | -1) {
  const mirrored = sunward && lit === -1;
  const [a = 0, b = 0, c = 0, d = 0, e, f = 0] = at;
  if (e !== undefined) return context.createRadialGradient(mirrored ? -a : a, b, c, mirrored ? -d : d, e, f);
  return mirrored ? context.createLinearGradient(c, d, a, b) : context.createLinearGradient(a, b, c, d);
}

function move(context: Context, { type, values, seconds }: Motion, now: number): void {
  const at = ((now / seconds) % 1) * (values.length - 1);
  const [from = [], to = []] = [values[Math.floor(at)], values[Math.ceil(at)]];
  const [x = 0, y = 0, z = 0] = from.map((value, i) => value + ((to[i] ?? value) - value) * (at % 1));
  switch (type) {
    case 'opacity':
      context.globalAlpha *= x;
      break;
    case 'rotate':
      context.translate(y, z);
      context.rotate((x * Math.PI) / 180);
      context.translate(-y, -z);
      break;
    case 'scale':
      context.scale(x, y);
      break;
    case 'translate':
      context.translate(x, y);
  }
}

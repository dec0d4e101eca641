/**
 * Props: what does not bend or walk, each drawn in a file of its own under `props/`, that any drawing program opens. A file names its
 * paints (`var(--paint)`) and gives them values to be seen with; the painter fills in the light of the stage and its own colours.
 */
import { readFileSync } from 'node:fs';
import type { Context } from './brush.ts';
import type { Figure, Pose } from './lighting.ts';
import { type PropFile, readProp } from './prop-file.ts';
import { type Paints, Slots } from './prop-paint.ts';
import type { Stage } from './stage.ts';

interface PropLight {
  readonly paints: Paints;
  /** The side the light comes from; default: 1. */
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
  context.save();
  context.scale(0.001, 0.001);
  file.draw({ context, slots: new Slots(paints, file.slots), lit, night, seconds });
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

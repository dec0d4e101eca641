/** Land seen from afar and near: ridges, haze between them, conifers, grass. Painters of places put them one behind the other. */

import { clamp, mixNumber } from '../../shared/random.ts';
import { type Colour, css, lighter, mix, WHITE } from '../prompt/palette.ts';
import { type Pen, type Point, samples } from './brush.ts';
import type { Stage } from './stage.ts';

interface Ridge {
  /** The line it stands on: units below the horizon, or a height in pixels. */
  readonly below?: number;
  readonly base?: number;
  /** How far it rises, in units. */
  readonly rise: number;
  /** Hills in the width of the frame, about. */
  readonly hills: number;
  /** 1 at the horizon, 0 here. */
  readonly distance: number;
  readonly octaves?: number;
  /** Height of its trees, in units; none without. */
  readonly trees?: number;
  readonly snow?: boolean;
  readonly colour?: Colour;
  /** Light along its upper edge, 0 to 1. */
  readonly rim?: number;
}

export function ridge(stage: Stage, it: Ridge): void {
  const { noise, palette, random, unit } = stage;
  const { hills, distance, octaves = 6, snow = false, colour = palette.at(distance), rim = 0.35 } = it;
  const base = it.base ?? stage.horizon + (it.below ?? 0) * unit;
  const [rise, trees] = [it.rise * unit, (it.trees ?? 0) * unit];
  const wide = Math.min(stage.width * 1.2, stage.height * 1.8);
  const offset = random.between(0, 90);
  const height = (x: number) => base - rise * (noise.ridge((x / wide) * hills + offset, octaves) ** 1.25 * 1.6 - 0.35);
  const line = samples(stage.left - 4, stage.right + 4, Math.max(1.5, stage.width / 640), height);
  const crest = Math.min(...line.map(([, y]) => y));
  const foot = stage.bottom + 10;
  const outline: readonly Point[] = [[stage.left - 4, foot], ...line, [stage.right + 4, foot]];
  stage.paint({ depth: 1 - distance, from: crest - trees * 1.15 - 6 }, pen => {
    const count = trees > 0 ? Math.round((stage.span / trees) * 2.1) : 0;
    for (let i = 0; i < count; i++) {
      const x = stage.anywhere();
      const tall = trees * random.between(0.45, 1.1);
      const white = snow ? snowAt(stage, distance) : undefined;
      conifer(stage, pen, { x, base: height(x) + trees * 0.08, tall, colour, snow: white });
    }
    const body = snow && trees > 0 ? snowAt(stage, distance) : colour;
    const air = mix(body, palette.sky[2], 0.55 * distance);
    const land = pen.fill(pen.down(crest, base + rise * 0.9, [0, body], [1, air]))`M${outline} Z`;
    pen.within(land, () => {
      if (snow && trees === 0) snowCaps(stage, pen, line, base, rise, colour);
      if (rim > 0) edgeOfLight(stage, pen, line, rim * (0.35 + 0.65 * (1 - distance)));
    });
  });
}

/** Snow takes the sky's colour in the shade and the sun's in the light. */
export const snowAt = (stage: Stage, distance: number): Colour => {
  const { palette } = stage;
  const shade = mix(mix(WHITE, palette.sky[1], 0.34), palette.near, palette.dark * 0.55);
  return mix(shade, palette.far, distance * 0.5);
};
export const snowLit = (stage: Stage): Colour =>
  mix(snowAt(stage, 0), lighter(stage.palette.light, 0.03), 0.55 * (1 - stage.palette.dark));

type Line = readonly Point[];

function snowCaps(stage: Stage, pen: Pen, line: Line, base: number, rise: number, colour: Colour): void {
  const { palette, random } = stage;
  const lit = mix(mix(WHITE, palette.light, 0.4), colour, 0.28);
  const shaded = mix(mix(WHITE, palette.sky[1], 0.5), colour, 0.45);
  for (let i = 1; i < line.length - 12; i += 3) {
    const [x, y] = line[i] ?? [0, 0];
    const [nx, ny] = line[i + 3] ?? [x, y];
    const high = clamp((base - rise * 0.3 - y) / (rise * 0.55));
    if (high <= 0) continue;
    const facing = (ny - y) * -stage.lit < 0;
    const deep = high * rise * random.between(0.1, 0.4);
    pen.fill(css(facing ? lit : shaded, 0.85))`M${x - 1} ${y - 3} L${nx + 3} ${ny - 3}
  L${nx + (nx - x) * random.between(-0.8, 1.5)} ${ny + deep * random.between(0.6, 1)}
  L${x + (nx - x) * random.between(-0.5, 1.2)} ${y + deep}`;
  }
}

function edgeOfLight(stage: Stage, pen: Pen, line: Line, alpha: number): void {
  pen.set({ strokeStyle: css(stage.palette.light, alpha), lineWidth: 3 * stage.unit });
  pen.context.beginPath();
  let drawing = false;
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1] ?? [0, 0];
    const [bx, by] = line[i] ?? [0, 0];
    const faces = (by - ay) * (bx < stage.sun.x ? -1 : 1) >= 0;
    if (!faces || Math.abs(bx - stage.sun.x) > stage.width * 0.6) {
      drawing = false;
      continue;
    }
    if (!drawing) pen.context.moveTo(ax, ay);
    drawing = true;
    pen.context.lineTo(bx, by);
  }
  pen.context.stroke();
}

/** Bright air across the stage, up and down from a height; `light` is the sun's share of its colour. */
export function haze(stage: Stage, y: number, tall: number, distance: number, alpha: number, light = 0.25): void {
  const colour = mix(stage.palette.sky[2], stage.palette.light, light);
  stage.paint({ depth: 1 - distance, from: y - tall, to: y + tall }, pen => {
    const air = pen.down(y - tall, y + tall, [0, colour, 0], [0.5, colour, alpha], [1, colour, 0]);
    pen.box(air, stage.left, y - tall, stage.span, tall * 2);
  });
}

interface Conifer {
  readonly x: number;
  readonly base: number;
  readonly tall: number;
  readonly colour: Colour;
  readonly snow?: Colour | undefined;
}

/** A spruce: tiers of drooping boughs, each a little ragged, snow on the upper side, light on one flank. */
export function conifer(stage: Stage, pen: Pen, { x, base, tall, colour, snow }: Conifer): void {
  const { random, lit } = stage;
  const { light } = stage.palette;
  const half = tall * random.between(0.16, 0.23);
  const tiers = tall < 40 ? 5 : tall < 120 ? 7 : 11;
  pen.box(lighter(colour, -0.04), x - tall * 0.012, base - tall * 0.12, tall * 0.024, tall * 0.14);
  const bough = (paint: Colour, alpha: number, tip: number, edge: Line, half = false) =>
    pen.fill(css(paint, alpha))`M${x} ${tip} L${half ? edge.filter(([ex]) => (ex - x) * lit >= 0) : edge} Z`;
  for (let i = tiers - 1; i >= 0; i--) {
    const top = base - tall + (tall * 0.9 * i) / tiers;
    const bottom = top + (tall / tiers) * 1.75;
    const reach = half * mixNumber(0.22, 1, ((i + 1) / tiers) ** 0.9) * random.between(0.86, 1.12);
    const teeth = tall < 40 ? 2 : 4;
    const edge: Point[] = [];
    for (let k = 0; k <= teeth * 2; k++) {
      const u = k / (teeth * 2);
      const droop = (1 - Math.abs(u - 0.5) * 2) * 0.26;
      const tooth = k % 2 === 1 ? -0.3 : 0;
      edge.push([
        x + reach * (1 - u * 2) * random.between(0.94, 1.06),
        bottom - (bottom - top) * (droop + tooth * -0.4 * random.between(0.7, 1.2)),
      ]);
    }
    bough(colour, 1, top, edge);
    if (tall > 26) bough(mix(colour, light, 0.24), 0.55, top, edge, true);
    if (!snow) continue;
    const cap = edge.map(([ex, ey]): Point => [x + (ex - x) * 0.86, top + (ey - top) * random.between(0.52, 0.74)]);
    bough(snow, 0.94, top, cap);
    bough(mix(snow, light, 0.55), 0.75, top, cap, true);
  }
}

/** Spruces before the lens that frame the picture: each at a part of the width, units tall. */
export function framingSpruces(
  stage: Stage,
  depth: number,
  trees: readonly (readonly [at: number, tall: number])[],
  colour: Colour,
  snow: Colour,
  from = stage.top,
): void {
  const { width, height, unit } = stage;
  const base = height * 1.05;
  stage.paint({ depth, still: true, from }, pen => {
    for (const [x, tall] of trees) conifer(stage, pen, { x: width * x, base, tall: tall * unit, colour, snow });
  });
}

interface Grass {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Blade height far and near, in units. */
  readonly blades: readonly [far: number, near: number];
  readonly colours: readonly [far: Colour, near: Colour];
}

export function grass(stage: Stage, pen: Pen, { from, to, count, blades, colours }: Grass): void {
  const { random, unit, palette } = stage;
  pen.context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const t = (i / count) ** 0.75;
    const y = mixNumber(from, to, t);
    const tall = mixNumber(blades[0] * unit, blades[1] * unit, t) * random.between(0.6, 1.3);
    const x = stage.anywhere();
    const base = mix(colours[0], colours[1], clamp(t * 1.25));
    const paint = css(random.chance(0.3) ? mix(base, palette.light, random.between(0.15, 0.5)) : base, 0.75);
    pen.stroke(paint, unit * mixNumber(0.8, 3.2, t))`M${x} ${y}
  Q${x + random.between(-0.1, 0.1) * tall} ${y - tall * 0.6} ${x + random.between(-0.4, 0.4) * tall} ${y - tall}`;
  }
}

interface WoodFloor {
  readonly base: number;
  readonly distance: number;
  readonly lit: Colour;
  readonly foot: Colour;
  /** Of its grass; none in winter. */
  readonly blades?: Grass['colours'];
}

/** The ground among trees, uneven, with grass on it. */
export function woodFloor(stage: Stage, pen: Pen, { base, distance, lit, foot, blades: colours }: WoodFloor): void {
  const { unit, width, height, noise } = stage;
  const line = (x: number) => base - 24 * unit * noise.ridge((x / width) * 6 + distance * 40, 4);
  pen.fill(pen.down(base - 20 * unit, base + height * 0.2, [0, lit], [1, foot]))`M${stage.land(8, line, 8)}`;
  if (!colours) return;
  const count = Math.round(270 * (stage.span / width));
  const blades = [10, 37 * (1.3 - distance)] as const;
  grass(stage, pen, { from: base - 8 * unit, to: base + 90 * unit, count, blades, colours });
}

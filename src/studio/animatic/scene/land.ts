/** Land seen from afar and near: ridges, haze between them, conifers, grass. Painters of places put them one behind the other. */

import { clamp, mixNumber, type Random } from '../../random.ts';
import { type Colour, css, lighter, mix, WHITE } from '../prompt/palette.ts';
import type { Pen, Point } from './brush.ts';
import type { Stage } from './stage.ts';

interface Ridge {
  /** The line it stands on, and how far it rises, in pixels. */
  readonly base: number;
  readonly rise: number;
  /** Hills in the width of the frame, about. */
  readonly hills: number;
  /** 1 at the horizon, 0 here. */
  readonly distance: number;
  readonly octaves?: number;
  readonly roughness?: number;
  /** Height of its trees, in pixels; none without. */
  readonly trees?: number;
  readonly snow?: boolean;
  readonly colour?: Colour;
  /** Light along its upper edge, 0 to 1. */
  readonly rim?: number;
}

/** Returns the height of its outline at an x. */
export function ridge(
  stage: Stage,
  {
    base,
    rise,
    hills,
    distance,
    octaves = 6,
    roughness = 0.5,
    trees = 0,
    snow = false,
    colour = stage.palette.at(distance),
    rim = 0.35,
  }: Ridge,
): (x: number) => number {
  const { noise, palette, random, unit } = stage;
  const wide = Math.min(stage.width * 1.2, stage.height * 1.8);
  const offset = random.between(0, 90);
  const height = (x: number) =>
    base - rise * (noise.ridge((x / wide) * hills + offset, octaves, roughness) ** 1.25 * 1.6 - 0.35);
  const step = Math.max(1.5, stage.width / 640);
  const line: Point[] = [];
  for (let x = stage.left - 4; x <= stage.right + 4; x += step) line.push([x, height(x)]);
  const crest = Math.min(...line.map(([, y]) => y));
  stage.paint({ depth: 1 - distance, from: crest - trees * 1.15 - 6 }, pen => {
    if (trees > 0) {
      const count = Math.round((stage.span / trees) * 2.1);
      for (let i = 0; i < count; i++) {
        const x = stage.anywhere();
        conifer(pen, random, {
          x,
          base: height(x) + trees * 0.08,
          height: trees * random.between(0.45, 1.1),
          colour,
          snow: snow ? snowAt(stage, distance) : null,
          light: palette.light,
          lit: stage.lit,
        });
      }
    }
    const outline = () => {
      pen.trace`M${stage.left - 4} ${stage.bottom + 10} L${line} L${stage.right + 4} ${stage.bottom + 10} Z`;
    };
    const body = snow && trees > 0 ? snowAt(stage, distance) : colour;
    outline();
    pen.context.fillStyle = pen.down(
      crest,
      base + rise * 0.9,
      [0, body],
      [1, mix(body, palette.sky[2], 0.55 * distance)],
    );
    pen.context.fill();
    if (snow && trees === 0) snowCaps(stage, pen, outline, line, base, rise, colour);
    if (rim > 0) edgeOfLight(stage, pen, outline, line, rim * (0.35 + 0.65 * (1 - distance)), 3 * unit);
  });
  return height;
}

/** Snow takes the sky's colour in the shade and the sun's in the light. */
export const snowAt = (stage: Stage, distance: number): Colour => {
  const { palette } = stage;
  const shade = mix(mix(WHITE, palette.sky[1], 0.34), palette.near, palette.dark * 0.55);
  return mix(shade, palette.far, distance * 0.5);
};
export const snowLit = (stage: Stage): Colour =>
  mix(snowAt(stage, 0), lighter(stage.palette.light, 0.03), 0.55 * (1 - stage.palette.dark));

function snowCaps(
  stage: Stage,
  pen: Pen,
  outline: () => void,
  line: readonly Point[],
  base: number,
  rise: number,
  colour: Colour,
): void {
  const { palette, random } = stage;
  pen.context.save();
  outline();
  pen.context.clip();
  const lit = mix(mix(WHITE, palette.light, 0.4), colour, 0.28);
  const shaded = mix(mix(WHITE, palette.sky[1], 0.5), colour, 0.45);
  for (let i = 1; i < line.length - 12; i += 3) {
    const [x, y] = line[i] ?? [0, 0];
    const [nx, ny] = line[i + 3] ?? [x, y];
    const high = clamp((base - rise * 0.3 - y) / (rise * 0.55));
    if (high <= 0) continue;
    const facing = (ny - y) * -stage.lit < 0;
    pen.context.fillStyle = css(facing ? lit : shaded, 0.85);
    pen.trace`M${x - 1} ${y - 3} L${nx + 3} ${ny - 3}`;
    const deep = high * rise * random.between(0.1, 0.4);
    pen.context.lineTo(nx + (nx - x) * random.between(-0.8, 1.5), ny + deep * random.between(0.6, 1));
    pen.context.lineTo(x + (nx - x) * random.between(-0.5, 1.2), y + deep);
    pen.context.fill();
  }
  pen.context.restore();
}

function edgeOfLight(
  stage: Stage,
  pen: Pen,
  outline: () => void,
  line: readonly Point[],
  alpha: number,
  width: number,
): void {
  pen.context.save();
  outline();
  pen.context.clip();
  pen.context.strokeStyle = css(stage.palette.light, alpha);
  pen.context.lineWidth = width;
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
  pen.context.restore();
}

export function haze(stage: Stage, y: number, height: number, distance: number, alpha: number): void {
  const colour = mix(stage.palette.sky[2], stage.palette.light, 0.25);
  stage.paint({ depth: 1 - distance, from: y - height, to: y + height }, pen => {
    pen.box(
      pen.down(y - height, y + height, [0, colour, 0], [0.5, colour, alpha], [1, colour, 0]),
      stage.left,
      y - height,
      stage.span,
      height * 2,
    );
  });
}

interface Conifer {
  readonly x: number;
  readonly base: number;
  readonly height: number;
  readonly colour: Colour;
  /** Snow on its boughs, or none. */
  readonly snow: Colour | null;
  readonly light: Colour;
  readonly lit: 1 | -1;
}

/** A spruce: tiers of drooping boughs, each a little ragged, snow on the upper side, light on one flank. */
export function conifer(pen: Pen, random: Random, { x, base, height, colour, snow, light, lit }: Conifer): void {
  const half = height * random.between(0.16, 0.23);
  const tiers = height < 40 ? 5 : height < 120 ? 7 : 11;
  pen.box(lighter(colour, -0.04), x - height * 0.012, base - height * 0.12, height * 0.024, height * 0.14);
  for (let i = tiers - 1; i >= 0; i--) {
    const top = base - height + (height * 0.9 * i) / tiers;
    const bottom = top + (height / tiers) * 1.75;
    const reach = half * mixNumber(0.22, 1, ((i + 1) / tiers) ** 0.9) * random.between(0.86, 1.12);
    const teeth = height < 40 ? 2 : 4;
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
    pen.context.fillStyle = css(colour);
    bough(pen, [x, top], edge);
    if (height > 26) {
      pen.context.fillStyle = css(mix(colour, light, 0.24), 0.55);
      bough(
        pen,
        [x, top],
        edge.filter(([ex]) => (ex - x) * lit >= 0),
      );
    }
    if (!snow) continue;
    pen.context.fillStyle = css(snow, 0.94);
    const cap = edge.map(([ex, ey]): Point => [x + (ex - x) * 0.86, top + (ey - top) * random.between(0.52, 0.74)]);
    bough(pen, [x, top], cap);
    pen.context.fillStyle = css(mix(snow, light, 0.55), 0.75);
    bough(
      pen,
      [x, top],
      cap.filter(([ex]) => (ex - x) * lit >= 0),
    );
  }
}

function bough(pen: Pen, tip: Point, edge: readonly Point[]): void {
  pen.trace`M${tip} L${edge} Z`;
  pen.context.fill();
}

interface Grass {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Blade height far and near, in pixels. */
  readonly blades: readonly [far: number, near: number];
  readonly colours: readonly [far: Colour, near: Colour];
  readonly bright: Colour;
}

export function grass(stage: Stage, pen: Pen, { from, to, count, blades, colours, bright }: Grass): void {
  const { random, unit } = stage;
  pen.context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const t = (i / count) ** 0.75;
    const y = mixNumber(from, to, t);
    const tall = mixNumber(blades[0], blades[1], t) * random.between(0.6, 1.3);
    const x = stage.anywhere();
    const base = mix(colours[0], colours[1], clamp(t * 1.25));
    pen.stroke(
      css(random.chance(0.3) ? mix(base, bright, random.between(0.15, 0.5)) : base, 0.75),
      unit * mixNumber(0.8, 3.2, t),
    )`M${x} ${y}
  Q${x + random.between(-0.1, 0.1) * tall} ${y - tall * 0.6} ${x + random.between(-0.4, 0.4) * tall} ${y - tall}`;
  }
}

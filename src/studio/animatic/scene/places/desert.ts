/** Dunes: a crest of light, a lit face with ripples, a face in shade. On Mars the same wind over red stone. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Pen, type Point, rows, samples, spline } from '../brush.ts';
import { haze, ridge } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';
import { drives, roadAcross } from './open.ts';

export function desert(stage: Stage): void {
  const { horizon, unit, height, palette } = stage;
  const mars = stage.shot.extras.includes('mars');
  const grain = mars ? lch(0.53, 0.125, 42) : lch(0.72, 0.1, 68);
  const sand = (distance: number) => mix(palette.at(distance), grain, 0.68 * (1 - palette.dark * 1.4));
  sky(stage, { clouds: mars ? 0.05 : 0.2 });
  if (mars) dustySky(stage);
  const range = mars ? { rise: 190, hills: 2.6, octaves: 6 } : { rise: 110, hills: 1.4, octaves: 3 };
  ridge(stage, { below: 5, ...range, distance: 0.9, rim: 0.5, colour: sand(0.9) });
  haze(stage, horizon + 8 * unit, 70 * unit, 0.85, 0.4);
  for (const [drop, rise, hills, distance] of rows([70, 150, 1.5, 0.66], [190, 200, 1.2, 0.4], [330, 150, 1, 0.24]))
    dune(stage, { base: horizon + drop * unit, rise: rise * unit, hills, distance, colour: sand(distance) });
  if (mars) stones(stage, sand(0.1));
  const rides = drives(stage);
  if (rides) stage.paint({ depth: 0.66, from: height * 0.7 }, pen => roadAcross(stage, pen));
  stage.ground = height * (rides ? 0.895 : 0.87);
}

interface Dune {
  readonly base: number;
  readonly rise: number;
  readonly hills: number;
  readonly distance: number;
  readonly colour: Colour;
}

function dune(stage: Stage, { base, rise, hills, distance, colour }: Dune): void {
  const { noise, palette, random, unit, lit } = stage;
  const wide = Math.min(stage.width * 1.2, stage.height * 1.8);
  const offset = random.between(0, 60);
  const height = (x: number) => base - rise * (noise.ridge((x / wide) * hills + offset, 2, 0.4) ** 1.3 * 1.55 - 0.3);
  const line = samples(stage.left - 8, stage.right + 8, 6, height);
  const crest = Math.min(...line.map(([, y]) => y));
  const bright = mix(lighter(colour, 0.05), palette.light, 0.26 * (1 - palette.dark));
  const shade = mix(lighter(colour, -0.1), mix(palette.near, palette.sky[0], 0.4), 0.4);
  stage.paint({ depth: 1 - distance, from: crest - 6 }, pen => {
    const foot = mix(lighter(colour, -0.1), palette.near, 0.25 * (1 - distance));
    const face = pen.down(crest, base + rise * 1.1, [0, bright], [0.3, colour], [1, foot]);
    const body = pen.fill(
      face,
    )`M${stage.left - 8} ${stage.bottom + 4} L${line} L${stage.right + 8} ${stage.bottom + 4} Z`;
    pen.within(body, () => {
      ripples(pen, stage, { height, bright, shade, rise, near: 1 - distance });
      for (const at of peaks(line)) slipFace(pen, line, at, lit, rise, shade);
    });
    const edge = line.map(([x, y]): Point => [x, y + unit]);
    pen.stroke(css(mix(palette.light, bright, 0.3), 0.5), 2.4 * unit)`M${edge}`;
  });
}

/** Indices of the crests. */
function peaks(line: readonly Point[]): number[] {
  const reach = 14;
  return line.flatMap(([, y], i) => {
    const near = line.slice(Math.max(0, i - reach), i + reach + 1);
    return i > reach && i < line.length - reach && near.every(([, other]) => other >= y) ? [i] : [];
  });
}

/** The side away from the light, its edge winding down from the crest. */
function slipFace(pen: Pen, line: readonly Point[], at: number, lit: 1 | -1, rise: number, shade: Colour): void {
  const [x, y] = line[at] ?? [0, 0];
  const away = -lit;
  let end = at;
  while (line[end + away] && (line[end + away]?.[1] ?? 0) >= (line[end]?.[1] ?? 0) - 0.2) end += away;
  const [footX, footY] = line[end] ?? [x, y];
  if (Math.abs(footX - x) < rise * 0.5) return;
  const deep = rise * 1.25;
  const edge: Point[] = [];
  for (let i = at; i !== end; i += away) edge.push(line[i] ?? [x, y]);
  pen.fill(pen.down(y, y + deep, [0, shade, 0.72], [0.55, shade, 0.4], [1, shade, 0]))`M${x} ${y} L${edge}
  L${footX} ${footY} L${footX + away * rise * 0.4} ${footY + deep} L${x - away * rise * 0.5} ${y + deep}
  C${x - away * rise * 0.55} ${y + deep * 0.62} ${x + away * rise * 0.62} ${y + deep * 0.5} ${x} ${y}`;
}

interface Face {
  readonly height: (x: number) => number;
  readonly bright: Colour;
  readonly shade: Colour;
  readonly rise: number;
  readonly near: number;
}

function ripples(pen: Pen, stage: Stage, { height, bright, shade, rise, near }: Face): void {
  const { random, unit, noise, width } = stage;
  pen.context.lineCap = 'round';
  for (let i = 0; i < 150 * near + 20; i++) {
    const t = random.next();
    const x = stage.anywhere();
    const long = unit * random.between(60, 260) * (0.5 + near * t);
    const drop = rise * (0.08 + 1.9 * t ** 1.4);
    const bend = (noise.line((x / width) * 5 + i) - 0.5) * 26 * unit;
    const points: Point[] = [0, 0.33, 0.66, 1].map(
      (u): Point => [
        x + long * u,
        height(x + long * u) * (1 - t * 0.5) + height(x) * t * 0.5 + drop + Math.sin(u * Math.PI) * bend,
      ],
    );
    pen.context.lineWidth = unit * (0.8 + 2.6 * t * near);
    pen.context.strokeStyle = css(i % 2 === 0 ? bright : shade, (0.05 + 0.16 * t) * (0.4 + 0.6 * near));
    pen.context.stroke(spline(points, { closed: false }));
  }
}

/** Butter-coloured air. */
function dustySky(stage: Stage): void {
  const dust = lch(0.72 - stage.palette.dark * 0.7, 0.085, 52);
  stage.paint({ depth: 0.03, still: true }, pen => {
    pen.box(pen.down(stage.top, stage.horizon * 1.1, [0, lighter(dust, -0.22), 0.66], [1, dust, 0.62]), ...stage.all);
  });
}

function stones(stage: Stage, colour: Colour): void {
  const { random, unit, palette, lit, height } = stage;
  stage.paint(0.72, pen => {
    for (let i = 0; i < 70; i++) {
      const t = random.next() ** 1.6;
      const y = height * (0.8 + 0.24 * t);
      const x = stage.anywhere();
      const size = unit * random.between(3, 22) * (0.5 + t);
      pen.ellipse(css(lighter(colour, -0.16), 0.5), x - lit * size * 0.5, y + size * 0.28, size * 1.3, size * 0.28);
      pen.ellipse(lighter(colour, -0.08), x, y, size, size * 0.66, random.spread() * 0.2);
      const paint = css(mix(lighter(colour, 0.04), palette.light, 0.3), 0.8);
      pen.ellipse(paint, x + lit * size * 0.28, y - size * 0.2, size * 0.6, size * 0.36);
    }
  });
}

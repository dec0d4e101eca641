/** A city from the air: blocks between their streets out to the haze, roofs in the light, windows and avenues lit after dark. */
import { clamp } from '../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Pen, type Point, rows } from '../brush.ts';
import { haze } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';
import colours from '../subjects/data/colours.json' with { type: 'json' };
import { coloursOf } from '../subjects/people/portrait-brush.ts';

/** From here to there, in blocks before the lens; nearer ones move more. */
const BELTS = rows([30, 11, 0.2], [11, 5, 0.4], [5, 1.7, 0.62]);
/** How high the camera flies, in blocks. */
const FLIGHT = 3;
const STREET = 0.17;

const STONES = coloursOf(colours.stones);

export function cityAbove(stage: Stage): void {
  const { width, height, unit, palette, dark } = stage;
  sky(stage, { clouds: 0.5 });
  const horizon = height * 0.3;
  // Light of the hour stands over the roofs, not over the ground before our feet.
  stage.paint({ depth: 0.16, from: horizon, still: true }, pen => {
    const ground = mix(palette.near, lch(0.4, 0.012, 250), dark ? 0.2 : 0.5);
    const middle = mix(ground, palette.at(0.8), 0.45);
    pen.box(pen.down(horizon, height, [0, palette.at(0.95)], [0.25, middle], [1, ground]), ...stage.from(horizon));
  });
  const focus = width >= height ? height * 0.82 : width * 0.9;
  const view: View = {
    focus,
    at: (x, y, z) => [width / 2 + (x * focus) / z, horizon + ((FLIGHT - y) * focus) / z],
  };
  for (const [from, to, depth] of BELTS) {
    stage.paint({ depth, still: true }, pen => {
      for (let z: number = from; z > to; z--) row(stage, pen, view, z);
    });
    if (depth < 0.6) haze(stage, horizon + unit * (depth < 0.3 ? 30 : 120), 150 * unit, 1 - depth, 0.3);
  }
  if (!flies(stage)) roofBelow(stage);
  stage.ground = height * 0.92;
}

const flies = ({ shot: { subject } }: Stage): boolean =>
  !subject ||
  ['bird', 'plane', 'balloon', 'rocket', 'butterfly'].includes(subject.kind) ||
  subject.glyph?.home === 'sky';

/** What cannot fly stands on a roof before all the others. */
function roofBelow(stage: Stage): void {
  const { height, unit, palette, dark } = stage;
  const top = height * 0.84;
  const slab = mix(mix(palette.near, lch(0.56, 0.015, 60), dark ? 0.3 : 0.66), palette.light, 0.08);
  stage.paint({ depth: 0.72, from: top - 14 * unit, still: true }, pen => {
    const shade = pen.down(top, height * 1.1, [0, mix(slab, palette.light, 0.12)], [1, lighter(slab, -0.14)]);
    pen.box(shade, ...stage.from(top));
    pen.box(lighter(slab, 0.06), stage.left, top - 12 * unit, stage.span, 16 * unit);
    pen.box(css(lighter(slab, -0.16), 0.7), stage.left, top + 4 * unit, stage.span, 7 * unit);
  });
}

interface View {
  /** Pixels of one block at a distance of one block. */
  readonly focus: number;
  /** Where a point is in the frame: across, up and away, in blocks. */
  readonly at: (x: number, y: number, z: number) => Point;
}

function row(stage: Stage, pen: Pen, view: View, z: number): void {
  const { palette, dark, random } = stage;
  const { at } = view;
  const reach = Math.ceil(((stage.span / 2) * z) / view.focus) + 1;
  if (dark) {
    const paint = css(lch(0.84, 0.13, 72), 0.5 * clamp(4 / z));
    const wide = Math.max(0.7, (view.focus / z) * 0.05);
    pen.stroke(paint, wide)`M${at(-reach, 0, z + 0.5)} L${at(reach, 0, z + 0.5)}`;
    for (let x = -reach; x <= reach; x++) {
      pen.stroke(paint, wide)`M${at(x, 0, z + 0.5)} L${at(x, 0, Math.max(0.8, z - 0.5))}`;
    }
  }
  // From both sides to the middle, so that nearer walls cover what stands behind them.
  for (let i = reach; i >= 1; i--)
    for (const column of [-i, i - 1]) {
      // Towers stand together where a town is dear.
      const dear = clamp((stage.noise.cloud(column * 0.21 + 7, z * 0.21, 3) - 0.38) * 3.4);
      const tall = random.chance(0.08 + 0.42 * dear)
        ? random.between(1.1, 2.75)
        : random.between(0.22, 0.5 + 0.7 * dear);
      const stone = random.pick(STONES);
      const far = clamp((z - 2) / 26) ** 0.7;
      const body = mix(mix(palette.near, stone, dark ? 0.12 : 0.62 - palette.dark), palette.at(0.92), far * 0.86);
      building(stage, pen, at, { column, z, tall, body, far });
    }
}

interface Building {
  readonly column: number;
  readonly z: number;
  readonly tall: number;
  readonly body: Colour;
  /** 0 here to 1 at the horizon. */
  readonly far: number;
}

function building(stage: Stage, pen: Pen, at: View['at'], { column, z, tall, body, far }: Building): void {
  const { lit, palette, random } = stage;
  const slim = tall > 1.1 ? random.between(0.06, 0.16) : 0;
  const [left, right] = [column + STREET + slim, column + 1 - STREET * random.between(0.6, 1.2) - slim];
  const [front, back] = [z - 0.5 + STREET + slim, z + 0.5 - STREET * random.between(0.4, 1) - slim];
  if (front < 0.9) return;
  const inner = column >= 0 ? left : right;
  const sunny = (column >= 0 ? -1 : 1) === lit;
  const side = sunny ? mix(body, palette.light, 0.24 * (1 - far)) : lighter(body, -0.08 * (1 - far));
  pen.fill(side)`M${at(inner, 0, front)} ${at(inner, tall, front)} ${at(inner, tall, back)} ${at(inner, 0, back)}`;
  const [nearLeft, nearRight, foot] = [at(left, tall, front), at(right, tall, front), at(left, 0, front)];
  const low = mix(lighter(body, -0.1), palette.at(0.9), far * 0.6);
  const face = pen.down(nearLeft[1], foot[1], [0, lighter(body, -0.02)], [1, low]);
  pen.fill(face)`M${foot} ${nearLeft} ${nearRight} ${at(right, 0, front)}`;
  const roof = mix(lighter(body, 0.05), palette.light, (0.34 - palette.dark * 0.5) * (1 - far * 0.6));
  pen.fill(roof)`M${nearLeft} ${nearRight} ${at(right, tall, back)} ${at(left, tall, back)}`;
  windows(stage, pen, nearLeft, at(right, 0, front), far);
}

function windows(stage: Stage, pen: Pen, [x0, y0]: Point, [x1, y1]: Point, far: number): void {
  const { random, dark, palette, unit } = stage;
  const step = Math.max(3.6 * unit, (x1 - x0) / 10);
  if (x1 - x0 < 7 * unit) return;
  const warm = mix(palette.light, lch(0.88, 0.12, 78), 0.65);
  const glass = mix(lighter(palette.sky[1], -0.22), palette.sky[2], 0.3);
  for (let y = y0 + step * 0.7; y < y1 - step * 0.6; y += step * 1.15)
    for (let x = x0 + step * 0.45; x < x1 - step * 0.6; x += step) {
      if (!random.chance(dark ? 0.42 : 0.85)) continue;
      const paint = dark
        ? css(random.chance(0.85) ? warm : palette.accent, random.between(0.35, 0.95) * (1 - far * 0.6))
        : css(glass, 0.5 * (1 - far));
      pen.box(paint, x, y, step * 0.52, step * 0.62);
    }
}

/** Among trees: trunks one behind the other into bright air, light falling through them; bare and white in winter. */

import { mixNumber } from '../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, glow, outline, type Pen, type Point, path, rows, spline, surface } from '../brush.ts';
import { conifer, haze, snowAt, snowLit, woodFloor } from '../land.ts';
import { standProp } from '../prop.ts';
import type { Stage } from '../stage.ts';

/** Far to near: distance, trunks in a frame's width, their width and where their ground is. */
const ROWS = [
  { distance: 0.9, trunks: 24, wide: 13, ground: 0.66 },
  { distance: 0.7, trunks: 16, wide: 22, ground: 0.71 },
  { distance: 0.48, trunks: 10, wide: 38, ground: 0.79 },
  { distance: 0.26, trunks: 6, wide: 66, ground: 0.88 },
] as const;

export function forest(stage: Stage): void {
  const { palette, height, width, unit, random } = stage;
  const air = mix(palette.sky[2], palette.light, 0.3);
  stage.paint(0, pen => {
    const [crowns, open, low] = [
      mix(palette.sky[1], palette.near, 0.25),
      mix(air, palette.sky[1], 0.3),
      mix(air, palette.near, 0.3),
    ];
    const stops = rows([0, crowns], [0.45, open], [0.75, low], [1, palette.near]);
    pen.box(pen.down(stage.top, height * 1.1, ...stops), ...stage.all);
    pen.shine(glow(200, palette.light), 0.75, stage.sun.x, height * 0.24, width * 0.5);
  });
  const { extras } = stage.shot;
  const grows = extras.includes('bamboo')
    ? bamboo
    : extras.some(extra => extra === 'jungle' || extra === 'waterfall') && !stage.shot.winter
      ? jungle
      : trunks;
  for (const row of ROWS) {
    stage.paint(1 - row.distance, pen => grows(stage, pen, row));
    if (row.distance === 0.7 && extras.includes('waterfall')) waterfall(stage);
    if (row.distance > 0.4) haze(stage, row.ground * height, 150 * unit, row.distance, 0.3, 0.3);
  }
  shafts(stage);
  if (grows !== trunks) {
    canopy(stage, grows === bamboo);
    stage.ground = height * 0.87;
    return;
  }
  const frame = mix(palette.near, palette.at(0.12), 0.5);
  stage.paint(0.95, pen => {
    pen.context.fillStyle = css(frame);
    for (const x of [-0.04, 1.03]) trunk(stage, pen, width * x, 150 * unit, height * 1.2, frame);
    for (let i = 0; i < 30; i++) {
      pen.context.fillStyle = css(lighter(frame, random.between(-0.02, 0.05)), 0.95);
      const x = random.chance(0.5) ? random.between(-0.1, 0.2) : random.between(0.8, 1.1);
      const y = height * random.between(-0.1, 0.08);
      const [rx, ry] = [unit * random.between(50, 150), unit * random.between(20, 60)];
      ellipse(pen.context, x * width, y, rx, ry, random.spread() * 0.4);
    }
  });
  stage.ground = height * 0.87;
}

function trunks(stage: Stage, pen: Pen, { distance, trunks: count, wide, ground }: (typeof ROWS)[number]): void {
  const { random, unit, width, height, palette } = stage;
  const colour = mix(palette.at(distance), lch(0.34, 0.035, 60), 0.22 * (1 - distance));
  const base = height * ground;
  const number = Math.round((count * stage.span) / width);
  for (const x of stage.spaced(number, distance < 0.5 ? 0.16 : 0)) {
    if (stage.shot.winter && random.chance(0.55)) {
      const tall = unit * mixNumber(560, 1000, 1 - distance) * random.between(0.6, 1.1);
      const green = mix(palette.at(distance), lch(0.3, 0.03, 170), 0.2);
      conifer(stage, pen, { x, base: base + 8 * unit, tall, colour: green, snow: snowAt(stage, distance) });
    } else trunk(stage, pen, x, wide * unit * random.between(0.6, 1.25), base + 8 * unit, colour);
  }
  if (stage.shot.winter) {
    const floor = mix(snowAt(stage, distance), palette.at(distance), 0.1);
    woodFloor(stage, pen, { base, distance, lit: mix(floor, snowLit(stage), 0.5), foot: lighter(floor, -0.08) });
    return;
  }
  const floor = mix(colour, lch(0.42, 0.06, 120), 0.25 * (1 - distance));
  const [lit, foot] = [mix(floor, palette.light, 0.22), lighter(floor, -0.08)];
  woodFloor(stage, pen, { base, distance, lit, foot, blades: [lighter(floor, 0.03), lighter(floor, -0.05)] });
}

function trunk(stage: Stage, pen: Pen, x: number, wide: number, base: number, colour: Colour): void {
  const { random, height, palette, lit } = stage;
  const [bright, shade] = [mix(colour, palette.light, 0.3), lighter(colour, -0.03)];
  const [from, to] = lit === 1 ? [shade, bright] : [bright, shade];
  const light = pen.across(x - wide * 0.5, x + wide * 0.5, [0, from], [0.5, colour], [1, to]);
  pen.fill(light)`M${x - wide * 0.8} ${base}
  C${x - wide * 0.5} ${base - height * 0.1} ${x - wide * 0.42} ${height * 0.3} ${x - wide * 0.32} ${-height * 0.2}
  L${x + wide * 0.32} ${-height * 0.2}
  C${x + wide * 0.42} ${height * 0.3} ${x + wide * 0.5} ${base - height * 0.1} ${x + wide * 0.85} ${base}`;
  pen.context.lineCap = 'round';
  for (let i = 0; i < 4; i++) {
    const y = height * random.between(-0.05, 0.45);
    const side = random.sign();
    const thick = wide * random.between(0.08, 0.2);
    const tip: Point = [x + side * wide * random.between(2.4, 4.4), y - wide * random.between(1, 2.8)];
    const bough = (dy: number) =>
      path`M${x} ${y - dy} Q${x + side * wide * 1.6} ${y - wide * 0.5 - dy} ${tip[0]} ${tip[1] - dy}`;
    pen.set({ strokeStyle: css(colour), lineWidth: thick });
    pen.context.stroke(bough(0));
    if (!stage.shot.winter) continue;
    pen.set({ strokeStyle: css(mix(WHITE, palette.sky[1], 0.3), 0.8), lineWidth: thick / 2 });
    pen.context.stroke(bough(thick * 0.35));
  }
}

interface Beams {
  readonly x?: number;
  readonly y?: number;
  readonly count?: number;
  /** Radians from straight down. */
  readonly lean?: number;
  readonly strength?: number;
}

/** Beams through the crowns; they swell and fade as leaves move. Also used indoors. */
export function shafts(stage: Stage, beams: Beams = {}): void {
  const { x = stage.sun.x, y = -stage.height * 0.06, count = 7, lean = 0, strength = 1 } = beams;
  const { random, height, palette, width } = stage;
  const { canvas, pen } = surface(width / 3, height / 3);
  pen.context.scale(1 / 3, 1 / 3);
  pen.context.filter = `blur(${Math.max(0.5, 3 * stage.unit)}px)`;
  pen.context.translate(x, y);
  for (let i = 0; i < count; i++) {
    const angle = lean + random.spread() * 0.42;
    const wide = random.between(0.02, 0.06);
    pen.fill(
      pen.radial([0, 0, height * 0.05, 0, 0, height * 1.3], [0, palette.light, 0.3 * strength], [1, palette.light, 0]),
    )`M0 0 L${Math.sin(angle - wide) * height * 1.5} ${Math.cos(angle - wide) * height * 1.5}
  L${Math.sin(angle + wide) * height * 1.5} ${Math.cos(angle + wide) * height * 1.5}`;
  }
  stage.move({
    depth: 0.7,
    draw(pen, { seconds, pulse }, at) {
      pen.context.globalCompositeOperation = 'screen';
      pen.context.globalAlpha = Math.min(1, 0.72 + 0.2 * Math.sin(seconds * 0.9) + pulse * 0.3);
      const [left, top] = [at.x(0) - width * 0.02, at.y(0) - height * 0.02];
      pen.context.drawImage(canvas, left, top, width * at.scale * 1.04, height * at.scale * 1.04);
      pen.set({ globalAlpha: 1, globalCompositeOperation: 'source-over' });
    },
  });
}

/** Where it is warm and wet: bamboo, big leaves, a fall of water between far trees and near ones. */

interface Row {
  readonly distance: number;
  readonly ground: number;
}

/** Leaves at a distance. */
const leafAt = ({ palette }: Stage, distance: number): Colour =>
  mix(palette.at(distance * 0.95), lch(0.52, 0.11, 138), (0.62 - 0.42 * distance) * (1 - palette.dark * 1.3));

function bamboo(stage: Stage, pen: Pen, { distance, ground }: Row): void {
  const { random, unit, width, height, palette, lit } = stage;
  const base = height * ground;
  const near = 1 - distance;
  const count = Math.round((10 + 34 * distance) * (stage.span / width));
  const colour = mix(leafAt(stage, distance), lch(0.66, 0.12, 118), 0.3 * near * (1 - palette.dark * 1.3));
  for (const x of stage.spaced(count, distance < 0.5 ? 0.17 : 0)) {
    const wide = unit * (6 + 26 * near) * random.between(0.7, 1.2);
    const lean = random.spread() * 40 * unit;
    const tone = lighter(colour, random.between(-0.05, 0.03));
    const joints = unit * (60 + 120 * near);
    for (let y = base + 10 * unit, k = 0; y > -0.2 * height; y -= joints, k++) {
      const slide = lean * ((base - y) / height);
      const [from, to] = lit === 1 ? [-0.09, 0.08] : [0.08, -0.09];
      const edge = lit === 1 ? mix(lighter(tone, to), palette.light, 0.2) : lighter(tone, to);
      const [left, right] = [x + slide - wide / 2, x + slide + wide / 2];
      const cane = pen.across(left, right, [0, lighter(tone, from)], [0.5, tone], [1, edge]);
      pen.box(cane, x + slide - wide / 2, y - joints + unit * (1 + 2 * near), wide, joints - unit * (1 + 2 * near));
      pen.box(lighter(tone, -0.1), x + slide - wide * 0.56, y - joints, wide * 1.12, unit * (1.4 + 3 * near));
      if (k < 3 || !random.chance(0.45)) continue;
      for (let leaf = 0; leaf < 4; leaf++) {
        const long = wide * random.between(2, 4.4);
        blade(pen, x + slide, y - joints, long, random.between(0.1, 1.1) * random.sign(), tone);
      }
    }
  }
  floorOfLeaves(stage, pen, base, colour, distance);
}

function floorOfLeaves(stage: Stage, pen: Pen, base: number, colour: Colour, distance: number): void {
  const { palette } = stage;
  const [lit, foot] = [mix(colour, palette.light, 0.2), lighter(mix(colour, palette.near, 0.4), -0.06)];
  woodFloor(stage, pen, { base, distance, lit, foot, blades: [colour, lighter(colour, -0.08)] });
}

/** One long leaf from its stalk outwards and down. */
function blade(pen: Pen, x: number, y: number, long: number, droop: number, colour: Colour): void {
  const side = Math.sign(droop) || 1;
  const [tx, ty] = [x + side * long, y + Math.abs(droop) * long * 0.6];
  pen.fill(css(lighter(colour, 0.03 * side), 0.92))`M${x} ${y}
  Q${x + side * long * 0.5} ${y - long * 0.1 + Math.abs(droop) * long * 0.18} ${tx} ${ty}
  Q${x + side * long * 0.45} ${y + long * 0.08 + Math.abs(droop) * long * 0.3} ${x} ${y}`;
}

function jungle(stage: Stage, pen: Pen, { distance, ground }: Row): void {
  const { random, unit, width, height, palette } = stage;
  const base = height * ground;
  const near = 1 - distance;
  const leaf = leafAt(stage, distance);
  const bark = mix(palette.at(distance), lch(0.3, 0.04, 70), 0.3 * near);
  const count = Math.round((4 + 12 * distance) * (stage.span / width));
  for (const x of stage.spaced(count, distance < 0.5 ? 0.2 : 0)) {
    const falls = stage.shot.extras.includes('waterfall') && Math.abs(x / width - 0.5 - stage.lit * 0.16) < 0.13;
    if (falls && distance < 0.7) continue;
    const wide = unit * (12 + 56 * near) * random.between(0.6, 1.2);
    const bend = random.spread() * 90 * unit;
    pen.fill(bark)`M${x - wide * 0.9} ${base + 12 * unit}
  C${x - wide * 0.3} ${base - height * 0.2} ${x - wide * 0.3 + bend} ${height * 0.2} ${x - wide * 0.3 + bend} ${-height * 0.2}
  L${x + wide * 0.3 + bend} ${-height * 0.2}
  C${x + wide * 0.3 + bend} ${height * 0.2} ${x + wide * 0.4} ${base - height * 0.2} ${x + wide} ${base + 12 * unit}`;
    const hang = x + random.spread() * 120 * unit;
    pen.stroke(css(mix(leaf, bark, 0.4), 0.9), unit * (1.5 + 4 * near))`M${hang} ${-height * 0.1}
  Q${hang + 50 * unit * random.spread()} ${base * 0.3} ${hang + 20 * unit * random.spread()} ${base * random.between(0.3, 0.62)}`;
  }
  floorOfLeaves(stage, pen, base, leaf, distance);
  const plants = Math.round(16 * (stage.span / width));
  for (let i = 0; i < plants; i++) {
    const x = stage.anywhere();
    if (distance < 0.5 && Math.abs(x / width - 0.5) < 0.13 && stage.shot.subject) continue;
    const foot = base + unit * random.between(0, 50);
    const size = unit * (70 + 190 * near) * random.between(0.5, 1.15);
    const own = { leaf: lighter(leaf, random.between(-0.06, 0.05)) };
    standProp(pen.context, stage, 'fern', { x, base: foot, height: size, way: random.sign() }, own);
  }
}

/** Leaves before the lens, dark, out of the light. */
function canopy(stage: Stage, slender: boolean): void {
  const { width, height, unit, random, palette } = stage;
  const shade = mix(palette.near, leafAt(stage, 0.1), 0.35);
  stage.paint(0.95, pen => {
    for (let i = 0; i < (slender ? 46 : 30); i++) {
      const left = random.chance(0.5);
      const x = width * (left ? random.between(-0.16, 0.16) : random.between(0.84, 1.16));
      const y = height * random.between(-0.14, 0.12);
      const tone = lighter(shade, random.between(-0.04, 0.05));
      if (slender) blade(pen, x, y, unit * random.between(90, 260), (left ? 1 : -1) * random.between(0.3, 1.3), tone);
      else leafOf(pen, x, y, unit * random.between(160, 330), random.between(0.5, 2.6), tone);
    }
    if (slender) return;
    for (const at of [-0.05, 0.02, 0.97, 1.06])
      standProp(
        pen.context,
        stage,
        'fern',
        { x: width * at, base: height * 1.1, height: unit * random.between(340, 520) },
        { leaf: shade },
      );
  });
}

/** A broad leaf with its rib. */
function leafOf(pen: Pen, x: number, y: number, long: number, turn: number, colour: Colour): void {
  const edge = outline('0 0, 0.3 -0.2, 0.75 -0.13, 1 0, 0.72 0.14, 0.28 0.2');
  pen.context.save();
  pen.context.translate(x, y);
  pen.context.rotate(turn);
  pen.context.fillStyle = css(colour, 0.97);
  pen.context.fill(spline(edge.map(([along, aside]): Point => [long * along, long * aside])));
  pen.stroke(css(lighter(colour, 0.05), 0.6), long * 0.014)`M0 0 L${long * 0.94} 0`;
  pen.context.restore();
}

/** Water over a ledge into its own mist; the veil slides down for ever. */
function waterfall(stage: Stage): void {
  const { width, height, unit, palette, random, lit } = stage;
  const white = mix(mix(WHITE, palette.sky[2], 0.3), palette.near, palette.dark * 0.7);
  const fall: Fall = {
    ...{ x: width * (0.5 + lit * 0.16), wide: width * (width >= height ? 0.13 : 0.24) },
    ...{ top: height * 0.16, foot: height * 0.74 },
    ...{ white, rock: mix(palette.at(0.55), lch(0.4, 0.02, 200), 0.4) },
  };
  const { x, wide, foot } = fall;
  stage.paint(0.4, pen => ledge(stage, pen, fall));
  veil(stage, fall);
  stage.paint(0.44, pen => {
    pen.context.filter = `blur(${Math.max(0.6, 18 * unit)}px)`;
    for (let i = 0; i < 14; i++) {
      const [mx, my] = [x + random.spread() * wide * 0.9, foot + random.spread() * 18 * unit];
      pen.ellipse(css(white, 0.34), mx, my, unit * random.between(50, 120), unit * random.between(20, 46));
    }
  });
}

interface Fall {
  /** Its middle, and how broad it is. */
  readonly x: number;
  readonly wide: number;
  readonly top: number;
  readonly foot: number;
  readonly white: Colour;
  readonly rock: Colour;
}

/** The wall that the water comes over, overgrown at both sides of it. */
function ledge(stage: Stage, pen: Pen, { x, wide, top, foot, white, rock }: Fall): void {
  const { unit, random } = stage;
  const edge = (at: number) =>
    top + (Math.abs(at - x) / wide < 0.6 ? 0 : (stage.noise.ridge(at / (140 * unit), 4) - 0.62) * 150 * unit);
  const wall = pen.down(top, foot, [0, lighter(rock, 0.03)], [1, lighter(rock, -0.06)]);
  const face = pen.fill(wall)`M${stage.land(9, edge, 9, foot + 20 * unit)}`;
  pen.within(face, () => {
    for (let i = 0; i < 90; i++) {
      const at = stage.anywhere();
      const y = top + random.next() * (foot - top);
      const paint = css(lighter(rock, random.between(-0.08, 0.06)), 0.5);
      pen.box(paint, at, y, unit * random.between(20, 90), unit * random.between(6, 30));
    }
    pen.context.fillStyle = css(leafAt(stage, 0.5), 0.85);
    for (let i = 0; i < 160; i++) {
      const at = stage.anywhere();
      if (Math.abs(at - x) < wide * 0.62) continue;
      const y = top + unit * random.between(-60, 70) + random.next() ** 3 * (foot - top);
      ellipse(pen.context, at, y, unit * random.between(10, 40), unit * random.between(8, 24));
    }
  });
  const shade = pen.down(top, foot, [0, mix(white, rock, 0.2)], [1, white]);
  pen.fill(shade)`M${x - wide * 0.42} ${top} L${x + wide * 0.42} ${top} L${x + wide * 0.56} ${foot}
  L${x - wide * 0.56} ${foot}`;
}

/** Streaks on a sheet of twice its height, which is drawn a little farther down in each frame. */
function veil(stage: Stage, { x, wide, top, foot, white, rock }: Fall): void {
  const { unit, random } = stage;
  const { canvas, context } = surface(wide, (foot - top) * 2);
  for (let i = 0; i < 130; i++) {
    const sx = random.next() * wide;
    const y = (random.next() * canvas.height) / 2;
    const long = unit * random.between(60, 240);
    context.strokeStyle = css(random.chance(0.6) ? WHITE : mix(rock, white, 0.4), random.between(0.15, 0.6));
    context.lineWidth = unit * random.between(1.5, 6);
    context.beginPath();
    for (const shift of [-1, 0, 1].map(turn => (turn * canvas.height) / 2)) {
      context.moveTo(sx, y + shift);
      context.lineTo(sx, y + shift + long);
    }
    context.stroke();
  }
  const lens = stage.seen(0.4);
  stage.move({
    depth: 0.4,
    draw(pen, { seconds }, at) {
      const tall = foot - top;
      const from = tall - ((seconds * 360 * unit) % tall);
      pen.context.globalAlpha = 0.8;
      const [left, head] = [at.x(lens.x(x - wide * 0.48)), at.y(lens.y(top))];
      const [across, down] = [wide * 0.96 * lens.lens * at.scale, tall * lens.lens * at.scale];
      pen.context.drawImage(canvas, 0, from, wide, tall, left, head, across, down);
      pen.context.globalAlpha = 1;
    },
  });
}

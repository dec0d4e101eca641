/** Among trees: trunks one behind the other into bright air, light falling through them; bare and white in winter. */

import { mixNumber } from '../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, glow, type Pen, type Point, path, rows, surface } from '../brush.ts';
import { conifer, haze, snowAt, snowLit, woodFloor } from '../land.ts';
import type { Stage } from '../stage.ts';
import { bamboo, canopy, jungle, waterfall } from './jungle.ts';

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

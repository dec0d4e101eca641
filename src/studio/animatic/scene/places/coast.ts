/** Where land meets sea: a headland with its lighthouse, breakers, wet rocks. In a storm the swell is high and the spray flies. */

import { mixNumber } from '../../../shared/random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, type Pen, type Point, rows, samples } from '../brush.ts';
import { haze, ridge } from '../land.ts';
import { standProp } from '../prop.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';
import { beamOfLight } from '../subjects/things.ts';
import { blocks } from './city.ts';
import { sea } from './ocean.ts';
import { drives, roadAcross } from './open.ts';

export function coast(stage: Stage): void {
  const { horizon, unit, width, height } = stage;
  sky(stage, { clouds: 0.85 });
  ridge(stage, { below: 6, rise: 60, hills: 2.2, distance: 0.9, octaves: 5, rim: 0.2 });
  const side = stage.lit === 1 ? 0.2 : 0.8;
  const subject = stage.shot.subject?.kind;
  const onTheCliff = subject === 'lighthouse' || subject === 'house';
  const { extras } = stage.shot;
  const town = extras.includes('skyline');
  if (town) waterfront(stage);
  else if (!onTheCliff && !extras.includes('palms')) headland(stage, width * side);
  haze(stage, horizon + 4 * unit, 60 * unit, 0.72, stage.shot.storm ? 0.5 : 0.25);
  sea(stage, { rough: stage.shot.storm ? 1 : 0.35 });
  if (onTheCliff) stage.ground = cliff(stage, width * (0.5 - 0.12 * stage.lit));
  const beach = extras.includes('beach') || (!onTheCliff && standsOnLand(stage));
  if (beach && !onTheCliff) sand(stage);
  else rocks(stage, height * 0.9, 0.86);
  if (extras.includes('palms') && !onTheCliff) palms(stage);
  if (!onTheCliff) stage.ground = height * (beach ? 0.9 : 0.86);
}

/** A subject that would be in the water without a shore. */
function standsOnLand({ shot }: Stage): boolean {
  const kind = shot.subject?.kind;
  return kind !== undefined && kind !== 'ship' && kind !== 'whale' && kind !== 'bird' && kind !== 'plane';
}

/** A town along the water: its blocks stand on the horizon, their lights in the sea before them. */
function waterfront(stage: Stage): void {
  const { horizon, unit, dark, palette, random } = stage;
  for (const [row, distance, tall] of rows([0, 0.82, 0.62], [1, 0.56, 0.5]))
    stage.paint({ depth: 0.3 - distance * 0.1, to: horizon + 10 * unit }, pen =>
      blocks(stage, pen, { row, distance, tall, ground: horizon + 8 * unit, street: false }),
    );
  if (!dark) return;
  stage.paint({ depth: 0.26, from: horizon }, pen => {
    pen.context.globalCompositeOperation = 'screen';
    for (let i = 0; i < 150; i++) {
      const x = stage.anywhere();
      const long = unit * random.between(20, 130);
      const lamp = random.pick([lch(0.88, 0.12, 78), lch(0.86, 0.13, 70), palette.accent, palette.second]);
      const shade = pen.down(horizon, horizon + long, [0, lamp, 0.5], [1, lamp, 0]);
      pen.box(shade, x, horizon + 6 * unit, unit * random.between(2, 5), long);
    }
  });
}

/** A beach: wet sand that holds the sky, a lace of foam that comes and goes, dry sand before our feet. */
function sand(stage: Stage): void {
  const { height, width, unit, palette, noise, random } = stage;
  const dry = mix(palette.at(0.16), lch(0.8, 0.06, 78), 0.62 * (1 - palette.dark * 1.4));
  const wet = mix(mix(dry, palette.near, 0.4), palette.sky[2], 0.42);
  const edge = (x: number) => height * 0.785 + (noise.ridge((x / width) * 2.4 + 40, 3) - 0.5) * 60 * unit;
  stage.paint({ depth: 0.6, from: height * 0.7 }, pen => {
    const [shining, damp] = [mix(wet, palette.light, 0.25), mix(wet, dry, 0.6)];
    const stops = rows([0, shining], [0.24, wet], [0.42, damp], [0.6, dry], [1, lighter(dry, -0.09)]);
    const shade = pen.down(height * 0.75, height * 1.06, ...stops);
    const shore = pen.fill(shade)`M${stage.land(8, edge, 8)}`;
    pen.within(shore, () => {
      for (let i = 0; i < 900; i++) {
        const t = random.next() ** 0.7;
        pen.context.fillStyle = css(random.chance(0.5) ? lighter(dry, 0.07) : lighter(dry, -0.1), 0.4 * t);
        const y = height * (0.84 + 0.24 * t);
        ellipse(pen.context, stage.anywhere(), y, unit * (0.8 + 2.6 * t), unit * (0.5 + 1.1 * t));
      }
    });
    if (drives(stage)) roadAcross(stage, pen);
  });
  const lens = stage.seen(0.6);
  const white = mix(mix(WHITE, palette.sky[2], 0.3), palette.near, palette.dark * 0.6);
  stage.move({
    depth: 0.6,
    draw(pen, { seconds }, at) {
      for (const [lag, wide, alpha] of rows([0, 7, 0.75], [0.9, 3, 0.4])) {
        const reach = (0.5 + 0.5 * Math.sin(seconds * 0.9 - lag)) * 26 * unit - lag * 12 * unit;
        const lace = (x: number) => edge(x) + reach * (0.6 + 0.8 * noise.line(x / (90 * unit) + lag));
        const line = samples(stage.left, stage.right + 20, 20, lace);
        const seen = line.map(([x, y]): Point => [at.x(lens.x(x)), at.y(lens.y(y))]);
        pen.stroke(css(white, alpha), wide * unit * at.scale)`M${seen}`;
      }
    },
  });
}

/** A near cliff whose edge falls towards the light; returns the height of its top under `x`. */
function cliff(stage: Stage, x: number): number {
  const { height, width, unit, palette, random, noise, lit } = stage;
  const stone = mix(palette.at(0.3), lch(0.34, 0.02, 255), 0.4);
  const turf = mix(palette.at(0.24), lch(0.46, 0.07, 130), 0.4 * (1 - palette.dark));
  const top = height * 0.7;
  const line = (at: number) => {
    const out = ((at - x) * lit) / width;
    const drop = out > 0.13 ? (out - 0.13) * 4.6 : 0;
    return (
      top +
      height * Math.min(0.4, drop ** 0.8) +
      Math.max(0, -out) * -height * 0.05 +
      (noise.ridge((at / width) * 7, 4) - 0.5) * 34 * unit
    );
  };
  stage.paint({ depth: 0.62, from: height * 0.5 }, pen => {
    const [bright, foot] = [mix(turf, palette.light, 0.18), mix(stone, palette.near, 0.6)];
    const shade = pen.down(top - 30 * unit, top + 260 * unit, [0, bright], [0.12, turf], [0.3, stone], [1, foot]);
    const face = pen.fill(shade)`M${stage.land(5, line)}`;
    pen.within(face, () => {
      for (let i = 0; i < 130; i++) {
        const at = stage.anywhere();
        const y = line(at) + unit * random.between(30, 320);
        const paint = css(random.chance(0.4) ? mix(stone, palette.light, 0.34) : lighter(stone, -0.07), 0.45);
        pen.stroke(paint, unit * random.between(1.5, 6))`M${at} ${y}
  L${at + lit * unit * random.between(-6, 24)} ${y + unit * random.between(30, 130)}`;
      }
    });
  });
  return stage.seen(0.62).y(line(x)) + 8 * unit;
}

/** A cliff out at sea with a small lighthouse, its beam turning. */
function headland(stage: Stage, middle: number): void {
  const { horizon, unit, palette, random, lit } = stage;
  const tall = 120 * unit;
  const wide = 330 * unit;
  const stone = mix(palette.at(0.62), lch(0.34, 0.02, 260), 0.35);
  const outline: Point[] = [];
  for (let i = 0; i <= 26; i++) {
    const u = i / 26;
    const plateau = Math.min(1, Math.sin(Math.PI * u) * 2.1) * (1 - 0.3 * u);
    outline.push([middle + (u - 0.5) * wide * 2, horizon + 10 * unit - tall * plateau * random.between(0.93, 1.04)]);
  }
  const top = Math.min(...outline.map(([, y]) => y));
  stage.paint({ depth: 0.3, from: top - 230 * unit, to: horizon + 32 * unit }, pen => {
    const shade = pen.down(top, horizon + 20 * unit, [0, lighter(stone, 0.05)], [1, mix(stone, palette.sky[2], 0.3)]);
    const rock = pen.fill(
      shade,
    )`M${middle - wide} ${horizon + 30 * unit} L${outline} L${middle + wide} ${horizon + 30 * unit} Z`;
    pen.within(rock, () => {
      for (let i = 0; i < 60; i++) {
        const x = middle + random.spread() * wide;
        const paint = css(i % 3 === 0 ? mix(stone, palette.light, 0.4) : lighter(stone, -0.08), 0.5);
        pen.stroke(paint, unit * random.between(1, 4))`M${x} ${top + random.next() * tall * 0.5}
  L${x + lit * -8 * unit} ${top + random.between(0.5, 1.1) * tall}`;
      }
    });
    const place = { x: middle, base: top + 12 * unit, height: 190 * unit };
    standProp(pen.context, stage, 'lighthouse', place, { distance: 0.5 });
  });
  const lens = stage.seen(0.3);
  const eye = { x: lens.x(middle), y: lens.y(top + 12 * unit - 190 * unit * 0.868) };
  const lamp = { ...eye, reach: stage.width * 0.75, size: unit * lens.lens };
  stage.move({
    depth: 0.3,
    sharp: true,
    draw: (pen, moment, at) => beamOfLight(pen.context, stage, at, lamp, moment.seconds),
  });
}

/** Dark, wet, facetted; the light catches their upper edges. */
function rocks(stage: Stage, line: number, depth: number): void {
  const { unit, width, palette, random, lit } = stage;
  const stone = mix(palette.near, lch(0.26, 0.018, 250), 0.5);
  stage.paint({ depth, from: line - 200 * unit }, pen => {
    for (let i = 0; i < 46; i++) {
      const x = stage.left + (i + random.next()) * (stage.span / 46);
      const edge = Math.abs(x / width - 0.5) * 2;
      rock(pen, x, line + 60 * unit, unit * random.between(60, 150) * mixNumber(0.6, 1.5, Math.min(1, edge)), i);
    }
    pen.box(stone, stage.left, line + 56 * unit, stage.span, stage.bottom - line);
  });

  function rock(pen: Pen, x: number, base: number, size: number, seed: number): void {
    const points: Point[] = [];
    const corners = 7;
    for (let i = 0; i <= corners; i++) {
      const angle = Math.PI + (Math.PI * i) / corners;
      const r = size * random.between(0.62, 1.05);
      points.push([x + Math.cos(angle) * r * 1.15, base + Math.sin(angle) * r * 0.74]);
    }
    pen.fill(lighter(stone, random.between(-0.04, 0.05)))`M${points} Z`;
    const peak = points[3 + (seed % 2)] ?? [x, base];
    for (let i = 0; i < corners; i++) {
      const [a, b] = [points[i] ?? peak, points[i + 1] ?? peak];
      const facing = (lit === 1 ? i / corners : 1 - i / corners) * 0.9;
      const paint = css(mix(stone, palette.light, facing * 0.34), 0.55);
      pen.fill(paint)`M${a} L${b} L${x + (peak[0] - x) * 0.2} ${base - size * random.between(0.05, 0.3)} Z`;
    }
    const from = lit === 1 ? 3 : 0;
    pen.stroke(css(mix(palette.light, WHITE, 0.3), 0.4), 1.6 * unit)`M${points.slice(from, from + 4)}`;
    for (let i = 0; i < 5; i++) {
      const paint = css(WHITE, random.between(0.04, 0.16));
      const [dx, dy] = [x + random.spread() * size * 0.7, base - size * random.between(0.1, 0.5)];
      pen.ellipse(paint, dx, dy, size * random.between(0.02, 0.08), size * 0.012);
    }
  }
}

/** Two or three at each side, leaning out over the water. */
function palms(stage: Stage): void {
  const { width, height, random, palette } = stage;
  const leaf = mix(palette.near, lch(0.34, 0.07, 138), 0.55 * (1 - palette.dark * 1.4));
  const bark = mix(palette.near, lch(0.4, 0.04, 60), 0.5 * (1 - palette.dark));
  stage.paint(0.9, pen => {
    for (const [at, tall, way] of rows([-0.05, 0.86, 1], [0.04, 0.66, 1], [1.04, 0.92, -1])) {
      const where = { x: width * at, base: height * 1.06, height: height * tall * random.between(0.92, 1.06), way };
      standProp(pen.context, stage, 'palm', where, { leaf, bark });
    }
  });
}

/** A club: a wall of light behind the dancers, a rig with lamps that sweep, a mirror ball, and a floor that holds it all. */
import { BLACK, type Colour, css, lch, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, glow, type Pen } from '../brush.ts';
import type { Stage } from '../stage.ts';

const LAMPS = 7;

export function club(stage: Stage): void {
  const { width, height, unit, palette, noise } = stage;
  const room = lch(0.11, 0.03, 300);
  const colours = [palette.accent, palette.light, palette.second, lch(0.66, 0.2, 340), lch(0.7, 0.14, 220)] as const;
  const floor = height * 0.7;
  const rig = height * 0.1;
  stage.paint({ depth: 0.12, still: true }, pen => {
    pen.box(room, ...stage.all);
    wallOfLight(stage, pen, height * 0.2, floor - 14 * unit);
    const shade = pen.down(
      floor - 30 * unit,
      height * 1.1,
      [0, mix(room, colours[3], 0.3)],
      [0.25, mix(room, colours[3], 0.12)],
      [1, mix(room, BLACK, 0.5)],
    );
    pen.box(shade, ...stage.from(floor));
    tiles(stage, pen, floor);
  });
  stage.paint({ depth: 0.3, still: true }, pen => {
    crowd(stage, pen, floor);
    pen.context.fillStyle = css(mix(room, BLACK, 0.4));
    pen.context.fillRect(stage.left, rig - 9 * unit, stage.span, 5 * unit);
    pen.context.fillRect(stage.left, rig + 9 * unit, stage.span, 5 * unit);
    for (let x = stage.left; x < stage.right; x += 36 * unit) {
      pen.stroke(
        mix(room, BLACK, 0.3),
        3 * unit,
      )`M${x} ${rig - 7 * unit} L${x + 18 * unit} ${rig + 10 * unit} L${x + 36 * unit} ${rig - 7 * unit}`;
    }
  });
  stage.move({
    depth: 0.32,
    sharp: true,
    draw(pen, { seconds, pulse }, at) {
      pen.context.save();
      pen.context.globalCompositeOperation = 'screen';
      for (let i = 0; i < LAMPS; i++) {
        const x = at.x(width * (-0.02 + (1.04 * i) / (LAMPS - 1)));
        const swing = Math.sin(seconds * (0.9 + 0.13 * i) + i * 1.9) * 0.5 + (0.5 - i / (LAMPS - 1)) * 0.7;
        const beat = 0.6 + 0.4 * Math.sin(seconds * 6.2 + i * 2.4) * (0.5 + pulse);
        const colour = colours[i % colours.length] ?? WHITE;
        beam(stage, pen, { x, y: at.y(rig), lean: swing, colour, strength: beat });
      }
      mirrorBall(stage, pen, at.x(width * (0.5 - 0.17 * stage.lit)), at.y(height * 0.2), seconds);
      const drift = noise.line(seconds * 0.2);
      pen.context.globalAlpha = 0.12 + 0.06 * drift;
      pen.context.drawImage(glow(128, colours[3]), -width * 0.2, height * 0.35, width * 1.4, height * 0.6);
      pen.context.restore();
    },
  });
  stage.sun = { x: width * (0.5 + 0.3 * stage.lit), y: rig };
  stage.ground = height * 0.92;
  stage.mirror = 0.24;
}

/** Panels of a hundred lamps in bars that rise and fall from one to the next. */
function wallOfLight(stage: Stage, pen: Pen, top: number, foot: number): void {
  const { width, unit, palette, noise, random } = stage;
  const [columns, rows] = [34, 15];
  const [wide, tall] = [(width * 0.86) / columns, (foot - top) / rows];
  for (let column = 0; column < columns; column++) {
    const high = noise.cloud(column * 0.22, 3, 3) * 1.3;
    for (let row = 0; row < rows; row++) {
      const up = 1 - row / rows;
      const on = up < high ? 0.35 + 0.65 * (up / high) : 0.07;
      const colour = mix(mix(palette.second, palette.accent, column / columns), lch(0.66, 0.2, 335), up * 0.7);
      const paint = css(colour, on * random.between(0.4, 0.85));
      pen.box(paint, width * 0.07 + column * wide, top + row * tall, wide - 2.4 * unit, tall - 2.4 * unit);
    }
  }
}

function tiles({ width, height, unit, palette, random }: Stage, pen: Pen, floor: number): void {
  const at = (x: number, t: number): readonly [number, number] => [
    width / 2 + x * width * (0.11 + 0.3 * t),
    floor + (height * 1.18 - floor) * t,
  ];
  for (let row = 0; row < 7; row++)
    for (let x = -7; x < 7; x++) {
      const [from, to] = [(row / 7) ** 1.5, ((row + 0.94) / 7) ** 1.5];
      const paint = css(random.pick([palette.accent, palette.second, palette.light]), random.next() ** 3 * 0.5 + 0.03);
      pen.fill(paint)`M${at(x, from)} L${at(x + 0.95, from)} L${at(x + 0.95, to)} L${at(x, to)}`;
    }
  pen.box(css(WHITE, 0.16), 0, floor, width, 1.5 * unit);
}

/** Heads and raised arms against the light. */
function crowd({ unit, random, left, right, palette }: Stage, pen: Pen, floor: number): void {
  for (let x = left; x < right; x += unit * random.between(26, 52)) {
    const size = unit * random.between(15, 22);
    const y = floor + unit * random.between(-52, -12);
    const shade = pen.across(
      x - size * 2,
      x + size * 2,
      [0, mix(BLACK, palette.second, 0.16)],
      [1, mix(BLACK, palette.accent, 0.2)],
    );
    pen.ellipse(shade, x, y, size * 0.72, size * 0.95);
    pen.context.beginPath();
    pen.context.ellipse(x, y + size * 3.1, size * 1.7, size * 2.2, 0, 0, Math.PI * 2);
    pen.context.fill();
    if (!random.chance(0.4)) continue;
    pen.context.lineCap = 'round';
    const lean = random.spread() * size;
    pen.stroke(shade, size * 0.5)`M${x + size * 1.2} ${y + size * 1.6}
  Q${x + size * 1.9} ${y} ${x + size * 1.3 + lean} ${y - size * random.between(1.6, 3)}`;
  }
}

interface Beam {
  readonly x: number;
  readonly y: number;
  /** Radians from straight down. */
  readonly lean: number;
  readonly colour: Colour;
  readonly strength: number;
}

function beam({ height, unit }: Stage, pen: Pen, { x, y, lean, colour, strength }: Beam): void {
  const long = height * 0.92;
  pen.context.save();
  pen.context.translate(x, y);
  pen.context.rotate(-lean);
  pen.fill(
    pen.down(0, long, [0, mix(colour, WHITE, 0.5), 0.66 * strength], [0.3, colour, 0.3 * strength], [1, colour, 0]),
  )`M${-5 * unit} 0 L${5 * unit} 0 L${long * 0.12} ${long} L${-long * 0.12} ${long}`;
  pen.context.globalAlpha = Math.min(1, strength);
  pen.context.drawImage(glow(48, mix(colour, WHITE, 0.6)), -34 * unit, -34 * unit, 68 * unit, 68 * unit);
  pen.context.restore();
}

function mirrorBall({ unit, palette }: Stage, pen: Pen, x: number, y: number, seconds: number): void {
  const radius = 40 * unit;
  pen.context.fillStyle = css(lch(0.4, 0.02, 280));
  pen.context.fillRect(x - unit, y - radius * 4, 2 * unit, radius * 3.2);
  ellipse(pen.context, x, y, radius, radius);
  for (let row = -4; row <= 4; row++) {
    const up = (row / 4.6) * (Math.PI / 2);
    for (let i = 0; i < 14; i++) {
      const turn = (i / 14) * Math.PI * 2 + seconds * 0.7;
      if (Math.cos(turn) < 0.05) continue;
      const [px, py] = [x + Math.sin(turn) * Math.cos(up) * radius, y + Math.sin(up) * radius];
      const spark = Math.max(0, Math.sin(turn * 3 + row * 1.7 + seconds * 3)) ** 3;
      pen.context.fillStyle = css(mix(palette.accent, WHITE, 0.4 + 0.6 * spark), 0.25 + 0.75 * spark);
      const size = radius * 0.17 * Math.cos(up);
      pen.context.fillRect(px - (size * Math.cos(turn)) / 2, py - radius * 0.08, size * Math.cos(turn), radius * 0.15);
    }
  }
}

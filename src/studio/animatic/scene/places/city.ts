/** A city: blocks one behind the other, windows lit after dark, signs in neon, and a wet street that holds it all upside down. */
import { BLACK, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Pen, type Point, path, rows } from '../brush.ts';
import { haze } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';
import { drives, roadAcross } from './open.ts';

/** Far to near: distance and height. */
const ROWS = rows([0.86, 1.3], [0.62, 1.2], [0.36, 1], [0.14, 0.95]);

export function city(stage: Stage): void {
  const { height, unit, palette } = stage;
  sky(stage, { clouds: 0.4 });
  const street = stage.shot.size !== 'extreme-wide';
  const ground = height * (street ? 0.72 : 0.8);
  for (const [row, [distance, tall]] of ROWS.entries()) {
    stage.paint({ depth: 1 - distance, to: ground + 30 * unit }, pen =>
      blocks(stage, pen, { row, distance, tall, ground, street }),
    );
    if (row < 3) haze(stage, ground - 20 * unit, 160 * unit, distance, palette.time === 'neon' ? 0.34 : 0.26);
  }
  pavement(stage, ground);
  stage.ground = height * 0.88;
  stage.mirror = stage.dark || stage.shot.weather.includes('rain') ? 0.3 : 0;
}

interface Row {
  readonly row: number;
  readonly distance: number;
  readonly tall: number;
  readonly ground: number;
  readonly street: boolean;
}

export function blocks(stage: Stage, pen: Pen, { row, distance, tall, ground, street }: Row): void {
  const { random, unit, width, palette, dark } = stage;
  for (let x = stage.left - 20; x < stage.right + 20; ) {
    const wide = unit * random.between(54, 132) * (1 + row * 0.35);
    const aside = Math.abs((x + wide / 2) / width - 0.5) * 2;
    const high =
      unit * random.between(130, 420) * tall * (street && row > 1 ? 0.7 + aside * (row === 3 ? 1.2 : 0.8) : 1);
    if (row === 3 && street && aside < 0.46) {
      x += wide;
      continue;
    }
    const base = ground + (row === 3 ? 22 * unit : 0);
    const stone = random.pick([lch(0.72, 0.035, 70), lch(0.66, 0.02, 240), lch(0.56, 0.06, 38), lch(0.6, 0.045, 215)]);
    const colour = mix(palette.at(distance), stone, (dark ? 0.06 : 0.42 - palette.dark) * (1 - distance * 0.6));
    const shade = pen.down(base - high, base, [0, colour], [1, mix(colour, palette.sky[2], 0.45 * distance)]);
    pen.box(shade, x, base - high, wide + 1, high);
    const paint = css(mix(colour, palette.light, 0.35), 0.5);
    pen.box(paint, stage.lit === 1 ? x + wide - 2 * unit : x, base - high, 2.4 * unit, high);
    pen.context.fillStyle = css(colour);
    if (random.chance(0.34)) pen.context.fillRect(x + wide * 0.42, base - high - 34 * unit, 3 * unit, 36 * unit);
    if (random.chance(0.3)) pen.context.fillRect(x + wide * 0.2, base - high - 16 * unit, wide * 0.5, 18 * unit);
    windows(stage, pen, { x, top: base - high, wide, high, row, distance });
    if (dark && row >= 1 && random.chance(palette.time === 'neon' ? 0.6 : 0.24))
      neonSign(stage, pen, x + wide * random.between(0.1, 0.5), base - high * random.between(0.4, 0.85), row);
    x += wide + (random.chance(0.15) ? unit * random.between(4, 30) : 0);
  }
}

interface Front extends Pick<Row, 'row' | 'distance'> {
  readonly x: number;
  readonly top: number;
  readonly wide: number;
  readonly high: number;
}

function windows(stage: Stage, pen: Pen, { x, top, wide, high, row, distance }: Front): void {
  const { random, unit, palette, dark } = stage;
  const [w, h] = [unit * (4 + row * 2.2), unit * (6 + row * 3)];
  const warm = mix(palette.light, { l: 0.88, a: 0.03, b: 0.11 }, 0.65);
  for (let wy = top + h * 1.6; wy < top + high - h * 2; wy += h * 1.9) {
    for (let wx = x + w; wx < x + wide - w * 1.6; wx += w * 2.1) {
      const glass = palette.time === 'day' || palette.time === 'overcast';
      if (!random.chance(dark ? 0.34 : glass ? 0.9 : 0.3)) continue;
      const colour = random.chance(0.78) ? warm : random.pick([palette.accent, palette.second]);
      if (glass) {
        const pane = mix(lighter(palette.sky[1], -0.28), palette.sky[2], random.next() ** 3);
        pen.context.fillStyle = css(pane, 0.72 * (1 - distance * 0.7));
      } else
        pen.context.fillStyle = css(colour, dark ? random.between(0.3, 0.95) * (0.45 + 0.55 * (1 - distance)) : 0.24);
      pen.context.fillRect(wx, wy, w, h);
    }
  }
}

function neonSign(stage: Stage, pen: Pen, x: number, y: number, row: number): void {
  const { random, unit, palette } = stage;
  const colour = random.pick([palette.accent, palette.second, palette.light]);
  const scale = Math.max(0.6, row - 0.4);
  const [wide, tall] = [unit * random.between(15, 26) * scale, unit * random.between(60, 150) * scale];
  pen.context.save();
  pen.set({ shadowColor: css(colour, 0.95), shadowBlur: 30 * unit, strokeStyle: css(mix(colour, WHITE, 0.4)) });
  pen.context.lineWidth = 3 * unit;
  pen.context.strokeRect(x, y, wide, tall);
  pen.box(css(colour, 0.32), x, y, wide, tall);
  pen.set({ strokeStyle: css(mix(colour, WHITE, 0.65), 0.95), lineWidth: 2.2 * unit });
  for (let i = 0; i < 4; i++) {
    const [cx, cy, r] = [x + wide / 2, y + tall * (0.15 + 0.235 * i), wide * 0.26];
    const letter = random.chance(0.4)
      ? path`M${cx - r} ${cy} a${r} ${r} 0 1 0 ${2 * r} 0 a${r} ${r} 0 1 0 ${-2 * r} 0`
      : path`M${cx - r} ${cy - r} L${cx + r} ${cy - r} M${cx} ${cy - r} L${cx + random.spread() * r} ${cy + r}
  M${cx - r} ${cy + r * 0.2} L${cx + r} ${cy + r * 0.2}`;
    pen.context.stroke(letter);
  }
  pen.context.restore();
}

function pavement(stage: Stage, ground: number): void {
  const { palette, unit, dark, height } = stage;
  const wet = dark || stage.shot.weather.includes('rain');
  const mirrored = stage.reflection(ground, 1 / 3);
  stage.paint({ depth: 0.72, from: ground }, pen => {
    const asphalt = mix(mix(palette.near, palette.sky[2], 0.12), lch(0.46, 0.008, 250), 0.5 * (1 - palette.dark * 2));
    pen.box(asphalt, ...stage.from(ground));
    pen.context.save();
    pen.set({ globalAlpha: wet ? 0.62 : 0.16, filter: `blur(${Math.max(0.6, 6 * unit)}px)` });
    pen.context.drawImage(mirrored, stage.left, ground, stage.span, (ground - stage.top) * 0.8);
    pen.context.restore();
    const foot = mix(palette.near, BLACK, 0.45);
    const shade = pen.down(ground, height * 1.1, [0, palette.near, 0.05], [1, foot, dark ? 0.85 : 0.6]);
    pen.box(shade, ...stage.from(ground));
    if (drives(stage)) roadAcross(stage, pen);
    else streetAhead(stage, pen, ground);
  });
}

/** Kerbs that run to the vanishing point, the line between them, a crossing before our feet. */
function streetAhead({ palette, width, height, dark }: Stage, pen: Pen, ground: number): void {
  const white = mix(lch(0.95, 0.006, 90), palette.near, dark ? 0.62 : 0.25);
  const at = (aside: number, t: number): Point => [
    width / 2 + aside * width * (0.045 + 0.62 * t),
    ground + (height * 1.16 - ground) * t,
  ];
  const quad = (a: number, b: number, from: number, to: number) => {
    pen.context.fill(path`M${at(a, from)} L${at(b, from)} L${at(b, to)} L${at(a, to)}`);
  };
  pen.context.fillStyle = css(mix(palette.near, lch(0.6, 0.01, 80), 0.5 * (1 - palette.dark * 2)), 0.55);
  for (const side of [-1, 1]) quad(side * 1, side * 4.4, 0, 1);
  pen.context.fillStyle = css(mix(palette.light, white, 0.5), 0.3);
  for (const side of [-1, 1]) quad(side * 0.985, side * 1.03, 0, 1);
  pen.context.fillStyle = css(white, dark ? 0.26 : 0.5);
  for (let i = 0; i < 6; i++) {
    const [from, to] = [(i / 7) ** 2, ((i + 0.5) / 7) ** 2];
    if (to < 0.42) quad(-0.025, 0.025, from, to);
  }
  for (let i = -4; i < 4; i++) quad((i + 0.2) * 0.235, (i + 0.75) * 0.235, 0.5, 0.68);
}

/** A world seen from orbit: its limb across the frame, seas and lands under clouds, a thin line of air, stars. Earth unless another is named. */
import { clamp, mixNumber, smooth } from '../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { glow, type Pen, rows, texture } from '../brush.ts';
import { ridge } from '../land.ts';
import type { Stage } from '../stage.ts';
import worlds from '../subjects/data/worlds.json' with { type: 'json' };
import { colourOf } from '../subjects/people/portrait-brush.ts';
import { shafts } from './forest.ts';

interface World {
  readonly low: Colour;
  readonly high: Colour;
  readonly air: Colour;
  /** How much of it lies under clouds, 0 to 1. */
  readonly clouds: number;
  /** Towns are alight where it is night. */
  readonly inhabited?: boolean | undefined;
}
/** The world that the words name; ours by default. */
function worldOf(words: string): World {
  const { low, high, air, ...row } = worlds.find(({ said }) => new RegExp(said, 'i').test(words)) ?? worlds[0]!;
  return { low: colourOf(low), high: colourOf(high), air: colourOf(air), ...row };
}

export function orbit(stage: Stage): void {
  const { width, height, unit, palette, lit } = stage;
  const world = worldOf(stage.shot.words);
  const radius = Math.max(width, height) * 1.25;
  const limb = height * (stage.shot.subject ? 0.6 : 0.5);
  const middle = { x: width * (0.5 - 0.12 * lit), y: limb + radius };
  stage.paint({ depth: 0, still: true }, pen => {
    pen.box(lch(0.07, 0.025, 275), ...stage.all);
    starfield(stage, pen, 620, 2.2, 0.45, limb + radius * 0.12);
  });
  stage.paint({ depth: 0.16, still: true }, pen => {
    const top = limb - unit * 4;
    const tall = stage.bottom - top;
    const [columns, rows] = [420, Math.round((420 * tall) / stage.span)];
    const surface = texture(columns, rows, (u, v) =>
      groundAt(stage, world, stage.left + u * stage.span, top + v * tall, { ...middle, radius }),
    );
    pen.context.save();
    pen.context.beginPath();
    pen.context.arc(middle.x, middle.y, radius, 0, Math.PI * 2);
    pen.context.clip();
    pen.context.imageSmoothingQuality = 'high';
    pen.context.drawImage(surface, stage.left, top, stage.span, tall);
    pen.context.restore();
    air(pen, world, { ...middle, radius });
  });
  sunAtLimb(stage, { ...middle, radius });
  stage.sun = { x: width * (0.5 + 0.3 * lit), y: limb * 0.8 };
  stage.ground = height * (palette.dark > 0.5 ? 0.66 : 0.64);
}

/** Stars from the top to `foot`, the largest `size` units, the smallest `least`. */
function starfield(stage: Stage, pen: Pen, count: number, size: number, least: number, foot: number): void {
  const { random, unit } = stage;
  for (let i = 0; i < count; i++) {
    const radius = (random.next() ** 5 * size + least) * unit;
    const paint = css(mix(lch(0.97, 0.03, 60), lch(0.95, 0.05, 250), random.next()), random.between(0.2, 1));
    pen.ellipse(paint, stage.anywhere(), random.between(stage.top, foot), radius);
  }
}

interface Ball {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Colour and alpha of the world under a point of the frame; flatter towards the limb, dark where the sun has gone. */
function groundAt(
  { noise, lit, palette }: Stage,
  { low, high, clouds, inhabited }: World,
  px: number,
  py: number,
  { x, y, radius }: Ball,
): readonly [Colour, number] {
  const [nx, ny] = [(px - x) / radius, (py - y) / radius];
  const rise = 1 - nx * nx - ny * ny;
  if (rise <= 0) return [low, 0];
  const nz = Math.sqrt(rise);
  // As on a globe turned towards us: what lies near the limb is pressed together.
  const [along, deep] = [Math.atan2(nx, nz) * 7, Math.asin(clamp(ny, -1, 1)) * 7];
  const land = noise.cloud(along * 0.9 + 3, deep * 0.9, 6);
  const shore = smooth(clamp((land - 0.5) * 14));
  const relief = noise.cloud(along * 5, deep * 5, 3) - 0.5;
  const ground = mix(
    low,
    mix(high, inhabited ? lch(0.68, 0.07, 78) : mix(high, WHITE, 0.25), clamp((land - 0.56) * 5)),
    shore,
  );
  const swirl = noise.cloud(along * 1.8 + noise.plane(deep * 2, along) * 0.9, deep * 2.6, 6);
  const cover = clamp((swirl - 0.5) * 4.4) * clouds;
  const lively: Colour = { ...ground, l: clamp(ground.l + relief * 0.12 * (0.4 + shore)) };
  const seen = mix(lively, lch(0.97, 0.008, 240), cover * 0.94);
  const day = clamp(0.62 + (nx * lit * 1.5 - (ny + 1) * 1.1) + 0.5 * (1 - palette.dark * 1.6));
  const night = mix(
    lch(0.1, 0.03, 265),
    lch(0.86, 0.13, 75),
    inhabited ? lights(noise, along, deep, shore) * (1 - cover) : 0,
  );
  return [mix(night, seen, smooth(day)), 1];
}

/** Towns at night: specks, only on land. */
const lights = (noise: Stage['noise'], along: number, deep: number, shore: number): number =>
  shore * clamp((noise.plane(along * 22, deep * 22) * noise.plane(along * 4, deep * 4) - 0.46) * 5);

/** A bright thread on the limb, and blue that thins out above it. */
function air(pen: Pen, { air: colour }: World, { x, y, radius }: Ball): void {
  const high = radius * 0.035;
  pen.context.save();
  pen.context.globalCompositeOperation = 'screen';
  for (const [from, to, alpha] of rows(
    [radius - high * 1.6, radius + high, 0.6],
    [radius - high * 0.3, radius + high * 0.28, 0.85],
  )) {
    const edge = (radius - from) / (to - from);
    const thread = [edge * 0.96, mix(colour, WHITE, 0.35), alpha] as const;
    const blue = [mixNumber(edge, 1, 0.3), colour, alpha * 0.4] as const;
    pen.context.fillStyle = pen.radial([x, y, from, x, y, to], [0, colour, 0], thread, blue, [1, colour, 0]);
    pen.context.beginPath();
    pen.context.arc(x, y, to, 0, Math.PI * 2);
    pen.context.arc(x, y, Math.max(0, from), 0, Math.PI * 2, true);
    pen.context.fill();
  }
  pen.context.restore();
}

/** The sun at the edge of the world, where it is about to rise or has just gone. */
function sunAtLimb(stage: Stage, { x, y, radius }: Ball): void {
  const { width, height, unit, palette, lit } = stage;
  const at = width * (0.5 + 0.3 * lit);
  const edge = y - Math.sqrt(radius * radius - (at - x) ** 2);
  stage.paint({ depth: 0.17, still: true }, pen => {
    const wide = Math.max(width, height);
    for (const [size, alpha] of rows([0.34, 0.5], [0.12, 0.7], [0.03, 1]))
      pen.shine(glow(200, mix(palette.light, WHITE, 0.4)), alpha, at, edge, wide * size);
    pen.shine(glow(128, palette.light), 0.55, at, edge, wide * 0.4, 5 * unit);
  });
}

/** Where no walker goes: space, and under water. */

export function space(stage: Stage): void {
  const { width, height, unit, palette, random, noise, lit } = stage;
  const night = lch(0.09, 0.03, 275);
  const nebula = texture(320, 200, (u, v) => {
    const body = noise.cloud(u * 3 + noise.cloud(u * 2, v * 2, 3), v * 2.4, 6);
    const hue = noise.cloud(u * 3.2 + 9, v * 2.6 + noise.plane(u * 4, v * 4), 6);
    const alpha = clamp((body - 0.42) * 2.6) * 0.62 * clamp(hue * 1.2);
    return [mix(palette.accent, palette.second, clamp((hue - 0.3) * 2.2)), alpha];
  });
  stage.paint(0, pen => {
    pen.box(night, ...stage.all);
    pen.set({ globalCompositeOperation: 'screen', imageSmoothingQuality: 'high' });
    pen.context.drawImage(nebula, stage.left, stage.top, stage.span, stage.bottom - stage.top);
    pen.context.globalCompositeOperation = 'source-over';
    starfield(stage, pen, 900, 2.6, 0.5, stage.bottom);
  });
  stage.paint(0.18, pen => {
    const radius = height * random.between(0.3, 0.4) * (width >= height ? 1 : 0.7);
    const [x, y] = [stage.sun.x, height * random.between(0.36, 0.48)];
    const stone = random.pick([lch(0.66, 0.1, 48), lch(0.6, 0.09, 258), lch(0.6, 0.11, 22), lch(0.66, 0.07, 195)]);
    const base = mix(palette.second, stone, 0.78);
    pen.context.save();
    pen.context.beginPath();
    pen.context.arc(x, y, radius, 0, Math.PI * 2);
    pen.context.clip();
    const shade = pen.radial(
      [x - radius * 0.5 * lit, y - radius * 0.45, radius * 0.05, x, y, radius * 1.25],
      [0, mix(base, WHITE, 0.5)],
      [0.45, base],
      [0.85, lighter(mix(base, night, 0.6), -0.12)],
      [1, night],
    );
    pen.box(shade, x - radius, y - radius, radius * 2, radius * 2);
    pen.context.globalCompositeOperation = 'soft-light';
    for (let i = 0; i < 26; i++) {
      const band = css(random.chance(0.5) ? WHITE : night, random.between(0.08, 0.38));
      const at = y - radius + (2 * radius * i) / 26;
      pen.ellipse(band, x, at, radius * 1.05, radius * random.between(0.02, 0.07), -0.12);
    }
    pen.context.restore();
    pen.shine(glow(256, base), 0.4, x, y, radius * 1.7);
    if (!random.chance(0.7)) return;
    pen.context.translate(x, y);
    pen.context.rotate(-0.35);
    for (let i = 0; i < 8; i++) {
      pen.context.strokeStyle = css(mix(palette.light, base, i / 8), 0.14 + 0.34 * random.next());
      pen.context.lineWidth = unit * random.between(3, 10);
      pen.context.beginPath();
      pen.context.ellipse(0, 0, radius * (1.35 + i * 0.065), radius * (0.26 + i * 0.013), 0, -0.15, Math.PI + 0.15);
      pen.context.stroke();
    }
  });
  stage.ground = height * 0.88;
  if (stage.shot.subject && stage.shot.subject.kind !== 'ship')
    ridge(stage, { base: height * 0.88, rise: 110, hills: 2.4, distance: 0.24, rim: 0.6, colour: lch(0.3, 0.02, 275) });
}

export function underwater(stage: Stage): void {
  const { width, height, unit, random } = stage;
  const hue = stage.palette.time === 'golden' || stage.palette.time === 'sunset' ? 198 : 216;
  const [bright, middle, deep] = [lch(0.74, 0.1, hue - 15), lch(0.46, 0.095, hue), lch(0.2, 0.055, hue + 20)];
  stage.paint(0, pen => {
    pen.box(pen.down(stage.top, height * 1.1, [0, bright], [0.42, middle], [1, deep]), ...stage.all);
    pen.shine(glow(200, lch(0.95, 0.05, hue - 30)), 0.75, stage.sun.x, 0, width * 0.5, height * 0.55);
  });
  const [far, near] = [mix(middle, deep, 0.55), mix(deep, middle, 0.2)];
  ridge(stage, { base: height * 0.86, rise: 200, hills: 2.6, distance: 0.75, rim: 0.1, colour: far });
  ridge(stage, { base: height * 0.97, rise: 190, hills: 3, distance: 0.4, rim: 0.1, colour: near });
  shafts(stage, { y: -height * 0.2, count: 9, strength: 1 });
  stage.paint(0.86, pen => {
    for (let i = 0; i < 40; i++) {
      const x = stage.anywhere();
      const tall = height * random.between(0.08, 0.34);
      if (Math.abs(x - width / 2) < width * 0.2 && tall > height * 0.14) continue;
      const kelp = mix(lch(0.26, 0.05, hue - 40), deep, random.next() * 0.6);
      pen.context.lineCap = 'round';
      pen.stroke(kelp, unit * random.between(6, 15))`M${x} ${height * 1.1}
  C${x + 30 * unit * random.sign()} ${height - tall * 0.4} ${x - 40 * unit * random.sign()} ${height - tall * 0.7} ${x + 20 * unit * random.sign()} ${height * 1.02 - tall}`;
    }
  });
  stage.ground = height * 0.55;
}

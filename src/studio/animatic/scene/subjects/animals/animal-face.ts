/**
 * An animal's face looking at us, for close shots: a mask of shapes, then fur in strokes that follow it outwards from the nose.
 * Units as in `breeds.ts`; lit from the right (the painter mirrors it).
 */
import { clamp, mixNumber, Random } from '../../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../../prompt/palette.ts';
import { type Context, furred, outline, type Point, spline } from '../../brush.ts';
import type { Figure } from '../../lighting.ts';
import type { Stage } from '../../stage.ts';
import rows from '../data/drawings/animal-face.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { type Hair, hairs, sided, soft } from '../people/portrait-brush.ts';
import { type Breed, MASKS, type Mask } from './breeds.ts';

export function animalFace(
  stage: Stage,
  breed: Breed,
  seed: string,
  { eyesShut = false }: { readonly eyesShut?: boolean } = {},
): Figure {
  const mask = MASKS[breed.face === 'trunk' ? 'bear' : breed.face];
  const shade = mix(stage.palette.near, stage.palette.sky[0], 0.35);
  return {
    box: { left: -1.5, top: -1.35, right: 1.5, bottom: 3.2 },
    stride: 0,
    rigid: true,
    rim: 0.8,
    shade: 0.7,
    draw(context) {
      context.save();
      context.scale(stage.lit, 1);
      const random = new Random(`fur|${seed}|${breed.face}`);
      const it: Inked = { context, random, mask, breed, light: stage.palette.light, shade };
      const ears = () => {
        for (const side of [-1, 1] as const) ear(it, side);
      };
      const hanging = breed.ears.shape === 'flop';
      ruff(it);
      if (breed.collar) mane(it, breed.collar);
      if (!hanging) ears();
      head(it);
      if (breed.mane) forelock(it);
      if (hanging) ears();
      for (const side of [-1, 1] as const) eye(it, side, eyesShut);
      muzzle(it);
      context.restore();
    },
  };
}

/** A face on its way to paper. */
interface Inked {
  readonly context: Context;
  readonly random: Random;
  readonly mask: Mask;
  readonly breed: Breed;
  readonly light: Colour;
  readonly shade: Colour;
}

/** A furry shape in one colour. */
function pelt({ context, random }: Inked, colour: Colour, points: readonly Point[], tuft: number, steps: number): void {
  context.fillStyle = css(colour);
  context.fill(furred(points, random, tuft, steps));
}

/** Strokes of fur, lit where they are (`aside` is as far as they count to be from the middle), each up to so much darker or lighter. */
function fur(
  it: Inked,
  count: number,
  [least, most]: readonly [number, number],
  one: () => Hair & { readonly aside: number },
): void {
  hairs(it.context, it.random, { count }, () => {
    const { at, by, colour, aside } = one();
    return { at, by, colour: lighter(sided(it, colour, aside), it.random.between(least, most)) };
  });
}

/** Long necks instead of a chest of fur. */
const SLENDER: ReadonlySet<string> = new Set(['long', 'horse', 'ox']);

/** Shoulders and chest: a slope of fur behind the face, its bib pale where the breed's is. */
function ruff(it: Inked): void {
  const { breed, random, shade } = it;
  const [back, bib] =
    breed.pattern === 'panda' ? [lighter(breed.dark, 0.06), breed.dark] : [lighter(breed.coat, -0.05), breed.under];
  const slender = SLENDER.has(breed.face);
  pelt(it, lighter(mix(back, shade, 0.3), -0.03), outline(slender ? rows.neck : rows.chest), 0.022, 26);
  fur(it, 1300, [-0.1, 0.09], () => {
    const [t, side] = [random.next(), random.sign()];
    const x = side * random.between(0.2, 0.52 + Math.sqrt(t) * 0.55) * (slender ? 0.72 : 1);
    const by: Point = [side * random.between(0.01, 0.09), random.between(0.07, 0.16)];
    return { at: [x, mixNumber(0.15, 3.1, t)], by, colour: back, aside: x };
  });
  fur(it, 1300, [-0.12, 0.03], () => {
    const t = random.next();
    const x = random.spread() * (0.26 + t * 0.2);
    const by: Point = [x * 0.2 + random.spread() * 0.03, random.between(0.08, 0.17)];
    const colour = mix(bib, back, clamp(Math.abs(x) * 1.4 - 0.25));
    return { at: [x, mixNumber(0.4, 3.1, t)], by, colour, aside: x * 1.4 };
  });
}

function ear(it: Inked, side: 1 | -1): void {
  const { context, random, breed, mask } = it;
  const small = breed.hump ? 0.5 : 1;
  const [rootX, rootY] = mask.ear[0] ?? [0, 0];
  const points = mask.ear.map(([x, y]): Point => [(rootX + (x - rootX) * small) * side, rootY + (y - rootY) * small]);
  const flop = breed.ears.shape === 'flop';
  const own = breed.pattern === 'panda' || breed.pattern === 'patches' ? breed.dark : breed.coat;
  const colour = sided(it, own, side * 0.6);
  pelt(it, lighter(flop ? mix(colour, breed.dark, 0.3) : colour, -0.06), points, 0.014, 10);
  context.save();
  context.clip(spline(points));
  if (flop)
    fur(it, 420, [-0.1, 0.06], () => ({
      at: [mixNumber(0.24, 0.66, random.next()) * side, mixNumber(-0.44, 0.36, random.next())],
      by: [side * 0.03, random.between(0.06, 0.13)],
      colour: mix(breed.coat, breed.dark, 0.28),
      aside: side * 0.7,
    }));
  else {
    if (breed.face === 'canine') draw(context, rows.earTip, { dark: breed.dark });
    const middle = points.reduce((sum, [x]) => sum + x, 0) / points.length;
    soft(context, 0.02, () => {
      context.fillStyle = css(mix(breed.dark, lch(0.5, 0.06, 30), 0.35), 0.85);
      const inside = ([x, y]: Point): Point => [middle + (x - middle) * 0.58 + side * 0.02, (y + 0.42) * 0.72 - 0.42];
      context.fill(spline(points.map(inside)));
    });
    fur(it, 80, [-0.12, 0.02], () => ({
      at: [middle - side * random.between(0.02, 0.1), mixNumber(-0.3, -0.72, random.next())],
      by: [side * random.between(0.06, 0.17), -random.between(0.04, 0.15)],
      colour: mix(breed.under, breed.coat, 0.15),
      aside: side * 0.5,
    }));
  }
  context.restore();
}

function head(it: Inked): void {
  const { context, random, breed, mask, shade, light } = it;
  const { coat, under } = breed;
  pelt(it, mix(coat, shade, 0.1), mask.outline, 0.034, 12);
  context.save();
  context.clip(spline(mask.outline.map(([x, y]): Point => [x * 1.05, y * 1.04])));
  const pale = under.l > coat.l + 0.1;
  const { bridge, eyes } = mask;
  if (pale)
    soft(context, 0.022, () => {
      const measures = { bridge: bridge[1], eyes: [eyes.x, eyes.y], size: eyes.size } as const;
      for (const side of [-1, 1] as const)
        draw(context, rows.pale, { pale: sided(it, under, side * 0.5) }, { side, ...measures });
    });
  draw(context, rows.bridge, { coat, shade, light });
  context.restore();
  fur(it, 2300, [-0.085, 0.075], () => {
    const [angle, r] = [random.next() * Math.PI * 2, Math.sqrt(random.next())];
    const far = r * edgeAt(mask.outline, angle);
    const [x, y] = [Math.cos(angle) * far, 0.08 + Math.sin(angle) * far];
    const [dx, dy] = combed(x, y, mask);
    const long = mixNumber(0.03, 0.085, r) * random.between(0.7, 1.2);
    return { at: [x, y], by: [dx * long, dy * long], colour: furAt(it, pale, x, y), aside: x * 1.5 };
  });
}

/** The colour of the fur at a point of the face: paler below, the bridge of the nose, blaze and markings. */
function furAt({ breed, mask }: Inked, pale: boolean, x: number, y: number): Colour {
  const { coat, under, dark, pattern } = breed;
  const aside = Math.abs(x);
  if (pattern === 'blaze' && aside < 0.085 - y * 0.03 && y > -0.36 && y < 0.66) return mix(coat, WHITE, 0.8);
  const low = pale ? (y - 0.11 - Math.max(0, 0.14 - aside) * 2.2 - Math.max(0, aside - 0.2) * 0.05) * 9 : y * 0.6;
  const onBridge = y < mask.nose.y && aside < mixNumber(...mask.bridge, clamp(y / mask.nose.y)) * 0.8;
  const plain = onBridge ? lighter(coat, -0.02) : mix(coat, under, clamp(low));
  return isMarked(pattern, x, y) ? mix(plain, dark, 0.9) : plain;
}

/** A lion's: locks outwards from the face, darker below. */
function mane(it: Inked, colour: Colour): void {
  const { random, breed, shade } = it;
  pelt(it, lighter(mix(colour, shade, 0.3), -0.08), outline(rows.mane), 0.05, 9);
  fur(it, 2400, [-0.12, 0.1], () => {
    const angle = random.next() * Math.PI * 2;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const r = random.between(0.36, 0.9) * (sin > 0 ? 1 + sin * 0.85 : 1);
    const long = random.between(0.1, 0.26);
    const gold = mix(colour, breed.coat, clamp(1.15 - r * 1.1) + 0.18 * Math.sin(angle * 9 + r * 5));
    const by: Point = [cos * long * 0.8, (sin * 0.6 + 0.5) * long];
    return { at: [cos * r, 0.1 + sin * r], by, colour: gold, aside: cos * r * 1.1 };
  });
}

/** A horse's: falls between the ears over the brow. */
function forelock(it: Inked): void {
  const { random, breed } = it;
  fur(it, 260, [-0.04, 0.1], () => {
    const x = random.spread() * 0.09;
    const by: Point = [x * 0.9 + random.spread() * 0.03 + 0.05, random.between(0.16, 0.4)];
    return { at: [x, random.between(-0.68, -0.46)], by, colour: breed.dark, aside: x * 2 };
  });
}

function eye(it: Inked, side: 1 | -1, shut: boolean): void {
  const { dark, eye, coat } = it.breed;
  const lid = lighter(sided(it, coat, side * 0.4), -0.08);
  const pupil = it.mask.slit ? ([0.24, 0.46] as const) : ([0.42, 0.42] as const);
  draw(it.context, rows.eye, { dark, eye, lid, shade: it.shade }, { ...it.mask.eyes, side, pupil, shut: Number(shut) });
}

const WHISKERED: ReadonlySet<string> = new Set(['canine', 'dog', 'feline', 'lion', 'hare']);
const SOFT_NOSED: ReadonlySet<string> = new Set(['feline', 'lion', 'hare']);

function muzzle({ context, random, mask, breed, light, shade }: Inked): void {
  const { face, coat, dark } = breed;
  const skin = SOFT_NOSED.has(face) ? lch(0.62, 0.08, 20) : lighter(dark, -0.03);
  // A soft lip, paler or darker than the face, with a nostril at each side.
  const lip = mix(mix(coat, face === 'ox' ? lch(0.72, 0.06, 25) : dark, 0.62), shade, 0.12);
  draw(context, rows.muzzle, { dark, light, skin, lip }, { ...mask.nose, nostrils: Number(mask.nostrils ?? false) });
  if (!WHISKERED.has(face)) return;
  const colour = mix(WHITE, dark, face === 'canine' ? 0.75 : 0.08);
  hairs(context, random, { count: 18, width: 0.0045, alpha: 0.55 }, () => {
    const side = random.sign();
    const at: Point = [side * random.between(0.1, 0.17), mask.nose.y + random.between(-0.02, 0.09)];
    return { at, by: [side * random.between(0.3, 0.52), random.between(-0.06, 0.16)], colour };
  });
}

/** Away from the nose, up over the brow, outwards and down at the cheeks. */
function combed(x: number, y: number, mask: Mask): Point {
  const from = { x: 0, y: mask.nose.y - 0.05 };
  const away = Math.hypot(x - from.x, y - from.y) || 1;
  const down = Math.abs(x) > 0.28 && y > -0.1 ? 0.75 : 0;
  const [dx, dy] = [(x - from.x) / away, (y - from.y) / away + down];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** How far the outline is from the middle of the face, at an angle. */
function edgeAt(outline: readonly Point[], angle: number): number {
  const towards = ([x, y]: Point) => (x * Math.cos(angle) + (y - 0.08) * Math.sin(angle)) / Math.hypot(x, y - 0.08);
  const [x, y] = outline.reduce((best, point) => (towards(point) > towards(best) ? point : best));
  return Math.hypot(x, y - 0.08);
}

/** Whether the breed's dark lies here on its face. */
function isMarked(pattern: Breed['pattern'], x: number, y: number): boolean {
  const aside = Math.abs(x);
  switch (pattern) {
    case 'stripes':
      return (
        (y < -0.14 && aside < 0.34 && Math.cos(y * 46 + x * x * 40) > 0.5) ||
        (y > -0.16 && aside > 0.3 && Math.cos(y * 30 - aside * 26) > 0.5)
      );
    case 'spots':
      return y < 0.1 && Math.cos(x * 34 + Math.sin(y * 19) * 2) * Math.cos(y * 30 + x * 6) > 0.52;
    case 'panda':
      return ((aside - 0.235) / 0.15) ** 2 + ((y + 0.03 - aside * 0.25) / 0.15) ** 2 < 1;
    case 'patches':
      return aside > 0.1 + Math.max(0, y) * 0.4 && y < 0.34;
    default:
      return false;
  }
}

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
import { soft, strokes } from '../people/portrait-brush.ts';
import { type Breed, MASKS, type Mask } from './breeds.ts';

export function animalFace(
  stage: Stage,
  breed: Breed,
  seed: string,
  { eyesShut = false }: { readonly eyesShut?: boolean } = {},
): Figure {
  const mask = MASKS[breed.face === 'trunk' ? 'bear' : breed.face];
  const inked = { mask, breed, stage, shade: mix(stage.palette.near, stage.palette.sky[0], 0.35) };
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
      ruff(context, inked, random);
      const hanging = breed.ears.shape === 'flop';
      if (breed.collar) mane(context, inked, breed.collar, random);
      if (!hanging) for (const side of [-1, 1] as const) ear(context, inked, random, side);
      head(context, inked, random);
      if (breed.mane) forelock(context, inked, random);
      if (hanging) for (const side of [-1, 1] as const) ear(context, inked, random, side);
      for (const side of [-1, 1] as const) eye(context, inked, side, eyesShut);
      muzzle(context, inked, random);
      context.restore();
    },
  };
}

/** Long necks instead of a chest of fur. */
const SLENDER: ReadonlySet<string> = new Set(['long', 'horse', 'ox']);

/** Shoulders and chest: a slope of fur behind the face, its bib pale where the breed's is. */
function ruff(context: Context, it: Inked, random: Random): void {
  const { breed } = it;
  const [back, bib] = [
    lighter(breed.pattern === 'panda' ? breed.dark : breed.coat, breed.pattern === 'panda' ? 0.06 : -0.05),
    breed.pattern === 'panda' ? breed.dark : breed.under,
  ];
  context.fillStyle = css(lighter(mix(back, it.shade, 0.3), -0.03));
  context.fill(
    furred(
      outline(
        SLENDER.has(breed.face)
          ? '-0.3 -0.1, -0.38 0.4, -0.46 0.9, -0.62 1.5, -0.86 2.2, -1 3.4, 1 3.4, 0.84 2.1, 0.6 1.4, 0.44 0.85, 0.36 0.35, 0.3 -0.1, 0 -0.3'
          : '-0.4 -0.1, -0.6 0.35, -0.78 0.9, -1 1.5, -1.16 2.2, -1.22 3.4, 1.18 3.4, 1.1 2.1, 0.92 1.4, 0.72 0.85, 0.56 0.35, 0.4 -0.1, 0 -0.3',
      ),
      random,
      0.022,
      26,
    ),
  );
  coat(context, random, 1300, () => {
    const t = random.next();
    const side = random.sign();
    const x = side * random.between(0.2, 0.52 + Math.sqrt(t) * 0.55) * (SLENDER.has(breed.face) ? 0.72 : 1);
    const y = mixNumber(0.15, 3.1, t);
    return {
      x,
      y,
      dx: side * random.between(0.01, 0.09),
      dy: random.between(0.07, 0.16),
      colour: lighter(sided(it, back, x), random.between(-0.1, 0.09)),
    };
  });
  coat(context, random, 1300, () => {
    const t = random.next();
    const x = random.spread() * (0.26 + t * 0.2);
    const y = mixNumber(0.4, 3.1, t);
    return {
      x,
      y,
      dx: x * 0.2 + random.spread() * 0.03,
      dy: random.between(0.08, 0.17),
      colour: lighter(sided(it, mix(bib, back, clamp(Math.abs(x) * 1.4 - 0.25)), x * 1.4), random.between(-0.12, 0.03)),
    };
  });
}

function ear(context: Context, it: Inked, random: Random, side: 1 | -1): void {
  const { breed, mask } = it;
  const small = breed.hump ? 0.5 : 1;
  const [rootX, rootY] = mask.ear[0] ?? [0, 0];
  const points = mask.ear.map(([x, y]): Point => [(rootX + (x - rootX) * small) * side, rootY + (y - rootY) * small]);
  const flop = breed.ears.shape === 'flop';
  const coatColour = sided(
    it,
    breed.pattern === 'panda' || breed.pattern === 'patches' ? breed.dark : breed.coat,
    side * 0.6,
  );
  context.fillStyle = css(lighter(flop ? mix(coatColour, breed.dark, 0.3) : coatColour, -0.06));
  context.fill(furred(points, random, 0.014, 10));
  context.save();
  context.clip(spline(points));
  const cx = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  if (!flop && breed.face === 'canine') {
    const tip = context.createLinearGradient(0, -1.1, 0, -0.62);
    tip.addColorStop(0, css(breed.dark, 0.95));
    tip.addColorStop(1, css(breed.dark, 0));
    context.fillStyle = tip;
    context.fillRect(-1, -1.2, 2, 0.7);
  }
  if (flop)
    coat(context, random, 420, () => {
      const x = mixNumber(0.24, 0.66, random.next());
      const y = mixNumber(-0.44, 0.36, random.next());
      const tone = lighter(sided(it, mix(breed.coat, breed.dark, 0.28), side * 0.7), random.between(-0.1, 0.06));
      return { x: x * side, y, dx: side * 0.03, dy: random.between(0.06, 0.13), colour: tone };
    });
  if (!flop) {
    soft(context, 0.02, () => {
      context.fillStyle = css(mix(breed.dark, lch(0.5, 0.06, 30), 0.35), 0.85);
      context.fill(
        spline(points.map(([x, y]): Point => [cx + (x - cx) * 0.58 + side * 0.02, -0.42 + (y + 0.42) * 0.72])),
      );
    });
    coat(context, random, 80, () => {
      const t = random.next();
      const x = cx - side * 0.1 + side * t * 0.08;
      const y = mixNumber(-0.3, -0.72, random.next());
      return {
        x,
        y,
        dx: side * random.between(0.06, 0.17),
        dy: -random.between(0.04, 0.15),
        colour: lighter(sided(it, mix(breed.under, breed.coat, 0.15), side * 0.5), random.between(-0.12, 0.02)),
      };
    });
  }
  context.restore();
}

function head(context: Context, it: Inked, random: Random): void {
  const { breed, mask, stage, shade } = it;
  const { coat: fur, under } = breed;
  context.fillStyle = css(mix(fur, shade, 0.1));
  context.fill(furred(mask.outline, random, 0.034, 12));
  context.save();
  context.clip(spline(mask.outline.map(([x, y]): Point => [x * 1.05, y * 1.04])));
  const pale = under.l > fur.l + 0.1;
  const { bridge, eyes } = mask;
  if (pale)
    soft(context, 0.022, () => {
      for (const side of [-1, 1] as const)
        draw(
          context,
          rows.pale,
          { pale: sided(it, under, side * 0.5) },
          {
            ...{ side, bridge: bridge[1], eyes: [eyes.x, eyes.y], size: eyes.size },
          },
        );
    });
  draw(context, rows.bridge, { coat: fur, shade, light: stage.palette.light });
  context.restore();
  coat(context, random, 2300, () => {
    const angle = random.next() * Math.PI * 2;
    const r = Math.sqrt(random.next());
    const edge = edgeAt(mask.outline, angle);
    const x = Math.cos(angle) * r * edge;
    const y = 0.08 + Math.sin(angle) * r * edge;
    const [dx, dy] = combed(x, y, mask);
    const length = mixNumber(0.03, 0.085, r) * random.between(0.7, 1.2);
    const base = pale
      ? mix(
          fur,
          under,
          clamp((y - 0.11 - Math.max(0, 0.14 - Math.abs(x)) * 2.2 + Math.max(0, Math.abs(x) - 0.2) * -0.05) * 9),
        )
      : mix(fur, under, clamp(y * 0.6));
    const cut =
      Math.abs(x) < mixNumber(mask.bridge[0], mask.bridge[1], clamp(y / mask.nose.y)) * 0.8 && y < mask.nose.y
        ? lighter(fur, -0.02)
        : base;
    const blazed = breed.pattern === 'blaze' && Math.abs(x) < 0.085 - y * 0.03 && y > -0.36 && y < 0.66;
    const marked = blazed ? mix(cut, WHITE, 0.8) : mix(cut, breed.dark, markAt(it, x, y) * 0.9);
    return {
      x,
      y,
      dx: dx * length,
      dy: dy * length,
      colour: lighter(sided(it, marked, x * 1.5), random.between(-0.085, 0.075)),
    };
  });
}

/** A lion's: locks outwards from the face, darker below. */
function mane(context: Context, it: Inked, colour: Colour, random: Random): void {
  context.fillStyle = css(lighter(mix(colour, it.shade, 0.3), -0.08));
  context.fill(
    furred(
      outline(
        '0 -0.86, 0.26 -0.9, 0.44 -0.76, 0.7 -0.66, 0.78 -0.4, 0.98 -0.16, 0.94 0.2, 1.04 0.5, 0.9 0.9, 0.86 1.3, 0.6 1.7, 0 1.95, -0.6 1.7, -0.86 1.3, -0.9 0.9, -1.04 0.5, -0.94 0.2, -0.98 -0.16, -0.78 -0.4, -0.7 -0.66, -0.44 -0.76, -0.26 -0.9',
      ),
      random,
      0.05,
      9,
    ),
  );
  coat(context, random, 2400, () => {
    const angle = random.next() * Math.PI * 2;
    const r = random.between(0.36, 0.9) * (Math.sin(angle) > 0 ? 1 + Math.sin(angle) * 0.85 : 1);
    const [x, y] = [Math.cos(angle) * r, 0.1 + Math.sin(angle) * r];
    const length = random.between(0.1, 0.26);
    const gold = mix(colour, it.breed.coat, clamp(1.15 - r * 1.1) + 0.18 * Math.sin(angle * 9 + r * 5));
    return {
      x,
      y,
      dx: Math.cos(angle) * length * 0.8,
      dy: Math.sin(angle) * length * 0.6 + length * 0.5,
      colour: lighter(sided(it, gold, x * 1.1), random.between(-0.12, 0.1)),
    };
  });
}

/** A horse's: falls between the ears over the brow. */
function forelock(context: Context, it: Inked, random: Random): void {
  coat(context, random, 260, () => {
    const x = random.spread() * 0.09;
    return {
      x,
      y: random.between(-0.68, -0.46),
      dx: x * 0.9 + random.spread() * 0.03 + 0.05,
      dy: random.between(0.16, 0.4),
      colour: lighter(sided(it, it.breed.dark, x * 2), random.between(-0.04, 0.1)),
    };
  });
}

function eye(context: Context, it: Inked, side: 1 | -1, shut: boolean): void {
  const { dark, eye, coat } = it.breed;
  const lid = lighter(sided(it, coat, side * 0.4), -0.08);
  const pupil = it.mask.slit ? ([0.24, 0.46] as const) : ([0.42, 0.42] as const);
  draw(context, rows.eye, { dark, eye, lid, shade: it.shade }, { ...it.mask.eyes, side, pupil, shut: Number(shut) });
}

const WHISKERED: ReadonlySet<string> = new Set(['canine', 'dog', 'feline', 'lion', 'hare']);
const SOFT_NOSED: ReadonlySet<string> = new Set(['feline', 'lion', 'hare']);

function muzzle(context: Context, { mask, breed, stage, shade }: Inked, random: Random): void {
  const { face, coat, dark } = breed;
  const paints = {
    ...{ dark, light: stage.palette.light },
    skin: SOFT_NOSED.has(face) ? lch(0.62, 0.08, 20) : lighter(dark, -0.03),
    // A soft lip, paler or darker than the face, with a nostril at each side.
    lip: mix(mix(coat, face === 'ox' ? lch(0.72, 0.06, 25) : dark, 0.62), shade, 0.12),
  };
  draw(context, rows.muzzle, paints, { ...mask.nose, nostrils: Number(mask.nostrils ?? false) });
  if (!WHISKERED.has(face)) return;
  const { y } = mask.nose;
  const whisker = css(mix(WHITE, dark, face === 'canine' ? 0.75 : 0.08), 0.55);
  for (const side of [-1, 1] as const)
    strokes(context, random, 9, whisker, 0.0045, () => {
      const y0 = y + random.between(-0.02, 0.09);
      const out = random.between(0.3, 0.52);
      return [side * random.between(0.1, 0.17), y0, side * (0.12 + out), y0 + random.between(-0.06, 0.16)];
    });
}

/** A face on its way to paper. */
interface Inked {
  readonly mask: Mask;
  readonly breed: Breed;
  readonly stage: Stage;
  readonly shade: Colour;
}

/** The same colour on the lit and on the dark side of the face. */
function sided({ stage, shade }: Inked, colour: Colour, x: number): Colour {
  return x > 0 ? mix(lighter(colour, 0.03), stage.palette.light, clamp(x) * 0.3) : mix(colour, shade, clamp(-x) * 0.5);
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
  let best = 0.4;
  let nearest = 9;
  for (const [x, y] of outline) {
    const off = Math.abs(
      Math.atan2(Math.sin(Math.atan2(y - 0.08, x) - angle), Math.cos(Math.atan2(y - 0.08, x) - angle)),
    );
    if (off < nearest) {
      nearest = off;
      best = Math.hypot(x, y - 0.08);
    }
  }
  return best;
}

/** Fur: many strokes, batched by a few tones so that the canvas is not asked thousands of times. */
function coat(
  context: Context,
  random: Random,
  count: number,
  one: () => {
    readonly x: number;
    readonly y: number;
    readonly dx: number;
    readonly dy: number;
    readonly colour: Colour;
  },
): void {
  context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const { x, y, dx, dy, colour } = one();
    context.strokeStyle = css(colour, 0.8);
    context.lineWidth = random.between(0.004, 0.0095);
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo(x + dx * 0.5 + dy * 0.06, y + dy * 0.5 - dx * 0.06, x + dx, y + dy);
    context.stroke();
  }
}

/** 0 to 1: how much of the breed's dark lies here on its face. */
function markAt({ breed }: Inked, x: number, y: number): number {
  const aside = Math.abs(x);
  switch (breed.pattern) {
    case 'stripes': {
      const brow = y < -0.14 && aside < 0.34 ? Math.cos(y * 46 + x * x * 40) : -1;
      const cheek = aside > 0.3 && y > -0.16 ? Math.cos(y * 30 - aside * 26) : -1;
      return Math.max(brow, cheek) > 0.5 ? 1 : 0;
    }
    case 'spots':
      return y < 0.1 && Math.cos(x * 34 + Math.sin(y * 19) * 2) * Math.cos(y * 30 + x * 6) > 0.52 ? 1 : 0;
    case 'panda':
      return ((aside - 0.235) / 0.15) ** 2 + ((y + 0.03 - aside * 0.25) / 0.15) ** 2 < 1 ? 1 : 0;
    case 'patches':
      return aside > 0.1 + Math.max(0, y) * 0.4 && y < 0.34 ? 1 : 0;
    default:
      return 0;
  }
}

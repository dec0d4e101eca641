/**
 * An animal's face looking at us, for close shots: a mask of shapes, then fur in strokes that follow it outwards from the nose.
 * Units: the skull is about 1 wide, its middle at 0,0; lit from the right (the painter mirrors it).
 */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../palette.ts';
import { clamp, mixNumber, Random } from '../../random.ts';
import type { Animal } from '../../words.ts';
import { type Context, ellipse, furred, outline, type Point, spline, tube } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { BREEDS, type Breed } from './breeds.ts';
import { soft, strokes } from './face.ts';
import type { Figure } from './figure.ts';

interface Mask {
  readonly outline: readonly Point[];
  readonly eyes: { readonly x: number; readonly y: number; readonly size: number; readonly slant: number };
  readonly nose: { readonly y: number; readonly size: number };
  /** Half the width of the bridge at the eyes and at the nose. */
  readonly bridge: readonly [number, number];
  readonly ear: readonly Point[];
  readonly slit: boolean;
}

/** The right half, from the crown down to the chin; the left is its mirror. */
const half = (points: readonly Point[]): Point[] => [
  ...points,
  ...points
    .filter(([x]) => x > 0.001)
    .map(([x, y]): Point => [-x, y])
    .reverse(),
];

const MASKS: { readonly [face in Breed['face']]: Mask } = {
  canine: {
    outline: half(
      outline(
        '0 -0.45, 0.2 -0.44, 0.38 -0.32, 0.48 -0.08, 0.6 0.12, 0.66 0.27, 0.46 0.3, 0.3 0.4, 0.19 0.53, 0.1 0.61, 0 0.63',
      ),
    ),
    eyes: { x: 0.215, y: -0.045, size: 0.078, slant: 0.3 },
    nose: { y: 0.455, size: 0.082 },
    bridge: [0.12, 0.07],
    ear: outline('0.15 -0.38, 0.2 -0.72, 0.36 -1.04, 0.41 -1.05, 0.53 -0.72, 0.52 -0.2, 0.34 -0.24'),
    slit: true,
  },
  feline: {
    outline: half(
      outline('0 -0.44, 0.22 -0.42, 0.42 -0.28, 0.52 -0.02, 0.55 0.2, 0.42 0.36, 0.26 0.46, 0.1 0.52, 0 0.52'),
    ),
    eyes: { x: 0.225, y: -0.03, size: 0.1, slant: 0.2 },
    nose: { y: 0.255, size: 0.055 },
    bridge: [0.1, 0.07],
    ear: outline('0.12 -0.38, 0.26 -0.66, 0.44 -0.84, 0.49 -0.82, 0.54 -0.5, 0.5 -0.12, 0.36 -0.22'),
    slit: true,
  },
  long: {
    outline: half(
      outline('0 -0.52, 0.17 -0.5, 0.29 -0.34, 0.31 -0.1, 0.24 0.2, 0.19 0.48, 0.2 0.68, 0.13 0.82, 0 0.85'),
    ),
    eyes: { x: 0.268, y: -0.12, size: 0.07, slant: 0.5 },
    nose: { y: 0.68, size: 0.12 },
    bridge: [0.14, 0.11],
    ear: outline('0.2 -0.36, 0.36 -0.52, 0.62 -0.72, 0.74 -0.7, 0.66 -0.46, 0.46 -0.26, 0.28 -0.24'),
    slit: false,
  },
  bear: {
    outline: half(outline('0 -0.5, 0.28 -0.48, 0.5 -0.3, 0.6 -0.02, 0.56 0.24, 0.4 0.42, 0.24 0.54, 0.1 0.6, 0 0.6')),
    eyes: { x: 0.2, y: -0.06, size: 0.05, slant: 0.15 },
    nose: { y: 0.33, size: 0.11 },
    bridge: [0.16, 0.13],
    ear: outline('0.3 -0.42, 0.38 -0.64, 0.52 -0.7, 0.64 -0.6, 0.64 -0.42, 0.54 -0.24, 0.42 -0.3'),
    slit: false,
  },
};

export function animalFace(
  stage: Stage,
  animal: Animal,
  seed: string,
  { eyesShut = false }: { readonly eyesShut?: boolean } = {},
): Figure {
  const breed = BREEDS[animal];
  const mask = MASKS[breed.face];
  const inked = { mask, breed, stage, shade: mix(stage.palette.near, stage.palette.sky[0], 0.35) };
  return {
    box: { left: -1.5, top: -1.25, right: 1.5, bottom: 3.2 },
    stride: 0,
    rigid: true,
    rim: 0.8,
    shade: 0.7,
    draw(context) {
      context.save();
      context.scale(stage.lit, 1);
      const random = new Random(`fur|${seed}|${animal}`);
      ruff(context, inked, random);
      for (const side of [-1, 1] as const) ear(context, inked, random, side);
      head(context, inked, random);
      for (const side of [-1, 1] as const) eye(context, inked, side, eyesShut);
      muzzle(context, inked, random, animal);
      context.restore();
    },
  };
}

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

/** Shoulders and chest: a slope of fur behind the face, its bib pale where the breed's is. */
function ruff(context: Context, it: Inked, random: Random): void {
  const { breed } = it;
  const [back, bib] = [lighter(breed.coat, -0.05), breed.under];
  context.fillStyle = css(lighter(mix(back, it.shade, 0.3), -0.03));
  context.fill(
    furred(
      outline(
        '-0.4 -0.1, -0.6 0.35, -0.78 0.9, -1 1.5, -1.16 2.2, -1.22 3.4, 1.18 3.4, 1.1 2.1, 0.92 1.4, 0.72 0.85, 0.56 0.35, 0.4 -0.1, 0 -0.3',
      ),
      random,
      0.022,
      26,
    ),
  );
  coat(context, random, 1300, () => {
    const t = random.next();
    const side = random.sign();
    const x = side * random.between(0.28, 0.52 + Math.sqrt(t) * 0.55);
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
  const shape = mask.ear.map(([x, y]): Point => [x * side, y]);
  const flop = breed.ears.shape === 'flop';
  const points = flop
    ? shape.map(
        ([x, y]): Point => [x * 1.1 + side * Math.max(0, -y - 0.5) * 0.35, y < -0.5 ? -0.5 + (-y - 0.5) * 0.9 : y],
      )
    : shape;
  const coatColour = sided(it, breed.coat, side * 0.6);
  context.fillStyle = css(lighter(coatColour, -0.06));
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
  if (pale) {
    soft(context, 0.022, () => {
      for (const side of [-1, 1] as const) {
        context.fillStyle = css(sided(it, under, side * 0.5));
        context.fill(
          spline([
            [side * mask.bridge[1] * 0.75, 0.2],
            [side * 0.14, 0.1],
            [side * 0.26, 0.13],
            [side * 0.45, 0.16],
            [side * 0.68, 0.24],
            [side * 0.5, 0.34],
            [side * 0.26, 0.5],
            [side * 0.08, 0.68],
            [0, 0.68],
            [0, 0.48],
          ]),
        );
        ellipse(context, side * (mask.eyes.x - 0.03), mask.eyes.y - mask.eyes.size * 1.75, 0.062, 0.028, side * -0.5);
      }
    });
  }
  soft(context, 0.05, () => {
    context.fillStyle = css(mix(fur, lch(0.3, 0.06, 35), 0.5), 0.5);
    context.fill(
      tube([
        [0, -0.4, 0.06],
        [0, -0.1, 0.09],
        [0, 0.2, 0.05],
      ]),
    );
    context.fillStyle = css(shade, 0.4);
    ellipse(context, -0.46, 0.02, 0.16, 0.36);
    context.fillStyle = css(mix(fur, stage.palette.light, 0.5), 0.5);
    ellipse(context, 0.32, -0.22, 0.14, 0.12);
  });
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
    return {
      x,
      y,
      dx: dx * length,
      dy: dy * length,
      colour: lighter(sided(it, cut, x * 1.5), random.between(-0.085, 0.075)),
    };
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

function eye(context: Context, it: Inked, side: 1 | -1, shut: boolean): void {
  const { mask, breed, shade } = it;
  const { x, y, size, slant } = mask.eyes;
  context.save();
  context.translate(x * side, y);
  context.scale(side, 1);
  context.rotate(-slant);
  soft(context, 0.016, () => {
    context.fillStyle = css(breed.dark, 0.72);
    ellipse(context, 0, 0, size * 1.42, size * 0.95);
    context.fill(
      tube([
        [-size * 1, size * 0.3, size * 0.3],
        [-size * 1.7, size * 1.2, size * 0.16],
        [-size * 2.1, size * 2.2, size * 0.05],
      ]),
    );
  });
  const almond = spline([
    [-size * 1.22, size * 0.32],
    [-size * 0.6, -size * 0.5],
    [size * 0.1, -size * 0.78],
    [size * 0.85, -size * 0.42],
    [size * 1.2, size * 0.06],
    [size * 0.6, size * 0.56],
    [-size * 0.3, size * 0.66],
  ]);
  context.fillStyle = css(lighter(breed.dark, -0.06));
  context.fill(almond);
  if (shut) {
    context.fillStyle = css(lighter(sided(it, breed.coat, side * 0.4), -0.08));
    context.fill(almond);
    context.strokeStyle = css(breed.dark);
    context.lineWidth = size * 0.2;
    context.lineCap = 'round';
    context.stroke(
      spline(
        [
          [-size * 1.2, size * 0.35],
          [0, size * 0.55],
          [size * 1.15, size * 0.12],
        ],
        { closed: false },
      ),
    );
    context.restore();
    return;
  }
  context.save();
  context.clip(
    spline([
      [-size * 1.05, size * 0.26],
      [-size * 0.5, -size * 0.4],
      [size * 0.1, -size * 0.64],
      [size * 0.76, -size * 0.34],
      [size * 1.02, size * 0.06],
      [size * 0.5, size * 0.45],
      [-size * 0.3, size * 0.53],
    ]),
  );
  const iris = context.createRadialGradient(0, size * 0.1, size * 0.1, 0, 0, size * 0.9);
  iris.addColorStop(0, css(lighter(breed.eye, 0.1)));
  iris.addColorStop(0.55, css(breed.eye));
  iris.addColorStop(1, css(lighter(breed.eye, -0.28)));
  context.fillStyle = iris;
  context.fillRect(-size * 2, -size * 2, size * 4, size * 4);
  context.fillStyle = 'rgb(8,6,7)';
  ellipse(context, 0, -size * 0.04, size * (mask.slit ? 0.24 : 0.42), size * (mask.slit ? 0.46 : 0.42), slant);
  soft(context, 0.01, () => {
    context.fillStyle = css(mix(shade, lch(0.08, 0, 0), 0.5), 0.6);
    ellipse(context, 0, -size * 0.72, size * 1.2, size * 0.36);
  });
  context.fillStyle = 'rgba(255,255,255,0.95)';
  ellipse(context, side * size * 0.24, -size * 0.24, size * 0.15, size * 0.15);
  context.fillStyle = 'rgba(255,255,255,0.3)';
  ellipse(context, -side * size * 0.3, size * 0.26, size * 0.12, size * 0.08);
  context.restore();
  context.restore();
}

function muzzle(context: Context, it: Inked, random: Random, animal: Animal): void {
  const { mask, breed, stage } = it;
  const { y, size } = mask.nose;
  soft(context, 0.02, () => {
    context.fillStyle = css(breed.dark, 0.3);
    ellipse(context, -size * 1.3, y + size * 0.35, size * 0.8, size * 0.7);
    context.fillStyle = css(breed.dark, 0.42);
    ellipse(context, 0, y + size * 2, size * 1.5, size * 0.34);
  });
  const skin = animal === 'cat' ? lch(0.62, 0.08, 20) : lighter(breed.dark, -0.03);
  const nose = context.createRadialGradient(size * 0.3, y - size * 0.5, size * 0.1, 0, y, size * 1.4);
  nose.addColorStop(0, css(mix(lighter(skin, 0.24), stage.palette.light, 0.2)));
  nose.addColorStop(0.5, css(skin));
  nose.addColorStop(1, css(lighter(skin, -0.06)));
  context.fillStyle = nose;
  context.fill(
    spline([
      [-size, y - size * 0.5],
      [-size * 0.5, y - size * 0.72],
      [size * 0.5, y - size * 0.72],
      [size, y - size * 0.5],
      [size * 0.92, y + size * 0.1],
      [size * 0.35, y + size * 0.62],
      [0, y + size * 0.78],
      [-size * 0.35, y + size * 0.62],
      [-size * 0.92, y + size * 0.1],
    ]),
  );
  context.fillStyle = 'rgba(0,0,0,0.75)';
  for (const side of [-1, 1])
    ellipse(context, side * size * 0.5, y + size * 0.06, size * 0.22, size * 0.15, side * 0.5);
  context.fillStyle = css(mix(WHITE, stage.palette.light, 0.4), 0.6);
  ellipse(context, size * 0.3, y - size * 0.47, size * 0.26, size * 0.09, 0.1);
  context.strokeStyle = css(lighter(breed.dark, -0.02), 0.85);
  context.lineCap = 'round';
  context.lineWidth = 0.013;
  context.stroke(
    spline(
      [
        [0, y + size * 0.76],
        [0, y + size * 1.12],
      ],
      { closed: false },
    ),
  );
  for (const side of [-1, 1])
    context.stroke(
      spline(
        [
          [0, y + size * 1.12],
          [side * size * 0.6, y + size * 1.34],
          [side * size * 1.35, y + size * 1.05],
          [side * size * 1.75, y + size * 0.66],
        ],
        { closed: false },
      ),
    );
  if (breed.face === 'canine' || breed.face === 'feline') {
    for (const side of [-1, 1] as const) {
      strokes(
        context,
        random,
        9,
        css(mix(WHITE, breed.dark, breed.face === 'canine' ? 0.75 : 0.08), 0.55),
        0.0045,
        () => {
          const y0 = y + random.between(-0.02, 0.09);
          const out = random.between(0.3, 0.52);
          return [side * random.between(0.1, 0.17), y0, side * (0.12 + out), y0 + random.between(-0.06, 0.16)];
        },
      );
    }
  }
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

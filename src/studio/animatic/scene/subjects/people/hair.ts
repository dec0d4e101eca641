/** Hair and beards, and what is worn over them (props), in the units of `face.ts`. */

import type { Random } from '../../../../shared/random.ts';
import type { Headwear } from '../../../../shared/vocabulary.ts';
import { type Colour, css, lighter, mix } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/prompt.ts';
import type { Context, Point } from '../../brush.ts';
import { drawProp } from '../../prop.ts';
import rows from '../data/drawings/portrait.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { drops } from './clothes.ts';
import { type Complexion, strokes, wearing } from './portrait-brush.ts';

type Worn = { readonly [headwear in Headwear]?: string };
const BEHIND: Worn = { souwester: 'souwester-behind', hood: 'hood-behind', helmet: 'helmet-behind' };
const HATS: Worn = {
  souwester: 'souwester',
  hood: 'hood',
  brim: 'brimmed-hat',
  cap: 'knit-cap',
  helmet: 'helmet',
  straw: 'straw-hat',
  toque: 'toque',
};
/** Where short hair ends at the brow; under a rain hat none shows. */
const UNDER: { readonly [headwear in Headwear]?: number } = {
  hood: -0.84,
  brim: -0.62,
  cap: -0.62,
  helmet: -0.84,
  straw: -0.7,
  toque: -0.7,
  none: -0.86,
};

/** Behind the head: long hair, a hood's inside, a rain hat's back flap. */
export function paintBehindHead(
  context: Context,
  person: Person,
  look: Complexion,
  cloth: Colour,
  random: Random,
): void {
  const behind = BEHIND[person.headwear];
  if (behind) drawProp(context, behind, wearing(look, cloth));
  else if (person.woman) {
    const back = mix(look.hair, look.shade, 0.35);
    draw(context, rows.hairBehind, { hair: back });
    for (const [tone, alpha] of [
      [0.07, 0.5],
      [-0.06, 0.5],
    ] as const) {
      strokes(context, random, 90, css(lighter(back, tone), alpha), 0.009, () => {
        const side = random.sign();
        const x = side * random.between(0.3, 0.47);
        const y = random.between(-0.7, 0);
        return [x, y, x + side * random.between(0, 0.06), y + random.between(0.2, 0.42)];
      });
    }
  }
}

/** On the head: hair, and the hat over it. */
export function paintHead(context: Context, person: Person, look: Complexion, cloth: Colour, random: Random): void {
  if (person.beard) beard(context, look, random);
  const { headwear } = person;
  const under = UNDER[headwear];
  if (person.woman && (headwear === 'straw' || headwear === 'none')) longHair(context, look, random);
  else if (under !== undefined) shortHair(context, person, look, random, under);
  const hat = HATS[headwear];
  if (hat) drawProp(context, hat, wearing(look, cloth));
  if (headwear === 'souwester') drops(context, random, 26, [-0.55, 0.6], [-1.15, -0.7], look);
}

function beard(context: Context, look: Complexion, random: Random): void {
  const body = mix(look.hair, look.shade, 0.28);
  draw(context, rows.beard, { hair: body });
  const inBeard = (): Point => {
    for (;;) {
      const x = random.between(-0.37, 0.365);
      const y = random.between(-0.4, 0.17);
      const side = Math.abs(x - 0.01) / 0.365;
      if (y < (side > 0.8 ? -0.17 - 0.27 * ((side - 0.8) / 0.2) : -0.17 - 0.035 * Math.cos(side * 7))) continue;
      if (y > 0.18 - side * side * 0.36) continue;
      return [x, y];
    }
  };
  for (const pass of [0, 1, 2, 3] as const) {
    for (const lit of [-1, 0, 1] as const) {
      const tone =
        lit === 1
          ? mix(lighter(look.hair, 0.1), look.light, 0.42)
          : lit === 0
            ? lighter(look.hair, 0.02)
            : mix(look.hair, look.shade, 0.55);
      const colour = lighter(tone, [-0.12, -0.04, 0.03, 0.07][pass] ?? 0);
      strokes(context, random, 150, css(colour, 0.62), 0.0085 - pass * 0.0012, () => {
        const [x, y] = inBeard();
        const where = x < -0.12 ? -1 : x < 0.1 ? 0 : 1;
        if (where !== lit) return [0, 0.05, 0, 0.051];
        const out = (x - 0.02) * 0.16;
        const length = random.between(0.045, 0.1) * (y > 0 ? 1.25 : 1);
        return [x, y, x + out * length * 6 + random.spread() * 0.014, y + length];
      });
    }
  }
  moustache(context, look, random);
}

function moustache(context: Context, look: Complexion, random: Random): void {
  // The lower lip shows between moustache and beard, or there is no mouth to speak with.
  draw(context, rows.lips, { skin: look.skin });
  for (const [tone, count] of [
    [-0.12, 90],
    [0, 120],
    [0.09, 90],
  ] as const) {
    for (const side of [-1, 1] as const) {
      const colour =
        side === 1
          ? mix(lighter(look.hair, 0.03 + tone), look.light, 0.25)
          : mix(lighter(look.hair, 0.02 + tone), look.shade, 0.2);
      strokes(context, random, count, css(colour, 0.75), 0.0085, () => {
        const t = random.next();
        const x = 0.04 + side * (0.006 + 0.135 * t);
        const y = -0.212 + 0.04 * t * t + random.spread() * 0.014;
        return [x, y, x + side * random.between(0.02, 0.055), y + random.between(0.03, 0.062)];
      });
    }
  }
}

function shortHair(context: Context, person: Person, look: Complexion, random: Random, hairline: number): void {
  const hair = mix(look.hair, look.shade, 0.2);
  const line = person.old && hairline < -0.8 ? -0.9 : hairline;
  draw(context, rows.shortHair, { hair }, { line });
  for (const [tone, lit] of [
    [0.1, 1],
    [0.03, 0],
    [-0.07, -1],
  ] as const) {
    strokes(
      context,
      random,
      150,
      css(lit === 1 ? mix(lighter(hair, tone), look.light, 0.25) : lighter(hair, tone), 0.6),
      0.0085,
      () => {
        const angle = random.between(lit === 1 ? -0.2 : -1.3, lit === -1 ? 0.1 : 1.3);
        const r = random.between(0.9, 1.06);
        const x = Math.sin(angle) * 0.38 * r;
        const y = -0.68 - Math.cos(angle) * 0.4 * r;
        return [
          x * 0.8 + 0.02,
          Math.min(y - 0.02, line),
          x * 1.02,
          Math.min(y + 0.09, line + 0.05 + Math.abs(x) * 0.45),
        ];
      },
    );
  }
}

function longHair(context: Context, look: Complexion, random: Random): void {
  const hair = mix(look.hair, look.shade, 0.16);
  for (const side of [-1, 1] as const) {
    draw(context, rows.longHair, { lock: lighter(hair, side === 1 ? 0.02 : -0.04) }, { side });
    for (const tone of [0.1, -0.06, 0.04]) {
      strokes(
        context,
        random,
        70,
        css(side === 1 ? mix(lighter(hair, tone), look.light, Math.max(0, tone * 2.6)) : lighter(hair, tone), 0.6),
        0.008,
        () => {
          const t = random.next();
          const x = side * (0.36 + 0.1 * random.next());
          const y = -0.85 + t * 0.9;
          return t < 0.25
            ? [
                -0.05 + random.spread() * 0.03,
                -1.07 + random.next() * 0.1,
                side * random.between(0.2, 0.4),
                -0.84 + random.next() * 0.1,
              ]
            : [x, y, x + side * random.between(-0.01, 0.05), y + random.between(0.15, 0.32)];
        },
      );
    }
  }
}

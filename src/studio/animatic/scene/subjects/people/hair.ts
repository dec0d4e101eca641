/** Hair and beards, and what is worn over them (props), in the units of `face.ts`. */

import type { Random } from '../../../../shared/random.ts';
import type { Headwear } from '../../../../shared/vocabulary.ts';
import { lighter, mix } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/prompt.ts';
import type { Context, Point } from '../../brush.ts';
import { drawProp } from '../../prop.ts';
import rows from '../data/drawings/portrait.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { drops } from './clothes.ts';
import { type Hair, hairs, sided, type Worn } from './portrait-brush.ts';

/** What is worn on the head: the prop before the face and the one behind it, and where short hair ends at the brow; without, none shows. */
const HATS: { readonly [headwear in Headwear]?: { on?: string; behind?: string; brow?: number } } = {
  none: { brow: -0.86 },
  souwester: { on: 'souwester', behind: 'souwester-behind' },
  hood: { on: 'hood', behind: 'hood-behind', brow: -0.84 },
  brim: { on: 'brimmed-hat', brow: -0.62 },
  cap: { on: 'knit-cap', brow: -0.62 },
  helmet: { on: 'helmet', behind: 'helmet-behind', brow: -0.84 },
  straw: { on: 'straw-hat', brow: -0.7 },
  toque: { on: 'toque', brow: -0.7 },
};

/** Behind the head: long hair, a hood's inside, a rain hat's back flap. */
export function paintBehindHead(context: Context, person: Person, { look, paints }: Worn, random: Random): void {
  const { behind } = HATS[person.headwear] ?? {};
  if (behind) drawProp(context, behind, { paints });
  else if (person.woman) {
    const hair = mix(look.hair, look.shade, 0.35);
    draw(context, rows.hairBehind, { hair });
    hairs(context, random, { count: 180, width: 0.009, alpha: 0.5 }, () => {
      const side = random.sign();
      const at: Point = [side * random.between(0.3, 0.47), random.between(-0.7, 0)];
      const by: Point = [side * random.between(0, 0.06), random.between(0.2, 0.42)];
      return { at, by, colour: lighter(hair, random.between(-0.08, 0.09)) };
    });
  }
}

/** On the head: hair, and the hat over it. */
export function paintHead(context: Context, person: Person, { look, paints }: Worn, random: Random): void {
  const { headwear } = person;
  const { on, brow } = HATS[headwear] ?? {};
  /** Hairs of the head's colour, lighter on the side of the light. */
  const lit = (deep: number, strength: number, one: () => Grown) => (): Hair => {
    const hair = one();
    return {
      ...hair,
      colour: lighter(sided(look, mix(look.hair, look.shade, deep), hair.at[0] * strength), random.spread() * 0.07),
    };
  };
  if (person.beard) {
    draw(context, rows.beard, { hair: mix(look.hair, look.shade, 0.28) });
    hairs(
      context,
      random,
      { count: 760, width: 0.0068, alpha: 0.66 },
      lit(0, 2, () => inBeard(random)),
    );
    // The lower lip shows between moustache and beard, or there is no mouth to speak with.
    draw(context, rows.lips, { skin: look.skin });
    hairs(
      context,
      random,
      { count: 600, width: 0.0085, alpha: 0.75 },
      lit(0, 2, () => inMoustache(random)),
    );
  }
  if (person.woman && (headwear === 'straw' || headwear === 'none'))
    for (const side of [-1, 1] as const) {
      const hair = mix(look.hair, look.shade, 0.16);
      draw(context, rows.longHair, { lock: lighter(hair, side === 1 ? 0.02 : -0.04) }, { side });
      hairs(
        context,
        random,
        { count: 210, width: 0.008, alpha: 0.6 },
        lit(0.1, 0.5, () => inLocks(random, side)),
      );
    }
  else if (brow !== undefined) {
    const line = person.old && brow < -0.8 ? -0.9 : brow;
    draw(context, rows.shortHair, { hair: mix(look.hair, look.shade, 0.2) }, { line });
    hairs(
      context,
      random,
      { count: 450, width: 0.0085, alpha: 0.6 },
      lit(0.2, 1.2, () => inShortHair(random, line)),
    );
  }
  if (on) drawProp(context, on, { paints });
  if (headwear === 'souwester') drops(context, random, 26, [-0.55, 0.6], [-1.15, -0.7], look);
}

type Grown = Omit<Hair, 'colour'>;

function inBeard(random: Random): Grown {
  for (;;) {
    const [x, y] = [random.between(-0.37, 0.365), random.between(-0.4, 0.17)];
    const side = Math.abs(x - 0.01) / 0.365;
    const top = -0.17 - (side > 0.8 ? 0.27 * ((side - 0.8) / 0.2) : 0.035 * Math.cos(side * 7));
    if (y < top || y > 0.18 - side * side * 0.36) continue;
    const long = random.between(0.045, 0.1) * (y > 0 ? 1.25 : 1);
    return { at: [x, y], by: [(x - 0.02) * 0.96 * long + random.spread() * 0.014, long] };
  }
}

function inMoustache(random: Random): Grown {
  const [side, t] = [random.sign(), random.next()];
  const at: Point = [0.04 + side * (0.006 + 0.135 * t), -0.212 + 0.04 * t * t + random.spread() * 0.014];
  return { at, by: [side * random.between(0.02, 0.055), random.between(0.03, 0.062)] };
}

function inShortHair(random: Random, line: number): Grown {
  const [angle, r] = [random.between(-1.3, 1.3), random.between(0.9, 1.06)];
  const [x, y] = [Math.sin(angle) * 0.38 * r, -0.68 - Math.cos(angle) * 0.4 * r];
  const top = Math.min(y - 0.02, line);
  return {
    at: [x * 0.8 + 0.02, top],
    by: [x * 0.22 - 0.02, Math.min(y + 0.09, line + 0.05 + Math.abs(x) * 0.45) - top],
  };
}

/** From the parting over the brow, and down beside the face. */
function inLocks(random: Random, side: 1 | -1): Grown {
  const t = random.next();
  if (t > 0.25) {
    const at: Point = [side * random.between(0.36, 0.46), -0.85 + t * 0.9];
    return { at, by: [side * random.between(-0.01, 0.05), random.between(0.15, 0.32)] };
  }
  const at: Point = [-0.05 + random.spread() * 0.03, random.between(-1.07, -0.97)];
  return { at, by: [side * random.between(0.2, 0.4) - at[0], random.between(-0.84, -0.74) - at[1]] };
}

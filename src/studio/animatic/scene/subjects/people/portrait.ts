/** A person from the chest up, for medium and close shots. Rigid: painted once with eyes open and once shut, then only breathed and swayed. */

import { Random } from '../../../../shared/random.ts';
import type { Headwear } from '../../../../shared/vocabulary.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/read-prompt.ts';
import type { Point } from '../../brush.ts';
import { type Context, ellipse, outline, spline, tube } from '../../brush.ts';
import type { Figure } from '../../lighting.ts';
import { drawProp } from '../../prop.ts';
import type { Stage } from '../../stage.ts';
import rows from '../data/drawings/portrait.json' with { type: 'json' };
import people from '../data/people.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { umbrellaBehind } from '../things.ts';
import { paintFace } from './face.ts';
import { type Complexion, colourOf, coloursOf, type Hair, hairs, sided, soft, type Worn } from './portrait-brush.ts';

interface Pose {
  readonly eyesShut?: boolean;
  readonly robot?: boolean;
  /** −1 left of us, 1 right of us. */
  readonly gaze?: number;
  readonly speaking?: boolean;
}

/** The figure's origin is the chin; a head is 1 high. */
export function portrait(
  stage: Stage,
  person: Person,
  seed: string,
  { eyesShut = false, robot = false, gaze = 0, speaking = false }: Pose = {},
): Figure {
  const look = complexionOf(stage, person, new Random(`look|${seed}`));
  const cloth = clothOf(person, stage, new Random(`cloth|${seed}`));
  const { skin, hair, light, shade } = look;
  const worn: Worn = { look, cloth, paints: { skin, hair, light, shade, cloth, accent: stage.palette.accent } };
  const { paints } = worn;
  return {
    box: { left: -1.5, top: stage.shot.extras.includes('umbrella') ? -2.1 : -1.5, right: 1.6, bottom: 2.4 },
    stride: 0,
    rigid: true,
    rim: 0.9,
    shade: 0.5,
    draw(context) {
      context.save();
      context.scale(stage.lit, 1);
      const random = new Random(`hair|${seed}`);
      if (robot) drawProp(context, 'robot', { paints });
      else {
        if (stage.shot.extras.includes('umbrella')) umbrellaBehind(context, stage);
        rounded(context, person);
        paintBehindHead(context, person, worn, random);
        context.restore();
        context.save();
        if (person.child) context.scale(0.8, 0.86);
        paintBody(context, person, worn, random, stage.shot.weather.includes('rain'));
        context.restore();
        rounded(context, person);
        paintFace(context, person, look, random, {
          eyesShut,
          gaze: gaze * stage.lit,
          speaking,
          smiling: stage.shot.mood === 'joyful',
        });
        paintHead(context, person, worn, random);
        context.restore();
        if (person.garment === 'raincoat') drawProp(context, 'raincoat-collar', { paints });
      }
      context.restore();
    },
  };
}

/** A child's head is rounder. Ends with the next `restore`. */
function rounded(context: Context, person: Person): void {
  context.save();
  if (person.child) context.transform(1.07, 0, 0, 0.95, 0, 0);
}

function complexionOf(stage: Stage, person: Person, random: Random): Complexion {
  const { palette } = stage;
  const [first, ...others] = people.portrait.colourings;
  // Skin, hair and eyes that are found together.
  const { skin, hairs, eyes } = random.pick([first!, ...others]);
  const weathered = person.beard && person.old;
  return {
    skin: weathered ? lch(0.72, 0.075, 50) : colourOf(skin),
    hair: person.old ? colourOf(people.portrait.grey) : random.pick(coloursOf(hairs)),
    eyes: weathered ? lch(0.52, 0.055, 235) : random.pick(coloursOf(eyes)),
    light: palette.light,
    shade: mix(palette.near, palette.sky[0], 0.35),
  };
}

function clothOf(person: Person, stage: Stage, random: Random): Colour {
  if (person.colour) return lch(...person.colour);
  if (person.headwear === 'helmet') return lch(0.88, 0.008, 240);
  if (person.garment === 'raincoat' || person.headwear === 'souwester') return lch(0.82, 0.165, 88);
  if (/\bknights?\b|\barmou?r\b|骑士/i.test(stage.shot.words)) return lch(0.64, 0.012, 245);
  if (person.headwear === 'toque') return lch(0.93, 0.006, 90);
  if (person.headwear === 'straw') return lch(0.34, 0.055, 265);
  return mix(random.pick([stage.palette.second, ...coloursOf(people.portrait.cloths)]), lch(0.4, 0.03, 260), 0.3);
}

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
function paintBehindHead(context: Context, person: Person, { look, paints }: Worn, random: Random): void {
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
function paintHead(context: Context, person: Person, { look, paints }: Worn, random: Random): void {
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

function paintBody(context: Context, person: Person, worn: Worn, random: Random, wet: boolean): void {
  const { look, cloth, paints } = worn;
  const throat = mix(mix(look.skin, lch(0.4, 0.09, 35), 0.4), look.shade, 0.3);
  draw(context, rows.throat, { throat });
  if (person.garment === 'dress') {
    drawProp(context, 'dress', { paints });
    return;
  }
  const lit = mix(lighter(cloth, 0.07), look.light, 0.28);
  const dark = mix(lighter(cloth, -0.24), look.shade, 0.35);
  draw(context, [{ spline: rows.body.outline, fill: rows.body.tone }], { dark, cloth, lit });
  context.save();
  context.clip(spline(outline(rows.body.outline)));
  for (const piece of outfit(person)) drawProp(context, piece, { paints });
  if (wet && person.garment === 'raincoat') {
    drops(context, random, 90, [-1.05, 1.1], [0.35, 1.6], look);
    soft(context, 0.008, () => {
      context.fillStyle = css(mix(lit, WHITE, 0.5), 0.4);
      for (let i = 0; i < 16; i++) {
        const [x, y] = [random.between(-1, 1.05), random.between(0.45, 1.2)];
        const [bend, end, long] = [random.spread() * 0.02, random.spread() * 0.03, random.between(0.2, 0.34)];
        context.fill(
          tube([
            [x, y, 0.006],
            [x + bend, y + 0.12, 0.008],
            [x + end, y + long, 0.003],
          ]),
        );
      }
    });
  }
  context.restore();
}

/** What shows on the body's cloth, from below to above. */
function outfit({ garment, headwear }: Person): readonly string[] {
  const cloth = garment === 'raincoat' ? 'raincoat' : 'sleeves';
  const chest = headwear === 'helmet' ? ['space-suit'] : [];
  if (garment === 'coat') return [cloth, ...chest, 'lapels'];
  if (garment === 'raincoat' || headwear === 'helmet') return [cloth, ...chest];
  return [cloth, headwear === 'straw' ? 'kimono' : 'neckband'];
}

/** Water that has not run off yet: a dark bead with a bright point. */
function drops(
  context: Context,
  random: Random,
  count: number,
  [x0, x1]: readonly [number, number],
  [y0, y1]: readonly [number, number],
  look: Complexion,
): void {
  for (let i = 0; i < count; i++) {
    const [x, y, r] = [random.between(x0, x1), random.between(y0, y1), random.between(0.004, 0.009)];
    if (y < -0.6 && Math.hypot(x / 0.5, (y + 0.72) / 0.48) > 0.86) continue;
    context.fillStyle = css(look.shade, 0.32);
    ellipse(context, x, y, r, r * 1.3);
    context.fillStyle = css(mix(WHITE, look.light, 0.3), 0.9);
    ellipse(context, x + r * 0.3, y - r * 0.4, r * 0.36, r * 0.36);
  }
}

/**
 * A face, painted as one paints a portrait: the big shapes of light and shade first, soft; then sockets, nose, mouth; then eyes, sharp.
 * Units: chin at 0, crown at −1, about 0.75 wide, lit from the right and turned a little towards the light (the painter mirrors it).
 */

import type { Random } from '../../../../shared/random.ts';
import { type Colour, lch, lighter, mix, WHITE } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/read-prompt.ts';
import { type Context, outline, type Point, spline } from '../../brush.ts';
import rows from '../data/drawings/portrait.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { type Complexion, EYE_LINE, hairs, MIDDLE } from './portrait-brush.ts';

const OUTLINE =
  '0 -1, 0.2 -0.975, 0.335 -0.84, 0.372 -0.63, 0.358 -0.43, 0.325 -0.25, 0.235 -0.085, 0.12 -0.008, 0.02 0.004, -0.09 -0.014, -0.228 -0.1, -0.325 -0.27, -0.366 -0.45, -0.382 -0.64, -0.345 -0.84, -0.21 -0.972';

interface Expression {
  readonly eyesShut: boolean;
  /** −1 to 1: where the eyes look, away from or towards the light; 0 at us. */
  readonly gaze?: number;
  readonly speaking?: boolean;
  readonly smiling?: boolean;
}

export function paintFace(
  context: Context,
  person: Person,
  look: Complexion,
  random: Random,
  { eyesShut, gaze = 0, speaking = false, smiling = false }: Expression,
): void {
  const { skin, light, shade } = look;
  const warm = mix(skin, lch(0.55, 0.15, 25), 0.5);
  const dark = mix(mix(skin, lch(0.36, 0.09, 32), 0.55), shade, 0.28);
  const bright = mix(lighter(skin, 0.13), light, 0.35);
  const paints = { skin, warm, dark, bright, lip: lipOf(person, look, speaking) };
  const m = MIDDLE + 0.008;
  const up = smiling ? 0.026 : 0;
  const wide = (person.child ? 0.095 : 0.118) + up * 0.7;
  const low = person.child ? 0.045 : 0;
  draw(context, rows.ears, paints);
  draw(context, [{ spline: OUTLINE, fill: 'var(--skin)' }], paints);
  context.save();
  context.clip(spline(outline(OUTLINE)));
  draw(context, rows.face, paints, { middle: MIDDLE });
  draw(context, speaking ? rows.openMouth : rows.mouth, paints, { m, up, wide });
  context.translate(0, low);
  for (const side of [-1, 1] as const) eye(context, person, look, dark, bright, { side, shut: eyesShut, gaze });
  context.translate(0, -low);
  if (person.old) draw(context, rows.wrinkles, paints, { middle: MIDDLE, eyes: EYE_LINE });
  context.restore();
  context.translate(0, low);
  brows(context, person, look, random);
  context.translate(0, -low);
}

function lipOf({ woman }: Person, { skin }: Complexion, speaking: boolean): Colour {
  const red = lch(woman || speaking ? 0.5 : 0.52, woman ? 0.16 : 0.1, 20);
  return mix(skin, red, woman ? 0.7 : 0.5);
}

function eye(
  context: Context,
  person: Person,
  look: Complexion,
  dark: Colour,
  bright: Colour,
  { side, shut, gaze: looks }: { readonly side: 1 | -1; readonly shut: boolean; readonly gaze: number },
): void {
  const size = (person.child ? 1.34 : person.woman ? 1.06 : 1) * (side === 1 ? 0.94 : 1);
  const x = MIDDLE + side * (side === 1 ? 0.148 : 0.158);
  const paints = {
    ...{ dark, bright, iris: look.eyes },
    lid: lighter(mix(dark, look.hair, 0.3), -0.14),
    white: mix(WHITE, look.shade, side === 1 ? 0.14 : 0.32),
  };
  draw(context, rows.eye, paints, {
    ...{ x, y: EYE_LINE, side, size, gaze: side * (0.008 + looks * 0.024), shut: Number(shut) },
    ...(side === 1 ? { socket: 0.5, below: 0.34 } : { socket: 0.66, below: 0.12 }),
    ...(person.woman ? { corner: -0.006, lash: 0.0165 } : { corner: 0.004, lash: 0.0125 }),
  });
}

function brows(context: Context, person: Person, look: Complexion, random: Random): void {
  const hair = person.old ? mix(look.hair, WHITE, 0.25) : lighter(look.hair, -0.03);
  const thick = person.woman ? 0.012 : person.child ? 0.011 : 0.0185;
  for (const side of [-1, 1] as const) {
    const x = MIDDLE + side * 0.152;
    const brow = mix(hair, look.shade, side === -1 ? 0.35 : 0.08);
    draw(context, rows.brow, { brow }, { x, side, thick });
    if (!person.old && !person.beard) continue;
    const colour = mix(hair, side === 1 ? look.light : look.shade, 0.3);
    hairs(context, random, { count: 46, width: 0.0065, alpha: 0.9 }, () => {
      const t = random.next();
      const y = -0.575 - Math.sin(Math.PI * Math.min(1, t * 1.1)) * 0.026 + random.spread() * 0.008;
      const by: Point = [side * random.between(0.015, 0.045), -random.between(-0.008, 0.022)];
      return { at: [x + side * (0.2 * t - 0.1), y], by, colour };
    });
  }
}

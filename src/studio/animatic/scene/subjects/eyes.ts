/** Eyes and brows, in the units of `face.ts`: the only sharp things in it. */

import type { Random } from '../../../random.ts';
import { type Colour, css, lighter, mix, WHITE } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import type { Context } from '../brush.ts';
import rows from './data/drawings/portrait.json' with { type: 'json' };
import { draw } from './drawing.ts';
import { type Complexion, EYE_LINE, MIDDLE, strokes } from './portrait-brush.ts';

export function eye(
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

export function brows(context: Context, person: Person, look: Complexion, random: Random): void {
  const hair = person.old ? mix(look.hair, WHITE, 0.25) : lighter(look.hair, -0.03);
  const thick = person.woman ? 0.012 : person.child ? 0.011 : 0.0185;
  for (const side of [-1, 1] as const) {
    const x = MIDDLE + side * 0.152;
    const brow = mix(hair, look.shade, side === -1 ? 0.35 : 0.08);
    draw(context, rows.brow, { brow }, { x, side, thick });
    if (!person.old && !person.beard) continue;
    strokes(context, random, 46, css(mix(hair, side === 1 ? look.light : look.shade, 0.3), 0.9), 0.0065, () => {
      const t = random.next();
      const px = x - side * 0.1 + side * 0.2 * t;
      const py = -0.575 - Math.sin(Math.PI * Math.min(1, t * 1.1)) * 0.026 + random.spread() * 0.008;
      return [px, py, px + side * random.between(0.015, 0.045), py - random.between(-0.008, 0.022)];
    });
  }
}

/** What a portrait wears, from the collar down, in the units of `face.ts`. */

import type { Random } from '../../../../shared/random.ts';
import { css, lch, lighter, mix, WHITE } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/prompt.ts';
import { type Context, ellipse, outline, spline, tube } from '../../brush.ts';
import { drawProp } from '../../prop.ts';
import rows from '../data/drawings/portrait.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { type Complexion, soft, type Worn } from './portrait-brush.ts';

export function paintBody(context: Context, person: Person, worn: Worn, random: Random, wet: boolean): void {
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
export function drops(
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

/** An animal's eyes, nose and mouth from the front: sharp where the fur around them is soft. */

import type { Random } from '../../../random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import type { Context } from '../brush.ts';
import rows from './data/drawings/animal-face.json' with { type: 'json' };
import { draw } from './drawing.ts';
import { type Inked, sided } from './fur.ts';
import { strokes } from './portrait-brush.ts';

export function eye(context: Context, it: Inked, side: 1 | -1, shut: boolean): void {
  const { dark, eye, coat } = it.breed;
  const lid = lighter(sided(it, coat, side * 0.4), -0.08);
  const pupil = it.mask.slit ? ([0.24, 0.46] as const) : ([0.42, 0.42] as const);
  draw(context, rows.eye, { dark, eye, lid, shade: it.shade }, { ...it.mask.eyes, side, pupil, shut: Number(shut) });
}

const WHISKERED: ReadonlySet<string> = new Set(['canine', 'dog', 'feline', 'lion', 'hare']);
const SOFT_NOSED: ReadonlySet<string> = new Set(['feline', 'lion', 'hare']);

export function muzzle(context: Context, { mask, breed, stage, shade }: Inked, random: Random): void {
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

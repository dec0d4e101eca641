/** An umbrella, from below for a portrait and from the side for somebody seen whole. */
import { type Colour, lch, mix } from '../../prompt/palette.ts';
import type { Context } from '../brush.ts';
import { drawProp } from '../prop.ts';
import type { Stage } from '../stage.ts';

/** One umbrella for the whole of a shot. */
export const silkOf = ({ palette, shot }: Stage): Colour => {
  const said =
    /\b(red|yellow|blue|green|white|black|pink|transparent|clear) umbrella|(红|黄|蓝|绿|白|黑)色?的?伞/i.exec(
      shot.words,
    );
  const colour = SILKS[(said?.[1] ?? said?.[2] ?? '').toLowerCase()];
  return colour ?? mix(palette.accent, lch(0.5, 0.12, 25), 0.3);
};

const RED = lch(0.54, 0.19, 27);
const SILKS: { readonly [said: string]: Colour } = {
  red: RED,
  红: RED,
  yellow: lch(0.82, 0.16, 88),
  黄: lch(0.82, 0.16, 88),
  blue: lch(0.5, 0.13, 252),
  蓝: lch(0.5, 0.13, 252),
  green: lch(0.54, 0.11, 150),
  绿: lch(0.54, 0.11, 150),
  white: lch(0.92, 0.01, 90),
  白: lch(0.92, 0.01, 90),
  black: lch(0.22, 0.01, 270),
  黑: lch(0.22, 0.01, 270),
  pink: lch(0.74, 0.12, 0),
  transparent: lch(0.85, 0.02, 230),
  clear: lch(0.85, 0.02, 230),
};

/** Behind a head, in the units of `face.ts`: the lining with its ribs, the rim before it, the stick to the shoulder. */
export const umbrellaBehind = (context: Context, stage: Stage): void =>
  drawProp(context, 'umbrella-behind', { paints: { silk: silkOf(stage), near: stage.palette.near } });

/** Over a walker, in its units (1 high): held before the shoulder. */
export function umbrellaOver(context: Context, silk: Colour, lean: number, lift: number): void {
  context.save();
  context.translate(lean, lift);
  drawProp(context, 'umbrella-over', { paints: { silk } });
  context.restore();
}

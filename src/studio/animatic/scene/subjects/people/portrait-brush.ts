/** What the painters of a portrait share: a person's colours, where a face has its middle, soft edges, many short hairs. */
import type { Random } from '../../../../shared/random.ts';
import { type Colour, lch } from '../../../prompt/palette.ts';
import type { Context } from '../../brush.ts';
import type { PropLight } from '../../prop.ts';

export interface Complexion {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly eyes: Colour;
  /** The colour of the light on the lit side and of the air on the other. */
  readonly light: Colour;
  readonly shade: Colour;
}

/** A colour of a table: lightness, chroma, hue. */
export const colourOf = ([lightness = 0, chroma = 0, hue = 0]: readonly number[]): Colour =>
  lch(lightness, chroma, hue);
/** Colours of a table, to pick from. */
export const coloursOf = (rows: readonly (readonly number[])[]): readonly [Colour, ...Colour[]] =>
  rows.map(colourOf) as [Colour, ...Colour[]];

/** The paints of what a portrait wears. */
export const wearing = ({ skin, hair, light, shade }: Complexion, cloth: Colour): PropLight => ({
  paints: { skin, hair, light, shade, cloth },
});

/** Where the middle of the face is, turned towards the light. */
export const MIDDLE = 0.035;
export const EYE_LINE = -0.49;

/** Painted out of focus by `radius` units. */
export function soft(context: Context, radius: number, paint: () => void): void {
  context.save();
  context.filter = `blur(${Math.max(0.3, radius * Math.abs(context.getTransform().a || 1))}px)`;
  paint();
  context.filter = 'none';
  context.restore();
}

/** Many short hairs in one path: `hair` gives each one's ends. */
export function strokes(
  context: Context,
  random: Random,
  count: number,
  colour: string,
  width: number,
  hair: () => readonly [number, number, number, number],
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'round';
  context.beginPath();
  for (let i = 0; i < count; i++) {
    const [x0, y0, x1, y1] = hair();
    context.moveTo(x0, y0);
    context.quadraticCurveTo(
      (x0 + x1) / 2 + random.spread() * width * 0.9,
      (y0 + y1) / 2 + random.spread() * width * 0.6,
      x1,
      y1,
    );
  }
  context.stroke();
}

/** What the painters of a portrait share: a person's colours, where a face has its middle, soft edges, many short hairs. */
import { clamp, type Random } from '../../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix } from '../../../prompt/palette.ts';
import type { Context, Point } from '../../brush.ts';
import type { Paints } from '../../prop-paint.ts';

/** The colour of the light on the lit side and of the air on the other. */
interface Sides {
  readonly light: Colour;
  readonly shade: Colour;
}

export interface Complexion extends Sides {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly eyes: Colour;
}

/** A person and what they wear; `paints` are those of the props. */
export interface Worn {
  readonly look: Complexion;
  readonly cloth: Colour;
  readonly paints: Paints;
}

/** A colour of a table: lightness, chroma, hue. */
export const colourOf = ([lightness = 0, chroma = 0, hue = 0]: readonly number[]): Colour =>
  lch(lightness, chroma, hue);
/** Colours of a table, to pick from. */
export const coloursOf = (rows: readonly (readonly number[])[]): readonly [Colour, ...Colour[]] =>
  rows.map(colourOf) as [Colour, ...Colour[]];

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

export interface Hair {
  readonly at: Point;
  /** From its root to its tip. */
  readonly by: Point;
  readonly colour: Colour;
}

/** Many short hairs, one by one, each a little bent. */
export function hairs(
  context: Context,
  random: Random,
  { count, width, alpha = 0.8 }: { readonly count: number; readonly width?: number; readonly alpha?: number },
  one: () => Hair,
): void {
  context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const { at, by, colour } = one();
    const [[x, y], [dx, dy]] = [at, by];
    context.strokeStyle = css(colour, alpha);
    context.lineWidth = width ?? random.between(0.004, 0.0095);
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo(x + dx * 0.5 + dy * 0.06, y + dy * 0.5 - dx * 0.06, x + dx, y + dy);
    context.stroke();
  }
}

/** The same colour on the lit side of a head (`x` from 0 to 1) and on the dark one. */
export const sided = ({ light, shade }: Sides, colour: Colour, x: number): Colour =>
  x > 0 ? mix(lighter(colour, 0.03), light, clamp(x) * 0.3) : mix(colour, shade, clamp(-x) * 0.5);

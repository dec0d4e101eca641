/** What tells at once who somebody is: a space suit, a kimono, lapels. In the units of `face.ts`. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Context, ellipse, outline, spline } from '../brush.ts';

/** A space suit's chest: a pack of dials, straps, a patch of colour on the sleeve. */
export function spaceSuit(context: Context, cloth: Colour, dark: Colour): void {
  context.fillStyle = css(mix(cloth, dark, 0.5));
  for (const side of [-1, 1]) {
    context.beginPath();
    context.roundRect(side * 0.5 - 0.055, 0.3, 0.11, 2, 0.03);
    context.fill();
  }
  context.fillStyle = css(mix(cloth, dark, 0.3));
  context.beginPath();
  context.roundRect(-0.36, 0.74, 0.74, 0.46, 0.06);
  context.fill();
  context.strokeStyle = css(dark, 0.6);
  context.lineWidth = 0.012;
  context.stroke();
  for (const [x, colour] of [
    [-0.22, lch(0.6, 0.19, 28)],
    [-0.08, lch(0.8, 0.15, 85)],
    [0.06, lch(0.7, 0.15, 150)],
  ] as const) {
    context.fillStyle = css(colour);
    ellipse(context, x, 0.86, 0.036, 0.036);
  }
  context.fillStyle = css(lch(0.28, 0.04, 240));
  context.beginPath();
  context.roundRect(0.15, 0.81, 0.16, 0.1, 0.015);
  context.fill();
  context.fillRect(-0.26, 1, 0.54, 0.03);
  context.fillRect(-0.26, 1.07, 0.4, 0.03);
  context.fillStyle = css(lch(0.55, 0.19, 28));
  for (const side of [-1, 1]) context.fillRect(side * 1.08 - 0.16, 1.1, 0.32, 0.07);
}

/** One wing of the collar over the other, white below. */
export function kimono(context: Context, cloth: Colour, dark: Colour, lit: Colour): void {
  context.fillStyle = css(lch(0.9, 0.01, 85));
  context.fill(spline(outline('-0.26 0.12, 0.26 0.12, 0.12 0.62, -0.06 0.74')));
  for (const side of [1, -1] as const) {
    context.strokeStyle = css(side === 1 ? mix(cloth, lit, 0.35) : lighter(cloth, 0.03));
    context.lineWidth = 0.17;
    context.lineCap = 'butt';
    const band = spline(
      [
        [side * 0.3, 0.06],
        [side * 0.22, 0.36],
        [side * -0.02, 0.8],
        [side * -0.34, 1.5],
      ],
      { closed: false },
    );
    context.stroke(band);
    context.strokeStyle = css(dark, 0.6);
    context.lineWidth = 0.012;
    context.save();
    context.translate(-side * 0.085, 0);
    context.stroke(band);
    context.restore();
  }
}

export function lapels(context: Context, cloth: Colour, dark: Colour, lit: Colour): void {
  context.fillStyle = css(mix(lch(0.85, 0.01, 80), dark, 0.25));
  context.fill(spline(outline('-0.2 0.18, 0.2 0.17, 0.06 0.95, -0.04 0.95')));
  for (const side of [-1, 1] as const) {
    context.fillStyle = css(lighter(side === 1 ? mix(cloth, lit, 0.4) : mix(cloth, dark, 0.4), 0.02));
    context.beginPath();
    for (const [x, y] of [
      [side * 0.24, 0.1],
      [side * 0.42, 0.34],
      [side * 0.5, 0.62],
      [side * 0.34, 0.66],
      [side * 0.4, 0.78],
      [side * 0.02, 1.4],
      [side * 0.02, 1.0],
    ] as const)
      context.lineTo(x, y);
    context.closePath();
    context.fill();
    context.strokeStyle = css(dark, 0.6);
    context.lineWidth = 0.012;
    context.stroke();
  }
}

/** A raincoat: stiff folds, a placket with toggles, a collar that stands before the jaw. In the units of `face.ts`. */

import type { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, outline, type Point, spline } from '../brush.ts';
import { type Complexion, soft } from './face.ts';

export function folds(context: Context, dark: Colour, lit: Colour, random: Random): void {
  const folded: readonly (readonly Point[])[] = [
    [
      [-0.62, 0.42],
      [-0.74, 0.8],
      [-0.7, 1.25],
      [-0.82, 1.7],
    ],
    [
      [0.62, 0.4],
      [0.76, 0.8],
      [0.7, 1.2],
      [0.84, 1.7],
    ],
    [
      [-0.98, 0.62],
      [-0.92, 1.0],
      [-1.04, 1.5],
    ],
    [
      [0.98, 0.6],
      [0.94, 1.0],
      [1.04, 1.5],
    ],
    [
      [-0.36, 0.5],
      [-0.44, 0.9],
      [-0.34, 1.4],
    ],
    [
      [0.38, 0.5],
      [0.46, 0.95],
      [0.36, 1.5],
    ],
  ];
  for (const line of folded) {
    const bent = line.map(([x, y]): Point => [x + random.spread() * 0.04, y]);
    soft(context, 0.022, () => {
      context.lineCap = 'round';
      context.strokeStyle = css(dark, 0.62);
      context.lineWidth = 0.07;
      context.stroke(spline(bent, { closed: false }));
      context.translate(0.07, 0);
      context.strokeStyle = css(lit, 0.7);
      context.lineWidth = 0.04;
      context.stroke(spline(bent, { closed: false }));
    });
  }
}

export function placket(context: Context, dark: Colour, lit: Colour): void {
  context.strokeStyle = css(dark, 0.85);
  context.lineWidth = 0.018;
  context.stroke(spline(outline('0.1 0.45, 0.13 0.9, 0.12 2.6'), { closed: false }));
  context.strokeStyle = css(dark, 0.4);
  context.lineWidth = 0.006;
  for (const x of [-0.1, 0.07])
    context.stroke(
      spline(
        [
          [x, 0.5],
          [x + 0.03, 0.9],
          [x + 0.02, 2.6],
        ],
        { closed: false },
      ),
    );
  for (const y of [0.72, 1.1, 1.48]) {
    context.fillStyle = css(lch(0.36, 0.05, 60));
    context.save();
    context.translate(0.01, y);
    context.rotate(-0.12);
    context.beginPath();
    context.roundRect(-0.1, -0.028, 0.2, 0.056, 0.028);
    context.fill();
    context.fillStyle = css(mix(lit, WHITE, 0.4), 0.55);
    context.fillRect(-0.07, -0.02, 0.13, 0.012);
    context.restore();
  }
}

/** The raincoat's collar stands before the jaw; a dark jumper shows between its wings. */
export function collar(context: Context, look: Complexion, cloth: Colour): void {
  const dark = mix(lighter(cloth, -0.27), look.shade, 0.35);
  const lit = mix(lighter(cloth, 0.05), look.light, 0.3);
  context.fillStyle = css(mix(lch(0.3, 0.03, 255), look.shade, 0.3));
  context.fill(
    spline(outline('-0.27 0.16, -0.1 0.22, 0.04 0.235, 0.2 0.21, 0.3 0.15, 0.24 0.42, 0.02 0.56, -0.22 0.42')),
  );
  for (const side of [-1, 1] as const) {
    const wing = spline([
      [side * 0.43, -0.1],
      [side * 0.37, 0.06],
      [side * 0.2, 0.28],
      [side * 0.02, 0.5],
      [side * 0.16, 0.6],
      [side * 0.42, 0.5],
      [side * 0.56, 0.28],
      [side * 0.53, 0.05],
    ]);
    const tone = context.createLinearGradient(side * 0.56, 0, side * 0.05, 0.4);
    tone.addColorStop(0, css(side === 1 ? lit : mix(dark, cloth, 0.35)));
    tone.addColorStop(1, css(side === 1 ? lighter(cloth, -0.04) : mix(dark, cloth, 0.5)));
    context.fillStyle = tone;
    context.fill(wing);
    context.strokeStyle = css(side === 1 ? mix(lit, WHITE, 0.35) : dark, 0.75);
    context.lineWidth = 0.012;
    context.stroke(
      spline(
        [
          [side * 0.43, -0.1],
          [side * 0.37, 0.06],
          [side * 0.2, 0.28],
          [side * 0.02, 0.5],
        ],
        { closed: false },
      ),
    );
    context.strokeStyle = css(dark, 0.35);
    context.lineWidth = 0.006;
    context.stroke(
      spline(
        [
          [side * 0.47, -0.05],
          [side * 0.41, 0.09],
          [side * 0.25, 0.3],
          [side * 0.1, 0.49],
        ],
        { closed: false },
      ),
    );
  }
}

/** Hats, hoods and helmets from the front, in the units of `face.ts`. */

import type { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, ellipse, outline, spline, tube } from '../brush.ts';
import { type Complexion, soft, strokes } from './face.ts';

export function souwester(context: Context, look: Complexion, cloth: Colour, random: Random): void {
  const lit = mix(lighter(cloth, 0.07), look.light, 0.3);
  const dark = mix(lighter(cloth, -0.26), look.shade, 0.35);
  soft(context, 0.03, () => {
    context.fillStyle = css(mix(dark, lch(0.2, 0.04, 30), 0.6), 0.62);
    context.fill(spline(outline('-0.37 -0.78, 0.35 -0.78, 0.35 -0.66, 0.04 -0.645, -0.36 -0.62')));
  });
  const across = (from: number, to: number, low = 0) => {
    const tone = context.createLinearGradient(from, 0, to, 0);
    tone.addColorStop(0, css(lighter(dark, low)));
    tone.addColorStop(0.42, css(lighter(cloth, -0.06 + low)));
    tone.addColorStop(0.72, css(lighter(lit, low)));
    tone.addColorStop(1, css(lighter(cloth, low - 0.02)));
    return tone;
  };
  const dome = spline(
    outline('-0.42 -0.76, -0.415 -0.98, -0.28 -1.2, 0.02 -1.275, 0.3 -1.19, 0.42 -0.97, 0.425 -0.76, 0 -0.84'),
  );
  context.fillStyle = across(-0.43, 0.45);
  context.fill(dome);
  context.save();
  context.clip(dome);
  context.lineCap = 'round';
  for (const [points, alpha] of [
    [
      [
        [-0.16, -0.78],
        [-0.17, -1.05],
        [-0.05, -1.28],
      ],
      0.55,
    ],
    [
      [
        [0.2, -0.78],
        [0.22, -1.05],
        [0.09, -1.28],
      ],
      0.45,
    ],
  ] as const) {
    context.strokeStyle = css(dark, alpha);
    context.lineWidth = 0.012;
    context.stroke(spline(points, { closed: false }));
    context.strokeStyle = css(lighter(lit, 0.05), alpha);
    context.lineWidth = 0.006;
    context.translate(0.011, 0);
    context.stroke(spline(points, { closed: false }));
    context.translate(-0.011, 0);
  }
  soft(context, 0.022, () => {
    context.fillStyle = css(mix(lit, WHITE, 0.5), 0.75);
    context.fill(
      tube([
        [0.3, -0.9, 0.022],
        [0.285, -1.02, 0.028],
        [0.2, -1.13, 0.016],
      ]),
    );
    context.fillStyle = css(dark, 0.6);
    context.fill(spline(outline('-0.45 -0.86, 0 -0.93, 0.45 -0.86, 0.45 -0.74, -0.45 -0.74')));
  });
  context.restore();
  const brim = spline(
    outline(
      '-0.66 -0.56, -0.56 -0.75, -0.32 -0.89, 0.01 -0.925, 0.33 -0.89, 0.56 -0.76, 0.655 -0.57, 0.5 -0.62, 0.28 -0.705, 0.02 -0.73, -0.28 -0.7, -0.5 -0.61',
    ),
  );
  context.fillStyle = across(-0.66, 0.68, 0.02);
  context.fill(brim);
  context.save();
  context.clip(brim);
  soft(context, 0.014, () => {
    context.strokeStyle = css(mix(lit, WHITE, 0.4), 0.8);
    context.lineWidth = 0.026;
    context.stroke(spline(outline('0.08 -0.9, 0.34 -0.855, 0.53 -0.745, 0.63 -0.6'), { closed: false }));
    context.strokeStyle = css(dark, 0.55);
    context.lineWidth = 0.05;
    context.stroke(spline(outline('-0.64 -0.55, -0.48 -0.61, -0.26 -0.7, 0.02 -0.728, 0.3 -0.7'), { closed: false }));
  });
  context.restore();
  for (const shift of [0.016, 0.034]) {
    context.strokeStyle = css(dark, 0.38);
    context.lineWidth = 0.0045;
    context.stroke(
      spline(
        [
          [-0.62, -0.575 - shift],
          [-0.49, -0.635 - shift],
          [-0.27, -0.71 - shift],
          [0.02, -0.742 - shift],
          [0.29, -0.715 - shift],
          [0.5, -0.64 - shift],
          [0.63, -0.59 - shift],
        ],
        { closed: false },
      ),
    );
  }
  drops(context, random, 26, [-0.55, 0.6], [-1.15, -0.7], look);
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

export function hoodEdge(context: Context, look: Complexion, cloth: Colour): void {
  context.lineCap = 'round';
  for (const [width, colour, alpha] of [
    [0.12, mix(lighter(cloth, -0.12), look.shade, 0.2), 1],
    [0.05, lighter(cloth, 0.04), 0.8],
  ] as const) {
    context.strokeStyle = css(colour, alpha);
    context.lineWidth = width;
    context.stroke(
      spline(
        outline(
          '-0.4 0.12, -0.47 -0.35, -0.45 -0.75, -0.28 -1.02, 0.01 -1.11, 0.29 -1.02, 0.45 -0.74, 0.46 -0.35, 0.39 0.12',
        ),
        { closed: false },
      ),
    );
  }
  soft(context, 0.04, () => {
    context.fillStyle = css(look.shade, 0.42);
    context.fill(spline(outline('-0.36 -1, 0 -1.05, 0.33 -1, 0.3 -0.83, 0 -0.87, -0.35 -0.72')));
  });
}

export function brimmedHat(context: Context, look: Complexion): void {
  const felt = mix(lch(0.32, 0.025, 55), look.shade, 0.25);
  const lit = mix(lighter(felt, 0.16), look.light, 0.25);
  soft(context, 0.03, () => {
    context.fillStyle = css(mix(look.shade, lch(0.15, 0.03, 30), 0.5), 0.66);
    ellipse(context, -0.02, -0.7, 0.37, 0.1);
  });
  const tone = context.createLinearGradient(-0.4, 0, 0.42, 0);
  tone.addColorStop(0, css(lighter(felt, -0.1)));
  tone.addColorStop(0.6, css(felt));
  tone.addColorStop(0.88, css(lit));
  tone.addColorStop(1, css(felt));
  context.fillStyle = tone;
  context.fill(
    spline(
      outline(
        '-0.38 -0.78, -0.37 -1.02, -0.27 -1.27, -0.08 -1.31, 0.02 -1.25, 0.12 -1.31, 0.29 -1.26, 0.38 -1, 0.385 -0.78',
      ),
    ),
  );
  context.fillStyle = css(lighter(felt, -0.13));
  context.fill(spline(outline('-0.385 -0.9, 0 -0.945, 0.39 -0.9, 0.39 -0.79, 0 -0.83, -0.39 -0.79')));
  context.fillStyle = tone;
  ellipse(context, 0, -0.785, 0.67, 0.105, -0.02);
  context.strokeStyle = css(lit, 0.8);
  context.lineWidth = 0.014;
  context.beginPath();
  context.ellipse(0, -0.785, 0.66, 0.098, -0.02, Math.PI * 1.5, Math.PI * 2.12);
  context.stroke();
}

export function knitCap(context: Context, look: Complexion, cloth: Colour, random: Random): void {
  const wool = mix(mix(cloth, lch(0.36, 0.05, 255), 0.6), look.shade, 0.2);
  context.fillStyle = css(wool);
  context.fill(
    spline(outline('-0.39 -0.74, -0.4 -0.95, -0.28 -1.14, 0.01 -1.2, 0.3 -1.13, 0.4 -0.94, 0.39 -0.74, 0 -0.8')),
  );
  for (const tone of [-0.07, 0.08]) {
    strokes(context, random, 110, css(lighter(wool, tone), 0.6), 0.011, () => {
      const x = random.between(-0.36, 0.36);
      const y = random.between(-1.1, -0.84) + x * x * 0.9;
      return [x, y, x * 0.98, y + 0.05];
    });
  }
  context.fillStyle = css(lighter(wool, 0.05));
  context.fill(
    tube([
      [-0.385, -0.765, 0.07],
      [0, -0.83, 0.072],
      [0.385, -0.765, 0.07],
    ]),
  );
  strokes(context, random, 60, css(lighter(wool, -0.09), 0.7), 0.009, () => {
    const x = random.between(-0.42, 0.42);
    const y = -0.9 + x * x * 0.42;
    return [x, y, x, y + 0.12];
  });
}

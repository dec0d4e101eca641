/** What a portrait wears, from the collar down, in the units of `face.ts`. */

import type { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import { type Context, ellipse, outline, type Point, spline, tube } from '../brush.ts';
import { kimono, lapels, spaceSuit } from './costume.ts';
import { type Complexion, soft } from './face.ts';
import { drops } from './headwear.ts';
import { folds, placket } from './raincoat.ts';

export function paintBody(
  context: Context,
  person: Person,
  look: Complexion,
  cloth: Colour,
  random: Random,
  wet: boolean,
): void {
  const throat = mix(mix(look.skin, lch(0.4, 0.09, 35), 0.4), look.shade, 0.3);
  context.fillStyle = css(throat);
  context.fill(spline(outline('-0.23 -0.2, -0.225 0.1, -0.32 0.3, 0 0.5, 0.32 0.3, 0.215 0.1, 0.22 -0.2')));
  soft(context, 0.05, () => {
    context.fillStyle = css(lighter(throat, -0.16), 0.7);
    ellipse(context, 0.01, 0.05, 0.26, 0.1);
  });
  if (person.garment === 'dress') dress(context, look, cloth);
  else clothed(context, person, look, cloth, random, wet);
}

function clothed(
  context: Context,
  person: Person,
  look: Complexion,
  cloth: Colour,
  random: Random,
  wet: boolean,
): void {
  const shape: readonly Point[] = outline(
    '-0.24 0.15, -0.52 0.3, -0.9 0.44, -1.13 0.72, -1.25 1.3, -1.3 2.6, 1.3 2.6, 1.25 1.3, 1.12 0.7, 0.88 0.42, 0.52 0.28, 0.24 0.14, 0 0.3',
  );
  const body = spline(shape);
  const lit = mix(lighter(cloth, 0.07), look.light, 0.28);
  const dark = mix(lighter(cloth, -0.24), look.shade, 0.35);
  const tone = context.createLinearGradient(-1.25, 0.6, 1.2, 0.3);
  tone.addColorStop(0, css(dark));
  tone.addColorStop(0.45, css(lighter(cloth, -0.1)));
  tone.addColorStop(0.74, css(cloth));
  tone.addColorStop(1, css(lit));
  context.fillStyle = tone;
  context.fill(body);
  context.save();
  context.clip(body);
  if (person.garment === 'raincoat') folds(context, dark, lit, random);
  else drape(context, dark, lit);
  if (person.headwear === 'helmet') spaceSuit(context, cloth, dark);
  if (person.garment === 'coat') lapels(context, cloth, dark, lit);
  else if (person.garment === 'raincoat') placket(context, dark, lit);
  else if (person.headwear === 'straw') kimono(context, cloth, dark, lit);
  else if (person.headwear !== 'helmet') neckband(context, cloth, dark, random);
  if (wet && person.garment === 'raincoat') {
    drops(context, random, 90, [-1.05, 1.1], [0.35, 1.6], look);
    soft(context, 0.008, () => {
      for (let i = 0; i < 16; i++) {
        const x = random.between(-1, 1.05);
        const y = random.between(0.45, 1.2);
        context.fillStyle = css(mix(lit, WHITE, 0.5), 0.4);
        context.fill(
          tube([
            [x, y, 0.006],
            [x + random.spread() * 0.02, y + 0.12, 0.008],
            [x + random.spread() * 0.03, y + random.between(0.2, 0.34), 0.003],
          ]),
        );
      }
    });
  }
  context.restore();
}

/** Soft cloth: the seams of the sleeves, and what falls from the shoulders and pulls at the armpits. */
function drape(context: Context, dark: Colour, lit: Colour): void {
  context.lineCap = 'round';
  for (const side of [-1, 1] as const) {
    const seam = spline(
      [
        [side * 0.86, 0.42],
        [side * 0.79, 0.72],
        [side * 0.83, 1.02],
        [side * 0.9, 1.3],
      ],
      { closed: false },
    );
    soft(context, 0.02, () => {
      context.strokeStyle = css(dark, 0.6);
      context.lineWidth = 0.03;
      context.stroke(seam);
    });
    soft(context, 0.05, () => {
      for (const [x0, y0, x1, y1, x2, y2, alpha] of [
        [0.84, 1.02, 0.62, 1.1, 0.44, 1.34, 0.5],
        [0.84, 1.1, 0.66, 1.32, 0.58, 1.7, 0.42],
        [0.5, 0.36, 0.44, 0.62, 0.28, 0.9, 0.26],
        [1.06, 0.78, 1.0, 1.06, 1.1, 1.4, 0.34],
      ] as const) {
        const fold = spline(
          [
            [side * x0, y0],
            [side * x1, y1],
            [side * x2, y2],
          ],
          { closed: false },
        );
        context.strokeStyle = css(dark, alpha);
        context.lineWidth = 0.07;
        context.stroke(fold);
        context.translate(0.055, -0.01);
        context.strokeStyle = css(lit, alpha * 0.5);
        context.lineWidth = 0.035;
        context.stroke(fold);
        context.translate(-0.055, 0.01);
      }
    });
  }
}

function neckband(context: Context, cloth: Colour, dark: Colour, random: Random): void {
  context.fillStyle = css(lighter(cloth, -0.05));
  context.fill(
    tube([
      [-0.3, 0.16, 0.075],
      [-0.14, 0.3, 0.075],
      [0.02, 0.34, 0.075],
      [0.17, 0.29, 0.075],
      [0.31, 0.15, 0.075],
    ]),
  );
  context.strokeStyle = css(dark, 0.4);
  context.lineWidth = 0.008;
  for (let i = 0; i < 30; i++) {
    const t = i / 29;
    const x = -0.34 + 0.68 * t;
    const y = 0.15 + 0.19 * Math.sin(Math.PI * t) + random.spread() * 0.004;
    context.beginPath();
    context.moveTo(x, y - 0.06);
    context.lineTo(x * 1.04, y + 0.07);
    context.stroke();
  }
}

function dress(context: Context, look: Complexion, cloth: Colour): void {
  const skin = mix(look.skin, look.shade, 0.12);
  context.fillStyle = css(skin);
  context.fill(
    spline(
      outline(
        '-0.23 0.08, -0.34 0.26, -0.62 0.36, -0.88 0.48, -1 0.8, -1.05 2.6, 1.05 2.6, 1 0.8, 0.88 0.46, 0.62 0.34, 0.34 0.25, 0.22 0.08, 0.12 0.26, 0 0.3, -0.12 0.26',
      ),
    ),
  );
  soft(context, 0.03, () => {
    context.strokeStyle = css(lighter(skin, -0.14), 0.6);
    context.lineWidth = 0.03;
    for (const side of [-1, 1])
      context.stroke(
        spline(
          [
            [side * 0.08, 0.5],
            [side * 0.36, 0.42],
            [side * 0.66, 0.42],
          ],
          { closed: false },
        ),
      );
  });
  context.fillStyle = css(cloth);
  context.fill(
    spline(
      outline(
        '-0.5 0.345, -0.47 0.52, -0.3 0.66, 0 0.72, 0.3 0.66, 0.47 0.51, 0.5 0.335, 0.66 0.4, 0.78 0.9, 0.74 2.6, -0.74 2.6, -0.78 0.9, -0.66 0.41',
      ),
    ),
  );
}

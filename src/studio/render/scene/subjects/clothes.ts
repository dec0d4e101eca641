/** What a portrait wears, from the collar down, in the units of `face.ts`. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../palette.ts';
import type { Person } from '../../prompt.ts';
import type { Random } from '../../random.ts';
import { type Context, ellipse, outline, type Point, spline, tube } from '../brush.ts';
import { type Complexion, soft } from './face.ts';
import { drops } from './headwear.ts';

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
  folds(context, dark, lit, random, person.garment === 'raincoat');
  if (person.garment === 'coat') lapels(context, cloth, dark, lit);
  else if (person.garment === 'raincoat') placket(context, dark, lit);
  else neckband(context, cloth, dark, random);
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

function folds(context: Context, dark: Colour, lit: Colour, random: Random, stiff: boolean): void {
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
    soft(context, stiff ? 0.022 : 0.04, () => {
      context.lineCap = 'round';
      context.strokeStyle = css(dark, 0.62);
      context.lineWidth = stiff ? 0.07 : 0.1;
      context.stroke(spline(bent, { closed: false }));
      context.translate(0.07, 0);
      context.strokeStyle = css(lit, stiff ? 0.7 : 0.35);
      context.lineWidth = stiff ? 0.04 : 0.06;
      context.stroke(spline(bent, { closed: false }));
    });
  }
}

function placket(context: Context, dark: Colour, lit: Colour): void {
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

function lapels(context: Context, cloth: Colour, dark: Colour, lit: Colour): void {
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

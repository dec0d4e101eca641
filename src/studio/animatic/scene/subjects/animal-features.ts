/** An animal's eyes, nose and mouth from the front: sharp where the fur around them is soft. */

import type { Random } from '../../../random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, ellipse, spline, tube } from '../brush.ts';
import { type Inked, sided } from './fur.ts';
import { soft, strokes } from './portrait-brush.ts';

export function eye(context: Context, it: Inked, side: 1 | -1, shut: boolean): void {
  const { mask, breed, shade } = it;
  const { x, y, size, slant } = mask.eyes;
  context.save();
  context.translate(x * side, y);
  context.scale(side, 1);
  context.rotate(-slant);
  soft(context, 0.016, () => {
    context.fillStyle = css(breed.dark, 0.72);
    ellipse(context, 0, 0, size * 1.42, size * 0.95);
    context.fill(
      tube([
        [-size * 1, size * 0.3, size * 0.3],
        [-size * 1.7, size * 1.2, size * 0.16],
        [-size * 2.1, size * 2.2, size * 0.05],
      ]),
    );
  });
  const almond = spline([
    [-size * 1.22, size * 0.32],
    [-size * 0.6, -size * 0.5],
    [size * 0.1, -size * 0.78],
    [size * 0.85, -size * 0.42],
    [size * 1.2, size * 0.06],
    [size * 0.6, size * 0.56],
    [-size * 0.3, size * 0.66],
  ]);
  context.fillStyle = css(lighter(breed.dark, -0.06));
  context.fill(almond);
  if (shut) {
    context.fillStyle = css(lighter(sided(it, breed.coat, side * 0.4), -0.08));
    context.fill(almond);
    context.strokeStyle = css(breed.dark);
    context.lineWidth = size * 0.2;
    context.lineCap = 'round';
    context.stroke(
      spline(
        [
          [-size * 1.2, size * 0.35],
          [0, size * 0.55],
          [size * 1.15, size * 0.12],
        ],
        { closed: false },
      ),
    );
    context.restore();
    return;
  }
  context.save();
  context.clip(
    spline([
      [-size * 1.05, size * 0.26],
      [-size * 0.5, -size * 0.4],
      [size * 0.1, -size * 0.64],
      [size * 0.76, -size * 0.34],
      [size * 1.02, size * 0.06],
      [size * 0.5, size * 0.45],
      [-size * 0.3, size * 0.53],
    ]),
  );
  const iris = context.createRadialGradient(0, size * 0.1, size * 0.1, 0, 0, size * 0.9);
  iris.addColorStop(0, css(lighter(breed.eye, 0.1)));
  iris.addColorStop(0.55, css(breed.eye));
  iris.addColorStop(1, css(lighter(breed.eye, -0.28)));
  context.fillStyle = iris;
  context.fillRect(-size * 2, -size * 2, size * 4, size * 4);
  context.fillStyle = 'rgb(8,6,7)';
  ellipse(context, 0, -size * 0.04, size * (mask.slit ? 0.24 : 0.42), size * (mask.slit ? 0.46 : 0.42), slant);
  soft(context, 0.01, () => {
    context.fillStyle = css(mix(shade, lch(0.08, 0, 0), 0.5), 0.6);
    ellipse(context, 0, -size * 0.72, size * 1.2, size * 0.36);
  });
  context.fillStyle = 'rgba(255,255,255,0.95)';
  ellipse(context, side * size * 0.24, -size * 0.24, size * 0.15, size * 0.15);
  context.fillStyle = 'rgba(255,255,255,0.3)';
  ellipse(context, -side * size * 0.3, size * 0.26, size * 0.12, size * 0.08);
  context.restore();
  context.restore();
}

const WHISKERED: ReadonlySet<string> = new Set(['canine', 'dog', 'feline', 'lion', 'hare']);
const SOFT_NOSED: ReadonlySet<string> = new Set(['feline', 'lion', 'hare']);

export function muzzle(context: Context, it: Inked, random: Random): void {
  const { mask, breed, stage } = it;
  const { y, size } = mask.nose;
  soft(context, 0.02, () => {
    context.fillStyle = css(breed.dark, 0.3);
    ellipse(context, -size * 1.3, y + size * 0.35, size * 0.8, size * 0.7);
    context.fillStyle = css(breed.dark, 0.42);
    ellipse(context, 0, y + size * 2, size * 1.5, size * 0.34);
  });
  const skin = SOFT_NOSED.has(breed.face) ? lch(0.62, 0.08, 20) : lighter(breed.dark, -0.03);
  const nose = context.createRadialGradient(size * 0.3, y - size * 0.5, size * 0.1, 0, y, size * 1.4);
  nose.addColorStop(0, css(mix(lighter(skin, 0.24), stage.palette.light, 0.2)));
  nose.addColorStop(0.5, css(skin));
  nose.addColorStop(1, css(lighter(skin, -0.06)));
  context.fillStyle = nose;
  if (mask.nostrils) nostrils(context, it);
  else
    context.fill(
      spline([
        [-size, y - size * 0.5],
        [-size * 0.5, y - size * 0.72],
        [size * 0.5, y - size * 0.72],
        [size, y - size * 0.5],
        [size * 0.92, y + size * 0.1],
        [size * 0.35, y + size * 0.62],
        [0, y + size * 0.78],
        [-size * 0.35, y + size * 0.62],
        [-size * 0.92, y + size * 0.1],
      ]),
    );
  context.fillStyle = 'rgba(0,0,0,0.75)';
  for (const side of mask.nostrils ? [] : [-1, 1])
    ellipse(context, side * size * 0.5, y + size * 0.06, size * 0.22, size * 0.15, side * 0.5);
  context.fillStyle = css(mix(WHITE, stage.palette.light, 0.4), 0.6);
  ellipse(context, size * 0.3, y - size * 0.47, size * 0.26, size * 0.09, 0.1);
  context.strokeStyle = css(lighter(breed.dark, -0.02), 0.85);
  context.lineCap = 'round';
  context.lineWidth = 0.013;
  context.stroke(
    spline(
      [
        [0, y + size * 0.76],
        [0, y + size * 1.12],
      ],
      { closed: false },
    ),
  );
  for (const side of [-1, 1])
    context.stroke(
      spline(
        [
          [0, y + size * 1.12],
          [side * size * 0.6, y + size * 1.34],
          [side * size * 1.35, y + size * 1.05],
          [side * size * 1.75, y + size * 0.66],
        ],
        { closed: false },
      ),
    );
  if (WHISKERED.has(breed.face)) {
    for (const side of [-1, 1] as const) {
      strokes(
        context,
        random,
        9,
        css(mix(WHITE, breed.dark, breed.face === 'canine' ? 0.75 : 0.08), 0.55),
        0.0045,
        () => {
          const y0 = y + random.between(-0.02, 0.09);
          const out = random.between(0.3, 0.52);
          return [side * random.between(0.1, 0.17), y0, side * (0.12 + out), y0 + random.between(-0.06, 0.16)];
        },
      );
    }
  }
}

/** A soft lip, paler or darker than the face, with a nostril at each side. */
function nostrils(context: Context, { mask, breed, stage, shade }: Inked): void {
  const { y, size } = mask.nose;
  const lip = mix(mix(breed.coat, breed.face === 'ox' ? lch(0.72, 0.06, 25) : breed.dark, 0.62), shade, 0.12);
  soft(context, 0.03, () => {
    context.fillStyle = css(lip, 0.95);
    ellipse(context, 0, y + size * 0.2, size * 1.42, size * 1.02);
    context.fillStyle = css(mix(lighter(lip, 0.16), stage.palette.light, 0.3), 0.55);
    ellipse(context, size * 0.5, y - size * 0.35, size * 0.5, size * 0.24);
  });
  soft(context, 0.008, () => {
    for (const side of [-1, 1] as const) {
      context.fillStyle = css(lighter(lip, 0.1), 0.7);
      ellipse(context, side * size * 0.86, y + size * 0.02, size * 0.36, size * 0.26, side * -0.7);
      context.fillStyle = 'rgba(12,8,8,0.92)';
      ellipse(context, side * size * 0.84, y + size * 0.08, size * 0.26, size * 0.15, side * -0.8);
    }
  });
}

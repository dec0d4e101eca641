/** Eyes and brows, in the units of `face.ts`: the only sharp things in it. */

import type { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import { type Context, ellipse, outline, type Point, spline, tube } from '../brush.ts';
import { type Complexion, EYE_LINE, MIDDLE, soft, strokes } from './portrait-brush.ts';

export function eye(
  context: Context,
  person: Person,
  look: Complexion,
  dark: Colour,
  bright: Colour,
  { side, shut, gaze: looks }: { readonly side: 1 | -1; readonly shut: boolean; readonly gaze: number },
): void {
  const size = (person.child ? 1.34 : person.woman ? 1.06 : 1) * (side === 1 ? 0.94 : 1);
  const x = MIDDLE + side * (side === 1 ? 0.148 : 0.158);
  const y = EYE_LINE;
  soft(context, 0.022, () => {
    context.fillStyle = css(dark, side === 1 ? 0.5 : 0.66);
    ellipse(context, x - side * 0.01, y - 0.022, 0.1, 0.05);
    ellipse(context, x - side * 0.07, y - 0.012, 0.035, 0.045);
    context.fillStyle = css(bright, side === 1 ? 0.34 : 0.12);
    ellipse(context, x + side * 0.01, y + 0.058, 0.07, 0.016);
  });
  context.save();
  context.translate(x, y);
  context.scale(side * size, size);
  const lid = lighter(mix(dark, look.hair, 0.3), -0.14);
  if (shut) {
    context.strokeStyle = css(lid);
    context.lineWidth = 0.012;
    context.lineCap = 'round';
    context.stroke(spline(outline('-0.074 0.002, -0.03 0.018, 0.03 0.02, 0.076 0.004'), { closed: false }));
    context.restore();
    return;
  }
  const opening = spline(
    outline('-0.076 0.01, -0.045 -0.018, 0.004 -0.033, 0.05 -0.021, 0.08 0.003, 0.045 0.02, 0 0.026, -0.045 0.02'),
  );
  context.save();
  context.clip(opening);
  context.fillStyle = css(mix(mix(WHITE, look.shade, side === 1 ? 0.14 : 0.32), lch(0.8, 0.04, 40), 0.14));
  context.fillRect(-0.1, -0.06, 0.2, 0.12);
  const gaze = side * (0.008 + looks * 0.024);
  const iris = context.createRadialGradient(gaze, 0.004, 0.004, gaze, 0, 0.035);
  iris.addColorStop(0, css(lighter(look.eyes, 0.13)));
  iris.addColorStop(0.7, css(look.eyes));
  iris.addColorStop(1, css(lighter(look.eyes, -0.22)));
  context.fillStyle = iris;
  ellipse(context, gaze, -0.0075, 0.0335, 0.0335);
  context.fillStyle = 'rgb(10,8,9)';
  ellipse(context, gaze, -0.0075, 0.0155, 0.0155);
  soft(context, 0.006, () => {
    context.fillStyle = css(lid, 0.6);
    ellipse(context, 0, -0.036, 0.085, 0.02);
  });
  context.fillStyle = 'rgba(255,255,255,0.96)';
  ellipse(context, gaze + side * 0.011, -0.0145, 0.0085, 0.0085);
  context.fillStyle = 'rgba(255,255,255,0.35)';
  ellipse(context, gaze - side * 0.012, 0.012, 0.005, 0.004);
  context.restore();
  context.lineCap = 'round';
  context.strokeStyle = css(lid);
  context.lineWidth = person.woman ? 0.0165 : 0.0125;
  context.stroke(
    spline(
      [
        [-0.078, 0.01],
        [-0.045, -0.02],
        [0.004, -0.035],
        [0.05, -0.023],
        [0.084, person.woman ? -0.006 : 0.004],
      ],
      { closed: false },
    ),
  );
  context.strokeStyle = css(lid, 0.4);
  context.lineWidth = 0.006;
  context.stroke(spline(outline('-0.07 0.014, -0.03 0.025, 0.03 0.027, 0.074 0.008'), { closed: false }));
  context.strokeStyle = css(dark, 0.75);
  context.lineWidth = 0.008;
  context.stroke(spline(outline('-0.066 -0.018, -0.02 -0.052, 0.04 -0.05, 0.088 -0.022'), { closed: false }));
  context.restore();
}

export function brows(context: Context, person: Person, look: Complexion, random: Random): void {
  const hair = person.old ? mix(look.hair, WHITE, 0.25) : lighter(look.hair, -0.03);
  const thick = person.woman ? 0.012 : person.child ? 0.011 : 0.0185;
  for (const side of [-1, 1] as const) {
    const x = MIDDLE + side * 0.152;
    const line: readonly Point[] = [
      [x - side * 0.098, -0.565],
      [x - side * 0.04, -0.598],
      [x + side * 0.035, -0.602],
      [x + side * 0.105, -0.568],
    ];
    context.fillStyle = css(mix(hair, look.shade, side === -1 ? 0.35 : 0.08), 0.9);
    context.fill(tube(line.map(([px, py], i) => [px, py, thick * ([0.75, 1, 0.85, 0.2][i] ?? 1)] as const)));
    if (!person.old && !person.beard) continue;
    strokes(context, random, 46, css(mix(hair, side === 1 ? look.light : look.shade, 0.3), 0.9), 0.0065, () => {
      const t = random.next();
      const px = x - side * 0.1 + side * 0.2 * t;
      const py = -0.575 - Math.sin(Math.PI * Math.min(1, t * 1.1)) * 0.026 + random.spread() * 0.008;
      return [px, py, px + side * random.between(0.015, 0.045), py - random.between(-0.008, 0.022)];
    });
  }
}

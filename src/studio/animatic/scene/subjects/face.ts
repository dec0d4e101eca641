/**
 * A face, painted as one paints a portrait: the big shapes of light and shade first, soft; then sockets, nose, mouth; then eyes, sharp.
 * Units: chin at 0, crown at −1, about 0.75 wide, lit from the right and turned a little towards the light (the painter mirrors it).
 */

import type { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import { type Context, ellipse, outline, type Point, spline, tube } from '../brush.ts';
import { brows, eye } from './eyes.ts';
import { mouth, openMouth } from './mouth.ts';
import { type Complexion, EYE_LINE, MIDDLE, soft } from './portrait-brush.ts';

const OUTLINE: readonly Point[] = outline(
  '0 -1, 0.2 -0.975, 0.335 -0.84, 0.372 -0.63, 0.358 -0.43, 0.325 -0.25, 0.235 -0.085, 0.12 -0.008, 0.02 0.004, -0.09 -0.014, -0.228 -0.1, -0.325 -0.27, -0.366 -0.45, -0.382 -0.64, -0.345 -0.84, -0.21 -0.972',
);

interface Expression {
  readonly eyesShut: boolean;
  /** −1 to 1: where the eyes look, away from or towards the light; 0 at us. */
  readonly gaze?: number;
  readonly speaking?: boolean;
  readonly smiling?: boolean;
}

export function paintFace(
  context: Context,
  person: Person,
  look: Complexion,
  random: Random,
  { eyesShut, gaze = 0, speaking = false, smiling = false }: Expression,
): void {
  const { skin, light, shade } = look;
  const warm = mix(skin, lch(0.55, 0.15, 25), 0.5);
  const dark = mix(mix(skin, lch(0.36, 0.09, 32), 0.55), shade, 0.28);
  const bright = mix(lighter(skin, 0.13), light, 0.35);
  ears(context, skin, dark);
  const outline = spline(OUTLINE);
  context.fillStyle = css(skin);
  context.fill(outline);
  context.save();
  context.clip(outline);
  const turn = context.createLinearGradient(-0.4, 0, 0.42, 0);
  turn.addColorStop(0, css(dark, 0.92));
  turn.addColorStop(0.3, css(dark, 0.55));
  turn.addColorStop(0.52, css(dark, 0.1));
  turn.addColorStop(0.75, css(bright, 0.16));
  turn.addColorStop(1, css(bright, 0.4));
  context.fillStyle = turn;
  context.fillRect(-0.5, -1.1, 1, 1.3);
  soft(context, 0.045, () => {
    for (const [x, y, rx, ry, alpha] of [
      [-0.3, -0.3, 0.13, 0.22, 0.55],
      [-0.33, -0.66, 0.1, 0.2, 0.4],
      [0.31, -0.2, 0.07, 0.14, 0.3],
      [0.04, 0.03, 0.3, 0.07, 0.6],
      [-0.12, -0.17, 0.08, 0.09, 0.25],
    ] as const) {
      context.fillStyle = css(dark, alpha);
      ellipse(context, x, y, rx, ry);
    }
    for (const [x, y, rx, ry, alpha] of [
      [0.21, -0.36, 0.1, 0.07, 0.4],
      [-0.19, -0.35, 0.1, 0.07, 0.3],
      [MIDDLE + 0.03, -0.27, 0.07, 0.05, 0.34],
    ] as const) {
      context.fillStyle = css(warm, alpha);
      ellipse(context, x, y, rx, ry);
    }
    for (const [x, y, rx, ry, alpha] of [
      [0.15, -0.79, 0.15, 0.08, 0.5],
      [0.225, -0.415, 0.085, 0.05, 0.62],
      [0.09, -0.045, 0.075, 0.035, 0.34],
      [-0.16, -0.42, 0.06, 0.035, 0.18],
      [0.25, -0.2, 0.05, 0.08, 0.25],
    ] as const) {
      context.fillStyle = css(bright, alpha);
      ellipse(context, x, y, rx, ry);
    }
  });
  nose(context, dark, bright);
  if (speaking) openMouth(context, person, skin, dark);
  else mouth(context, person, skin, dark, bright, smiling ? 0.026 : 0);
  const low = person.child ? 0.045 : 0;
  context.translate(0, low);
  for (const side of [-1, 1] as const) eye(context, person, look, dark, bright, { side, shut: eyesShut, gaze });
  context.translate(0, -low);
  if (person.old) lines(context, dark, bright);
  context.restore();
  context.translate(0, low);
  brows(context, person, look, random);
  context.translate(0, -low);
}

function ears(context: Context, skin: Colour, dark: Colour): void {
  for (const [x, wide, tone] of [
    [-0.385, 0.06, 0.55],
    [0.365, 0.04, 0.1],
  ] as const) {
    context.fillStyle = css(mix(skin, dark, tone));
    ellipse(context, x, -0.45, wide, 0.115, x * 0.3);
    context.fillStyle = css(dark, 0.5);
    ellipse(context, x * 0.985, -0.45, wide * 0.5, 0.07, x * 0.3);
  }
}

function nose(context: Context, dark: Colour, bright: Colour): void {
  soft(context, 0.016, () => {
    context.fillStyle = css(dark, 0.62);
    context.fill(
      spline(
        outline(
          '-0.03 -0.55, -0.005 -0.47, -0.02 -0.36, -0.048 -0.285, -0.03 -0.25, 0.02 -0.262, 0.012 -0.34, 0.014 -0.45, 0 -0.55',
        ),
      ),
    );
    context.fillStyle = css(dark, 0.6);
    ellipse(context, MIDDLE + 0.008, -0.232, 0.085, 0.02);
    context.fillStyle = css(bright, 0.62);
    context.fill(
      tube([
        [0.042, -0.53, 0.012],
        [0.052, -0.42, 0.013],
        [0.062, -0.33, 0.019],
      ]),
    );
    context.fillStyle = css(bright, 0.75);
    ellipse(context, 0.068, -0.297, 0.024, 0.018);
  });
  soft(context, 0.004, () => {
    context.fillStyle = css(lighter(dark, -0.16), 0.85);
    ellipse(context, -0.008, -0.252, 0.021, 0.0105, 0.3);
    ellipse(context, 0.085, -0.253, 0.016, 0.009, -0.35);
    context.strokeStyle = css(lighter(dark, -0.05), 0.65);
    context.lineWidth = 0.011;
    context.stroke(spline(outline('-0.052 -0.305, -0.066 -0.272, -0.045 -0.247'), { closed: false }));
    context.lineWidth = 0.008;
    context.stroke(spline(outline('0.112 -0.3, 0.122 -0.272, 0.106 -0.25'), { closed: false }));
  });
}

function lines(context: Context, dark: Colour, bright: Colour): void {
  context.lineCap = 'round';
  const wrinkle = (points: readonly Point[], width: number, alpha: number) => {
    soft(context, 0.004, () => {
      context.strokeStyle = css(dark, alpha);
      context.lineWidth = width;
      context.stroke(spline(points, { closed: false }));
      context.translate(0.003, 0.0085);
      context.strokeStyle = css(bright, alpha * 0.45);
      context.lineWidth = width * 0.8;
      context.stroke(spline(points, { closed: false }));
    });
  };
  for (const [y, wide] of [
    [-0.7, 0.2],
    [-0.755, 0.22],
    [-0.66, 0.14],
  ] as const)
    wrinkle(
      [
        [MIDDLE - wide, y + 0.012],
        [MIDDLE - wide * 0.3, y - 0.006],
        [MIDDLE + wide * 0.4, y],
        [MIDDLE + wide, y + 0.014],
      ],
      0.008,
      0.42,
    );
  for (const side of [-1, 1] as const) {
    for (const [dy, length] of [
      [-0.02, 0.06],
      [0.006, 0.07],
      [0.032, 0.055],
    ] as const) {
      const x = MIDDLE + side * 0.25;
      wrinkle(
        [
          [x, EYE_LINE + dy * 0.6],
          [x + side * length * 0.5, EYE_LINE + dy * 1.1],
          [x + side * length, EYE_LINE + dy * 2],
        ],
        0.0065,
        0.5,
      );
    }
    wrinkle(
      [
        [MIDDLE + side * 0.085, EYE_LINE + 0.062],
        [MIDDLE + side * 0.15, EYE_LINE + 0.08],
        [MIDDLE + side * 0.215, EYE_LINE + 0.06],
      ],
      0.009,
      0.5,
    );
    wrinkle(
      [
        [MIDDLE + side * 0.085, -0.285],
        [MIDDLE + side * 0.135, -0.225],
        [MIDDLE + side * 0.155, -0.165],
      ],
      0.012,
      0.6,
    );
  }
}

/** An umbrella, from below for a portrait and from the side for somebody seen whole. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Context, spline } from '../brush.ts';
import type { Stage } from '../stage.ts';

/** One umbrella for the whole of a shot. */
export const silkOf = ({ palette, shot }: Stage): Colour => {
  const said =
    /\b(red|yellow|blue|green|white|black|pink|transparent|clear) umbrella|(红|黄|蓝|绿|白|黑)色?的?伞/i.exec(
      shot.words,
    );
  const colour = SILKS[(said?.[1] ?? said?.[2] ?? '').toLowerCase()];
  return colour ?? mix(palette.accent, lch(0.5, 0.12, 25), 0.3);
};

const RED = lch(0.54, 0.19, 27);
const SILKS: { readonly [said: string]: Colour } = {
  red: RED,
  红: RED,
  yellow: lch(0.82, 0.16, 88),
  黄: lch(0.82, 0.16, 88),
  blue: lch(0.5, 0.13, 252),
  蓝: lch(0.5, 0.13, 252),
  green: lch(0.54, 0.11, 150),
  绿: lch(0.54, 0.11, 150),
  white: lch(0.92, 0.01, 90),
  白: lch(0.92, 0.01, 90),
  black: lch(0.22, 0.01, 270),
  黑: lch(0.22, 0.01, 270),
  pink: lch(0.74, 0.12, 0),
  transparent: lch(0.85, 0.02, 230),
  clear: lch(0.85, 0.02, 230),
};

/** Behind a head, in the units of `face.ts`: the lining with its ribs, the rim before it, the stick to the shoulder. */
export function umbrellaBehind(context: Context, stage: Stage): void {
  const silk = silkOf(stage);
  const { palette } = stage;
  context.save();
  context.translate(0.18, -0.86);
  context.rotate(0.14);
  const lining = context.createRadialGradient(0, -0.5, 0.1, 0, -0.2, 1.5);
  lining.addColorStop(0, css(lighter(mix(silk, palette.near, 0.3), -0.12)));
  lining.addColorStop(1, css(lighter(mix(silk, palette.near, 0.12), -0.02)));
  context.fillStyle = lining;
  const dome = spline(
    [
      [-1.24, 0.16],
      [-1.1, -0.44],
      [-0.62, -0.88],
      [0, -1.02],
      [0.62, -0.88],
      [1.1, -0.44],
      [1.24, 0.16],
    ],
    { closed: false },
  );
  context.fill(dome);
  context.fillStyle = css(silk);
  for (let i = 0; i < 6; i++) {
    const [a, b] = [-1.24 + (2.48 * i) / 6, -1.24 + (2.48 * (i + 1)) / 6];
    context.beginPath();
    context.moveTo(a, 0.17);
    context.quadraticCurveTo((a + b) / 2, 0.02, b, 0.17);
    context.quadraticCurveTo((a + b) / 2, -0.07, a, 0.17);
    context.fill();
  }
  context.strokeStyle = css(lighter(mix(silk, palette.near, 0.5), -0.1), 0.8);
  context.lineWidth = 0.014;
  for (const x of [-0.84, -0.44, 0, 0.44, 0.84]) {
    context.beginPath();
    context.moveTo(0, -0.98);
    context.quadraticCurveTo(x * 1.05, -0.6, x, 0.08);
    context.stroke();
  }
  context.strokeStyle = css(lch(0.42, 0.03, 60));
  context.lineWidth = 0.034;
  context.beginPath();
  context.moveTo(0.05, -0.96);
  context.lineTo(0.42, 1.4);
  context.stroke();
  context.restore();
}

/** Over a walker, in its units (1 high): held before the shoulder. */
export function umbrellaOver(context: Context, silk: Colour, lean: number, lift: number): void {
  context.save();
  context.translate(0.1 + lean, -0.98 + lift);
  context.rotate(0.06);
  context.strokeStyle = css(lch(0.34, 0.02, 60));
  context.lineWidth = 0.014;
  context.beginPath();
  context.moveTo(0, -0.28);
  context.lineTo(0.0, 0.42);
  context.stroke();
  for (const [from, to, tone] of [
    [-0.42, -0.14, -0.07],
    [-0.14, 0.16, 0],
    [0.16, 0.42, 0.05],
  ] as const) {
    context.fillStyle = css(lighter(silk, tone));
    context.beginPath();
    context.moveTo(0, -0.3);
    context.quadraticCurveTo(from * 1.0, -0.27, from, 0);
    context.quadraticCurveTo((from + to) / 2, -0.055, to, 0);
    context.quadraticCurveTo(to * 1.0, -0.27, 0, -0.3);
    context.fill();
  }
  context.fillStyle = css(lch(0.34, 0.02, 60));
  context.fillRect(-0.006, -0.34, 0.012, 0.05);
  context.restore();
}

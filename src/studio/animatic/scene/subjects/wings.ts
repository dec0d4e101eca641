/** What flies by itself and is large: an eagle, a dragon. As figures, lit by the stage. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Context, ellipse, outline, spline, tube } from '../brush.ts';
import type { Figure } from './figure.ts';

/** An eagle soaring: broad wings with fingers at their tips, pale head and tail; it beats its wings now and then. */
export const raptor: Figure = {
  box: { left: -1.6, top: -0.9, right: 1.6, bottom: 0.8 },
  stride: 0,
  draw(context, { seconds }) {
    const beat =
      Math.sin(seconds * 1.1) * 0.12 + Math.max(0, Math.sin(seconds * 0.7 + 2)) ** 4 * Math.sin(seconds * 7) * 0.4;
    const plumage = lch(0.33, 0.045, 55);
    for (const side of [-1, 1] as const) {
      const x = (at: number) => side * at * (side === 1 ? 1 : 0.92);
      const rise = (at: number) => -at * at * (0.26 + beat * 0.5) - at * 0.04;
      context.fillStyle = css(lighter(plumage, side === 1 ? 0.02 : -0.05));
      context.fill(
        spline([
          [x(0.05), -0.1],
          [x(0.4), rise(0.4) - 0.12],
          [x(0.85), rise(0.85) - 0.1],
          [x(1.22), rise(1.22)],
          [x(1.1), rise(1.1) + 0.16],
          [x(0.7), rise(0.7) + 0.24],
          [x(0.3), rise(0.3) + 0.22],
          [x(0.04), 0.14],
        ]),
      );
      context.fillStyle = css(lighter(plumage, -0.1));
      for (let i = 0; i < 6; i++) {
        const root = 1.2 - i * 0.05;
        const reach = 0.42 - i * 0.035;
        const turn = 0.1 + i * 0.24;
        context.fill(
          tube([
            [x(root), rise(root) + 0.02 + i * 0.02, 0.028],
            [x(root + Math.cos(turn) * reach * 0.6), rise(root) + Math.sin(turn) * reach * 0.6 - 0.05, 0.03],
            [x(root + Math.cos(turn) * reach), rise(root) + Math.sin(turn) * reach - 0.07, 0.006],
          ]),
        );
      }
    }
    const pale = lch(0.95, 0.012, 85);
    context.fillStyle = css(lighter(pale, -0.06));
    context.fill(spline(outline('-0.1 0.12, -0.2 0.42, -0.06 0.46, 0.08 0.46, 0.2 0.42, 0.1 0.12')));
    context.fillStyle = css(plumage);
    context.fill(
      tube([
        [0, -0.16, 0.1],
        [0, 0.02, 0.15],
        [0, 0.22, 0.09],
      ]),
    );
    context.fillStyle = css(pale);
    context.fill(
      tube([
        [0.01, -0.14, 0.09],
        [0.03, -0.28, 0.078],
      ]),
    );
    context.fillStyle = css(lch(0.8, 0.15, 80));
    context.fill(
      tube([
        [0.08, -0.33, 0.032],
        [0.14, -0.31, 0.022],
        [0.155, -0.27, 0.004],
      ]),
    );
    context.fillStyle = 'rgb(18,15,14)';
    ellipse(context, 0.055, -0.32, 0.013, 0.013);
  },
};

/** A dragon from the side: wings of skin on long fingers, a neck and a tail that wind. */
export const dragon: Figure = {
  box: { left: -1.7, top: -1.35, right: 1.5, bottom: 0.95 },
  stride: 0,
  draw(context, { seconds }) {
    const beat = Math.sin(seconds * 2.6);
    const scales = lch(0.38, 0.09, 25);
    const wave = (x: number) => Math.sin(seconds * 2.6 - x * 2.2) * 0.06;
    wing(context, lighter(scales, -0.1), beat, -0.1);
    context.fillStyle = css(scales);
    context.fill(
      tube([
        [-1.58, 0.1 + wave(-1.6), 0.006],
        [-1.1, 0.16 + wave(-1.1), 0.04],
        [-0.62, 0.08 + wave(-0.6), 0.085],
        [-0.1, 0, 0.16],
        [0.3, -0.05, 0.14],
        [0.62, -0.22 + wave(0.6) * 0.5, 0.085],
        [0.86, -0.42 + wave(0.9) * 0.6, 0.068],
        [1.06, -0.46 + wave(1) * 0.6, 0.07],
      ]),
    );
    const y = -0.46 + wave(1) * 0.6;
    context.fill(
      tube([
        [1.06, y, 0.082],
        [1.22, y + 0.03, 0.056],
        [1.36, y + 0.06, 0.03],
      ]),
    );
    context.fill(spline(outline('-1.56 0.08, -1.68 -0.04, -1.72 0.14, -1.62 0.22')));
    context.fillStyle = css(lch(0.66, 0.08, 70), 0.85);
    context.fill(
      tube([
        [-0.5, 0.15 + wave(-0.5), 0.02],
        [-0.05, 0.11, 0.055],
        [0.35, 0.05, 0.05],
        [0.64, -0.15 + wave(0.6) * 0.5, 0.03],
      ]),
    );
    context.fillStyle = css(lighter(scales, -0.14));
    for (let i = 0; i < 13; i++) {
      const x = -1.0 + i * 0.13;
      const top = (x < 0.3 ? -0.14 + Math.max(0, -x - 0.2) * 0.22 : -0.16 - (x - 0.3) * 0.5) + wave(x) * 0.7;
      context.beginPath();
      context.moveTo(x - 0.035, top + 0.05);
      context.lineTo(x - 0.03, top - 0.05);
      context.lineTo(x + 0.04, top + 0.05);
      context.fill();
    }
    for (const lean of [-0.02, 0.05])
      context.fill(
        tube([
          [1.03 + lean, y - 0.06, 0.024],
          [0.92 + lean, y - 0.18, 0.006],
        ]),
      );
    for (const x of [-0.28, 0.24])
      context.fill(
        tube([
          [x, 0.08, 0.06],
          [x - 0.12, 0.24, 0.035],
          [x - 0.26, 0.27, 0.014],
        ]),
      );
    context.fillStyle = css(lch(0.85, 0.16, 85));
    ellipse(context, 1.12, y - 0.03, 0.018, 0.014, 0.4);
    wing(context, lighter(scales, 0.02), beat, 0.12);
  },
};

function wing(context: Context, skin: Colour, beat: number, at: number): void {
  const up = -0.66 - beat * 0.36;
  const elbow: readonly [number, number] = [at + 0.02, up * 0.62 - 0.1];
  const tips: readonly (readonly [number, number])[] = [
    [at + 0.42, up * 1.5 + 0.06],
    [at - 0.34, up * 1.4 + 0.02],
    [at - 0.86, up * 0.86 + 0.16],
    [at - 0.98, up * 0.26 + 0.2],
  ];
  context.fillStyle = css(mix(skin, lch(0.52, 0.12, 35), 0.45));
  context.beginPath();
  context.moveTo(at + 0.14, -0.08);
  context.lineTo(...elbow);
  let [px, py] = elbow;
  for (const [x, y] of tips) {
    context.quadraticCurveTo((px + x) / 2 + 0.02, (py + y) / 2 + 0.08, x, y);
    [px, py] = [x, y];
  }
  context.quadraticCurveTo(at - 0.5, up * 0.1 + 0.06, at - 0.34, 0.02);
  context.fill();
  context.fillStyle = css(skin);
  for (const [x, y] of tips)
    context.fill(
      tube([
        [...elbow, 0.026],
        [(elbow[0] + x) / 2 + 0.02, (elbow[1] + y) / 2 - 0.03, 0.016],
        [x, y, 0.004],
      ]),
    );
  context.fill(
    tube([
      [at + 0.14, -0.06, 0.06],
      [...elbow, 0.032],
    ]),
  );
}

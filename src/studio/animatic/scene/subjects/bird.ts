/** A bird in flight. Its wings beat, so it is drawn by code and lit by the stage. */
import { css, lch, lighter } from '../../prompt/palette.ts';
import { ellipse, spline, tube } from '../brush.ts';
import type { Figure } from './figure.ts';

/** A bird in flight, a wing's length on each side. */
export const bird = (phase: number): Figure => ({
  box: { left: -1.3, top: -1, right: 1.3, bottom: 1 },
  stride: 0,
  draw(context, { seconds }) {
    const beat = Math.sin(seconds * 7 + phase) * 0.75 + 0.1;
    const body = lch(0.86, 0.012, 90);
    for (const [side, tone] of [
      [-1, -0.14],
      [1, 0],
    ] as const) {
      context.fillStyle = css(lighter(body, tone));
      context.fill(
        spline([
          [0.1, -0.02],
          [side * 0.3 - 0.05, -0.2 - beat * 0.28],
          [side * 0.75 - 0.2, -0.18 - beat * 0.62],
          [side * 1.15 - 0.42, 0.02 - beat * 0.86],
          [side * 0.72 - 0.28, 0.0 - beat * 0.42],
          [side * 0.3 - 0.2, 0.06 - beat * 0.1],
          [-0.18, 0.06],
        ]),
      );
      context.fillStyle = css(lch(0.28, 0.015, 260), 0.9);
      context.fill(
        spline([
          [side * 0.98 - 0.35, 0 - beat * 0.78],
          [side * 1.15 - 0.42, 0.02 - beat * 0.86],
          [side * 0.86 - 0.33, 0.02 - beat * 0.58],
        ]),
      );
    }
    context.fillStyle = css(body);
    context.fill(
      tube([
        [-0.5, 0.05, 0.03],
        [-0.2, 0.02, 0.095],
        [0.12, 0, 0.105],
        [0.32, -0.05, 0.07],
        [0.38, -0.06, 0.055],
      ]),
    );
    context.fillStyle = css(lch(0.76, 0.15, 70));
    context.fill(
      tube([
        [0.42, -0.05, 0.028],
        [0.52, -0.03, 0.008],
      ]),
    );
    context.fillStyle = 'rgb(20,18,20)';
    ellipse(context, 0.37, -0.08, 0.014, 0.014);
  },
});

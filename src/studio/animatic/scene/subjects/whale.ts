/** A whale. A wave runs down its body, so it is drawn by code and lit by the stage. */
import { css, lch, lighter } from '../../prompt/palette.ts';
import { ellipse, outline, spline } from '../brush.ts';
import type { Figure } from './figure.ts';

export const whale: Figure = {
  box: { left: -1.35, top: -0.6, right: 1.1, bottom: 0.65 },
  stride: 0,
  draw(context, { seconds }) {
    const wave = (x: number) => Math.sin(seconds * 1.3 + x * 1.6) * 0.05 * (0.4 + Math.max(0, -x));
    const skin = lch(0.36, 0.045, 245);
    context.fillStyle = css(lighter(skin, -0.03));
    context.fill(
      spline([
        [-0.92, wave(-0.9) - 0.02],
        [-1.16, wave(-1.2) - 0.2],
        [-1.3, wave(-1.3) - 0.2],
        [-1.14, wave(-1.1) + 0.0],
        [-1.28, wave(-1.3) + 0.16],
        [-1.1, wave(-1.2) + 0.14],
        [-0.9, wave(-0.9) + 0.04],
      ]),
    );
    const body = spline([
      [0.98, 0.0],
      [0.86, -0.18],
      [0.5, -0.3],
      [0.05, wave(0) - 0.31],
      [-0.38, wave(-0.4) - 0.18],
      [-0.72, wave(-0.7) - 0.085],
      [-0.98, wave(-1) - 0.04],
      [-0.98, wave(-1) + 0.04],
      [-0.6, wave(-0.6) + 0.1],
      [-0.1, wave(-0.1) + 0.22],
      [0.4, 0.26],
      [0.82, 0.18],
    ]);
    context.fillStyle = css(skin);
    context.fill(body);
    context.save();
    context.clip(body);
    context.fillStyle = css(lch(0.78, 0.025, 230), 0.85);
    context.fill(spline(outline('1.05 0.06, 0.6 0.05, 0.2 0.14, -0.3 0.16, -0.6 0.3, 0.9 0.4')));
    context.strokeStyle = css(skin, 0.45);
    context.lineWidth = 0.012;
    for (let i = 0; i < 9; i++)
      context.stroke(
        spline(
          [
            [0.94, 0.075 + i * 0.024],
            [0.5, 0.1 + i * 0.026],
            [0.05, 0.17 + i * 0.022],
          ],
          { closed: false },
        ),
      );
    context.fillStyle = css(lighter(skin, 0.1), 0.5);
    context.fill(spline(outline('0.9 -0.14, 0.4 -0.28, -0.2 -0.24, 0.2 -0.22, 0.7 -0.12')));
    context.restore();
    context.fillStyle = css(lighter(skin, -0.06));
    const flap = Math.sin(seconds * 1.3) * 0.07;
    context.fill(
      spline([
        [0.42, 0.14],
        [0.24, 0.3 + flap],
        [-0.04, 0.5 + flap],
        [-0.1, 0.48 + flap],
        [0.06, 0.28 + flap * 0.5],
        [0.2, 0.13],
      ]),
    );
    context.fill(
      spline([
        [-0.24, wave(-0.2) - 0.21],
        [-0.36, wave(-0.4) - 0.3],
        [-0.44, wave(-0.4) - 0.16],
      ]),
    );
    context.fillStyle = 'rgb(12,14,18)';
    ellipse(context, 0.68, 0.0, 0.017, 0.014);
    context.strokeStyle = css(lighter(skin, -0.14), 0.9);
    context.lineWidth = 0.01;
    context.stroke(spline(outline('0.98 0.02, 0.8 0.05, 0.64 0.04'), { closed: false }));
  },
};

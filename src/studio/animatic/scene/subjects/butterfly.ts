/** A butterfly that opens and shuts its wings. */
import { type Colour, css, lch, lighter, WHITE } from '../../prompt/palette.ts';
import { ellipse, outline, spline, tube } from '../brush.ts';
import type { Figure } from './figure.ts';

/** Wings about 0.9 to each side. */
export const butterfly = (wing: Colour, phase: number): Figure => ({
  box: { left: -1.05, top: -0.95, right: 1.05, bottom: 0.85 },
  stride: 0,
  draw(context, { seconds }) {
    const open = 0.3 + 0.7 * Math.abs(Math.cos(seconds * 3.1 + phase));
    const dark = lch(0.17, 0.02, 40);
    context.rotate(0.22);
    for (const side of [-1, 1] as const) {
      context.save();
      context.scale(side * open, 1);
      for (const [points, inner] of [
        [
          '0.04 0.02, 0.3 0.1, 0.6 0.34, 0.62 0.6, 0.4 0.74, 0.2 0.56, 0.06 0.2',
          '0.1 0.1, 0.3 0.18, 0.5 0.38, 0.5 0.54, 0.38 0.6, 0.24 0.46',
        ],
        [
          '0.04 -0.04, 0.26 -0.5, 0.62 -0.82, 0.96 -0.8, 0.94 -0.5, 0.76 -0.1, 0.4 0.1, 0.08 0.06',
          '0.12 -0.04, 0.3 -0.42, 0.58 -0.66, 0.78 -0.64, 0.76 -0.44, 0.62 -0.14, 0.36 0.02',
        ],
      ] as const) {
        context.fillStyle = css(dark);
        context.fill(spline(outline(points)));
        const glow = context.createRadialGradient(0.1, 0, 0.05, 0.2, -0.1, 0.9);
        glow.addColorStop(0, css(lighter(wing, 0.12)));
        glow.addColorStop(0.6, css(wing));
        glow.addColorStop(1, css(lighter(wing, -0.12)));
        context.fillStyle = glow;
        context.fill(spline(outline(inner)));
      }
      context.strokeStyle = css(dark, 0.75);
      context.lineWidth = 0.014;
      for (const [x, y] of outline('0.62 -0.66, 0.76 -0.46, 0.6 -0.16, 0.46 0.42, 0.36 0.58')) {
        context.beginPath();
        context.moveTo(0.04, 0);
        context.quadraticCurveTo(x * 0.4, y * 0.6, x, y);
        context.stroke();
      }
      context.fillStyle = css(WHITE, 0.85);
      for (const [x, y] of outline('0.86 -0.7, 0.87 -0.57, 0.82 -0.38, 0.55 0.6, 0.42 0.68'))
        ellipse(context, x, y, 0.025, 0.025);
      context.restore();
    }
    context.fillStyle = css(dark);
    context.fill(
      tube([
        [0, -0.22, 0.045],
        [0, 0, 0.055],
        [0, 0.34, 0.02],
      ]),
    );
    context.strokeStyle = css(dark);
    context.lineWidth = 0.012;
    for (const side of [-1, 1])
      context.stroke(
        spline(
          [
            [0, -0.24],
            [side * 0.08, -0.4],
            [side * 0.2, -0.5],
          ],
          { closed: false },
        ),
      );
  },
});

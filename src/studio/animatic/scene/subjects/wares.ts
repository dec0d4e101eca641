/** Products on their plinth: a flacon, a telephone, a shoe. Each stands on 0,0 and is about 1 high. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { across, type Context, down, ellipse, outline, spline } from '../brush.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

const rigid = (half: number, top: number, draw: (context: Context) => void): Figure => ({
  box: { left: -half, top, right: half, bottom: 0.08 },
  stride: 0,
  rigid: true,
  draw,
});

/** Thick glass with light in it, a faceted stopper, the scent in its lower half. */
export const flacon = (stage: Stage, scent: Colour): Figure =>
  rigid(0.6, -1.16, context => {
    const glass = mix(scent, WHITE, 0.55);
    context.fillStyle = across(context, -0.42, 0.42, [
      [0, mix(glass, WHITE, 0.5), 0.95],
      [0.06, lighter(glass, -0.16), 0.95],
      [0.2, glass, 0.9],
      [0.5, mix(glass, WHITE, 0.35), 0.86],
      [0.82, glass, 0.9],
      [0.95, lighter(glass, -0.2), 0.95],
      [1, mix(glass, WHITE, 0.6), 0.95],
    ]);
    context.beginPath();
    context.roundRect(-0.4, -0.74, 0.8, 0.74, 0.07);
    context.fill();
    context.fillStyle = down(context, -0.62, -0.05, [
      [0, lighter(scent, 0.1), 0.75],
      [0.1, scent, 0.9],
      [0.6, lighter(scent, 0.04), 0.95],
      [1, lighter(scent, -0.14), 1],
    ]);
    context.beginPath();
    context.roundRect(-0.33, -0.6, 0.66, 0.54, 0.045);
    context.fill();
    context.fillStyle = css(mix(scent, WHITE, 0.6), 0.65);
    ellipse(context, 0, -0.6, 0.32, 0.018);
    const light = context.createRadialGradient(stage.lit * 0.14, -0.16, 0.01, stage.lit * 0.14, -0.16, 0.36);
    light.addColorStop(0, css(mix(stage.palette.light, WHITE, 0.5), 0.75));
    light.addColorStop(1, css(stage.palette.light, 0));
    context.fillStyle = light;
    context.fillRect(-0.33, -0.6, 0.66, 0.54);
    const gold = [
      [0, lch(0.46, 0.06, 78)],
      [0.3, lch(0.93, 0.07, 90)],
      [0.55, lch(0.72, 0.09, 82)],
      [0.8, lch(0.88, 0.08, 88)],
      [1, lch(0.42, 0.05, 74)],
    ] as const;
    context.fillStyle = across(context, -0.14, 0.14, gold);
    context.fillRect(-0.13, -0.82, 0.26, 0.09);
    context.fillStyle = across(context, -0.19, 0.19, gold);
    context.beginPath();
    context.roundRect(-0.19, -1.1, 0.38, 0.28, 0.035);
    context.fill();
    context.fillStyle = css(WHITE, 0.35);
    context.fillRect(-0.19, -1.1, 0.38, 0.03);
    context.fillStyle = css(lch(0.97, 0.01, 85), 0.92);
    context.fillRect(-0.17, -0.42, 0.34, 0.2);
    context.fillStyle = css(lch(0.3, 0.03, 60));
    context.fillRect(-0.1, -0.36, 0.2, 0.018);
    context.fillRect(-0.06, -0.32, 0.12, 0.009);
    context.fillRect(-0.045, -0.295, 0.09, 0.007);
    context.fillStyle = css(WHITE, 0.55);
    context.fillRect(stage.lit * 0.36 - 0.012, -0.66, 0.024, 0.56);
  });

/** A telephone standing, its screen alight with the hour's own colours. */
export const phone = (stage: Stage): Figure =>
  rigid(0.4, -1.08, context => {
    const { palette } = stage;
    context.fillStyle = across(context, -0.27, 0.27, [
      [0, lch(0.5, 0.01, 260)],
      [0.08, lch(0.24, 0.01, 260)],
      [0.92, lch(0.2, 0.01, 260)],
      [1, lch(0.62, 0.01, 260)],
    ]);
    context.beginPath();
    context.roundRect(-0.265, -1.04, 0.53, 1.05, 0.075);
    context.fill();
    context.save();
    context.beginPath();
    context.roundRect(-0.24, -1.015, 0.48, 1, 0.055);
    context.clip();
    context.fillStyle = down(context, -1, 0, [
      [0, mix(palette.accent, WHITE, 0.25)],
      [0.5, palette.accent],
      [1, palette.second],
    ]);
    context.fillRect(-0.3, -1.1, 0.6, 1.2);
    context.fillStyle = css(WHITE, 0.2);
    ellipse(context, -0.1, -0.3, 0.36, 0.3, 0.4);
    context.fillStyle = css(palette.second, 0.5);
    ellipse(context, 0.2, -0.16, 0.34, 0.26, -0.3);
    context.fillStyle = css(WHITE, 0.95);
    context.fillRect(-0.1, -0.83, 0.2, 0.022);
    context.fillRect(-0.06, -0.79, 0.12, 0.012);
    context.restore();
    context.fillStyle = 'rgb(12,12,14)';
    context.beginPath();
    context.roundRect(-0.07, -0.99, 0.14, 0.034, 0.017);
    context.fill();
    context.fillStyle = css(WHITE, 0.13);
    context.beginPath();
    for (const [x, y] of outline('0.24 -1.015, 0.02 -1.015, 0.24 -0.4')) context.lineTo(x, y);
    context.fill();
  });

export const shoe = (paint: Colour): Figure =>
  rigid(1, -0.86, context => {
    context.fillStyle = css(lch(0.95, 0.008, 90));
    context.fill(
      spline(outline('-0.78 -0.12, -0.3 -0.15, 0.3 -0.14, 0.86 -0.16, 0.92 -0.06, 0.8 0, -0.7 0, -0.82 -0.04')),
    );
    context.fillStyle = down(context, -0.8, -0.1, [
      [0, lighter(paint, 0.08)],
      [0.6, paint],
      [1, lighter(paint, -0.1)],
    ]);
    context.fill(
      spline(
        outline(
          '-0.76 -0.12, -0.8 -0.4, -0.74 -0.72, -0.5 -0.66, -0.24 -0.62, -0.06 -0.5, 0.24 -0.36, 0.66 -0.3, 0.86 -0.2, 0.84 -0.12, 0.2 -0.1',
        ),
      ),
    );
    context.fillStyle = css(lighter(paint, -0.16));
    context.fill(spline(outline('-0.7 -0.7, -0.48 -0.64, -0.26 -0.6, -0.34 -0.55, -0.62 -0.58')));
    context.fillStyle = css(WHITE, 0.92);
    context.fill(spline(outline('-0.5 -0.16, -0.2 -0.3, 0.16 -0.34, -0.16 -0.22, -0.36 -0.12')));
    context.strokeStyle = css(WHITE, 0.95);
    context.lineWidth = 0.03;
    context.lineCap = 'round';
    for (let i = 0; i < 5; i++) {
      const [x, y] = [-0.18 + i * 0.09, -0.57 + i * 0.053];
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 0.07, y + 0.1);
      context.stroke();
    }
    context.fillStyle = css(lighter(paint, -0.08));
    context.fill(spline(outline('0.5 -0.29, 0.72 -0.28, 0.87 -0.19, 0.86 -0.12, 0.6 -0.12, 0.52 -0.2')));
  });

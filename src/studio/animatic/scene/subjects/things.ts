/** A bird, a bottle, and buildings as figures, lit by the stage. */
import { css, lch, lighter, mix } from '../../prompt/palette.ts';
import { across, down, ellipse, outline, spline, tube } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { drawHouse, drawLighthouse } from './buildings.ts';
import { drawCastle } from './castle.ts';
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

export function bottle(stage: Stage): Figure {
  const { palette } = stage;
  const glass = mix(palette.accent, lch(0.5, 0.1, 40), 0.2);
  return {
    box: { left: -0.45, top: -1.08, right: 0.45, bottom: 0.06 },
    stride: 0,
    rigid: true,
    draw(context) {
      const body = spline(
        outline(
          '-0.23 -0.02, -0.24 -0.5, -0.2 -0.6, -0.09 -0.68, -0.075 -0.78, -0.075 -0.86, 0.075 -0.86, 0.075 -0.78, 0.09 -0.68, 0.2 -0.6, 0.24 -0.5, 0.23 -0.02',
        ),
      );
      context.fillStyle = across(context, -0.24, 0.24, [
        [0, lighter(glass, 0.2)],
        [0.1, lighter(glass, -0.18)],
        [0.42, lighter(glass, 0.1)],
        [0.62, glass],
        [0.88, lighter(glass, -0.24)],
        [1, lighter(glass, 0.16)],
      ]);
      context.fill(body);
      context.save();
      context.clip(body);
      context.fillStyle = down(context, -0.6, 0, [
        [0, lighter(glass, 0.16), 0],
        [0.15, lighter(glass, 0.05), 0.5],
        [1, lighter(glass, -0.2), 0.55],
      ]);
      context.fillRect(-0.3, -0.6, 0.6, 0.65);
      context.restore();
      context.fillStyle = across(context, -0.1, 0.1, [
        [0, lch(0.5, 0.06, 80)],
        [0.35, lch(0.9, 0.07, 88)],
        [0.7, lch(0.66, 0.08, 80)],
        [1, lch(0.42, 0.05, 75)],
      ]);
      context.beginPath();
      context.roundRect(-0.098, -1.02, 0.196, 0.17, 0.02);
      context.fill();
      context.fillStyle = css(lch(0.955, 0.012, 85));
      context.beginPath();
      context.roundRect(-0.15, -0.43, 0.3, 0.26, 0.012);
      context.fill();
      context.fillStyle = css(lch(0.25, 0.02, 60));
      context.fillRect(-0.09, -0.36, 0.18, 0.02);
      context.fillRect(-0.06, -0.31, 0.12, 0.01);
      context.fillRect(-0.06, -0.28, 0.12, 0.01);
      context.fillStyle = 'rgba(255,255,255,0.5)';
      context.fill(
        tube([
          [-0.18, -0.5, 0.012],
          [-0.185, -0.3, 0.014],
          [-0.18, -0.08, 0.006],
        ]),
      );
    },
  };
}

/** Buildings light themselves; the figure only carries them. */
export const lighthouse = (stage: Stage): Figure => ({
  box: { left: -0.3, top: -1.15, right: 0.3, bottom: 0.05 },
  stride: 0,
  rigid: true,
  draw: context => drawLighthouse(context, stage, { x: 0, base: 0, height: 1, distance: 0.05 }),
});
export const castle = (stage: Stage): Figure => ({
  box: { left: -0.9, top: -1.75, right: 0.9, bottom: 0.05 },
  stride: 0,
  rigid: true,
  rim: 0.6,
  draw: context => drawCastle(context, stage),
});
export const house = (stage: Stage): Figure => ({
  box: { left: -0.9, top: -1.2, right: 0.9, bottom: 0.05 },
  stride: 0,
  rigid: true,
  rim: 0.5,
  draw: context => drawHouse(context, stage, { x: 0, base: 0, height: 1, distance: 0 }),
});

/** What stands on a table: a cup, a bowl, a clock. Each stands on 0,0 and is about 1 high. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { across, type Context, ellipse, outline, spline, tube } from '../brush.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

/** From a little above, with a rosetta in its foam; steam rises. */
export const cup = (stage: Stage, glaze: Colour): Figure => ({
  box: { left: -1.05, top: -1.7, right: 1.05, bottom: 0.22 },
  stride: 0,
  draw(context, { seconds }) {
    context.fillStyle = css(lighter(glaze, -0.08));
    ellipse(context, 0, 0.02, 0.92, 0.17);
    context.fillStyle = css(lighter(glaze, 0.02));
    ellipse(context, 0, -0.01, 0.88, 0.145);
    context.fillStyle = css(lighter(glaze, -0.14), 0.6);
    ellipse(context, 0, -0.015, 0.5, 0.08);
    context.strokeStyle = css(lighter(glaze, -0.03));
    context.lineWidth = 0.085;
    context.stroke(spline(outline('0.52 -0.58, 0.76 -0.6, 0.8 -0.4, 0.66 -0.24, 0.45 -0.2'), { closed: false }));
    const side = [
      [0, lighter(glaze, -0.1)],
      [0.4, glaze],
      [0.75, lighter(glaze, 0.04)],
      [1, lighter(glaze, -0.12)],
    ] as const;
    context.fillStyle = across(context, -0.58, 0.58, side);
    context.beginPath();
    context.moveTo(-0.58, -0.66);
    context.bezierCurveTo(-0.57, -0.3, -0.42, -0.04, -0.26, -0.02);
    context.lineTo(0.26, -0.02);
    context.bezierCurveTo(0.42, -0.04, 0.57, -0.3, 0.58, -0.66);
    context.fill();
    context.fillStyle = css(lighter(glaze, 0.05));
    ellipse(context, 0, -0.66, 0.58, 0.17);
    context.fillStyle = css(lch(0.4, 0.07, 52));
    ellipse(context, 0, -0.65, 0.53, 0.145);
    context.fillStyle = css(lch(0.56, 0.08, 58));
    ellipse(context, 0, -0.645, 0.49, 0.125);
    rosetta(context);
    steam(context, stage, seconds);
  },
});

function rosetta(context: Context): void {
  context.save();
  context.translate(0, -0.645);
  context.scale(1, 0.27);
  context.strokeStyle = css(lch(0.94, 0.025, 80));
  context.lineCap = 'round';
  context.lineWidth = 0.05;
  for (let i = 0; i < 5; i++) {
    const y = 0.24 - i * 0.14;
    const wide = 0.3 - i * 0.045;
    context.beginPath();
    context.moveTo(-wide, y - 0.12);
    context.quadraticCurveTo(0, y + 0.16, wide, y - 0.12);
    context.stroke();
  }
  context.fillStyle = css(lch(0.94, 0.025, 80));
  context.fill(spline(outline('0 -0.42, 0.1 -0.52, 0.06 -0.36, 0 -0.28, -0.06 -0.36, -0.1 -0.52')));
  context.restore();
}

function steam(context: Context, stage: Stage, seconds: number): void {
  const white = mix(WHITE, stage.palette.light, 0.3);
  context.lineCap = 'round';
  for (const [x, lag] of [
    [-0.22, 0],
    [0.02, 1.7],
    [0.24, 3.1],
  ] as const)
    for (const [wide, alpha] of [
      [0.13, 0.07],
      [0.07, 0.1],
      [0.03, 0.13],
    ] as const) {
      context.strokeStyle = css(white, alpha * (0.7 + 0.3 * Math.sin(seconds * 0.9 + lag)));
      context.lineWidth = wide;
      context.beginPath();
      for (let i = 0; i <= 12; i++) {
        const t = i / 12;
        context.lineTo(x + Math.sin(t * 5 - seconds * 1.4 + lag) * 0.11 * t, -0.72 - t * 0.8);
      }
      context.stroke();
    }
}

/** Noodles, an egg, greens, two sticks across. */
export const bowl = (stage: Stage, glaze: Colour): Figure => ({
  box: { left: -1.05, top: -1.6, right: 1.05, bottom: 0.12 },
  stride: 0,
  draw(context, { seconds }) {
    context.fillStyle = across(context, -0.9, 0.9, [
      [0, lighter(glaze, -0.16)],
      [0.45, glaze],
      [0.8, lighter(glaze, 0.07)],
      [1, lighter(glaze, -0.1)],
    ]);
    context.beginPath();
    context.moveTo(-0.9, -0.56);
    context.bezierCurveTo(-0.84, -0.2, -0.5, -0.03, -0.3, -0.02);
    context.lineTo(-0.28, 0.05);
    context.lineTo(0.28, 0.05);
    context.lineTo(0.3, -0.02);
    context.bezierCurveTo(0.5, -0.03, 0.84, -0.2, 0.9, -0.56);
    context.fill();
    context.fillStyle = css(lighter(glaze, 0.08));
    ellipse(context, 0, -0.56, 0.9, 0.24);
    context.fillStyle = css(lch(0.6, 0.11, 62));
    ellipse(context, 0, -0.55, 0.83, 0.205);
    context.save();
    context.beginPath();
    context.ellipse(0, -0.55, 0.83, 0.205, 0, 0, Math.PI * 2);
    context.clip();
    context.lineCap = 'round';
    context.lineWidth = 0.03;
    for (let i = 0; i < 26; i++) {
      context.strokeStyle = css(lch(0.87 - (i % 3) * 0.04, 0.08, 88));
      const [x, y] = [-0.5 + ((i * 0.37) % 0.9), -0.6 + ((i * 0.173) % 0.15)];
      context.stroke(
        spline(
          [
            [x - 0.2, y],
            [x - 0.06, y + 0.05],
            [x + 0.08, y - 0.03],
            [x + 0.24, y + 0.03],
          ],
          { closed: false },
        ),
      );
    }
    for (const [x, y] of outline('-0.52 -0.6, -0.44 -0.5, -0.36 -0.62, 0.58 -0.6')) {
      context.fillStyle = css(lch(0.56, 0.13, 138));
      ellipse(context, x, y, 0.1, 0.035, x);
    }
    for (const [x, y] of outline('0.28 -0.58, 0.5 -0.5')) {
      context.fillStyle = css(lch(0.97, 0.01, 90));
      ellipse(context, x, y, 0.15, 0.075, -0.2);
      context.fillStyle = css(lch(0.76, 0.16, 68));
      ellipse(context, x, y, 0.082, 0.044, -0.2);
    }
    context.restore();
    context.fillStyle = css(lch(0.36, 0.07, 40));
    for (const lift of [0, 0.06])
      context.fill(
        tube([
          [-1, -0.78 - lift, 0.012],
          [0.9, -0.62 - lift * 2.2, 0.02],
        ]),
      );
    steam(context, stage, seconds);
  },
});

/** A clock with a case of brass; its second hand goes. */
export const clock = (stage: Stage, metal: Colour): Figure => ({
  box: { left: -0.6, top: -1.16, right: 0.6, bottom: 0.06 },
  stride: 0,
  draw(context, { seconds }) {
    const [x, y, r] = [0, -0.56, 0.54];
    const rim = context.createLinearGradient(-r, -1.1, r, 0);
    rim.addColorStop(0, css(lighter(metal, 0.2)));
    rim.addColorStop(0.4, css(metal));
    rim.addColorStop(0.6, css(lighter(metal, 0.24)));
    rim.addColorStop(1, css(lighter(metal, -0.24)));
    context.fillStyle = rim;
    for (const side of [-1, 1])
      context.fill(
        tube([
          [side * 0.3, -0.12, 0.05],
          [side * 0.4, 0.02, 0.035],
        ]),
      );
    ellipse(context, x, y, r, r);
    const face = context.createRadialGradient(-0.12, y - 0.16, 0.05, x, y, r);
    face.addColorStop(0, css(lch(0.97, 0.015, 85)));
    face.addColorStop(1, css(mix(lch(0.86, 0.03, 80), stage.palette.near, 0.12)));
    context.fillStyle = face;
    ellipse(context, x, y, r * 0.88, r * 0.88);
    const ink = lch(0.2, 0.015, 270);
    context.strokeStyle = css(ink);
    for (let i = 0; i < 60; i++) {
      const angle = (i * Math.PI) / 30;
      const hour = i % 5 === 0;
      context.lineWidth = hour ? 0.022 : 0.006;
      context.beginPath();
      context.moveTo(x + Math.sin(angle) * r * 0.82, y - Math.cos(angle) * r * 0.82);
      context.lineTo(x + Math.sin(angle) * r * (hour ? 0.7 : 0.77), y - Math.cos(angle) * r * (hour ? 0.7 : 0.77));
      context.stroke();
    }
    const hand = (angle: number, long: number, wide: number, colour: Colour) => {
      context.strokeStyle = css(colour);
      context.lineCap = 'round';
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x - Math.sin(angle) * long * 0.16, y + Math.cos(angle) * long * 0.16);
      context.lineTo(x + Math.sin(angle) * long, y - Math.cos(angle) * long);
      context.stroke();
    };
    hand(5.28 + seconds * 0.0002, r * 0.46, 0.034, ink);
    hand(0.96 + seconds * 0.0017, r * 0.68, 0.024, ink);
    // The second hand jumps and trembles, as they do.
    const tick = Math.floor(seconds) + Math.min(1, (seconds % 1) * 9);
    hand((tick * Math.PI) / 30 + 3.6, r * 0.74, 0.011, lch(0.58, 0.2, 27));
    context.fillStyle = css(lch(0.58, 0.2, 27));
    ellipse(context, x, y, 0.03, 0.03);
    context.fillStyle = css(WHITE, 0.2);
    context.fill(spline(outline('-0.4 -0.62, -0.3 -0.86, -0.06 -0.99, 0.1 -0.98, -0.16 -0.8, -0.3 -0.56')));
  },
});

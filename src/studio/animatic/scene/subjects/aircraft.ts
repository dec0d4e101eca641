/** What people fly: balloons, aeroplanes, rockets, a kite on its string. As figures, lit by the stage. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { across, type Context, down, ellipse, outline, spline } from '../brush.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

/** Gores of two colours, a basket on ropes, the burner's glow. The origin is the basket's floor; about 1.5 high. */
export function balloon(stage: Stage, colours: readonly [Colour, Colour]): Figure {
  return {
    box: { left: -0.62, top: -1.58, right: 0.62, bottom: 0.06 },
    stride: 0,
    draw(context, { seconds }) {
      const envelope = spline(
        outline(
          '-0.1 -0.34, -0.3 -0.56, -0.5 -0.86, -0.54 -1.08, -0.44 -1.34, -0.2 -1.5, 0 -1.53, 0.2 -1.5, 0.44 -1.34, 0.54 -1.08, 0.5 -0.86, 0.3 -0.56, 0.1 -0.34',
        ),
      );
      context.save();
      context.clip(envelope);
      for (let i = 0; i < 9; i++) {
        // Gores seen from the side grow narrower towards the rim.
        const edge = (k: number) => Math.sin((k / 9 - 0.5) * Math.PI) * 0.56;
        const [a, b] = [edge(i), edge(i + 1)];
        context.fillStyle = css(i % 2 === 0 ? colours[0] : colours[1]);
        context.beginPath();
        context.moveTo(a * 0.1, -1.55);
        context.bezierCurveTo(a * 1.05, -1.4, a * 1.05, -0.8, a * 0.2, -0.32);
        context.lineTo(b * 0.2, -0.32);
        context.bezierCurveTo(b * 1.05, -0.8, b * 1.05, -1.4, b * 0.1, -1.55);
        context.fill();
      }
      context.fillStyle = down(context, -1.5, -0.3, [
        [0, WHITE, 0.28],
        [0.4, WHITE, 0],
        [1, lch(0.2, 0.02, 280), 0.4],
      ]);
      context.fillRect(-0.6, -1.6, 1.2, 1.4);
      if (stage.dark) {
        context.globalCompositeOperation = 'screen';
        const fire = context.createRadialGradient(0, -0.5, 0, 0, -0.6, 0.6);
        const strength = 0.6 + 0.4 * Math.max(0, Math.sin(seconds * 1.6)) ** 3;
        fire.addColorStop(0, css(lch(0.9, 0.13, 75), 0.8 * strength));
        fire.addColorStop(1, css(lch(0.8, 0.14, 60), 0));
        context.fillStyle = fire;
        context.fillRect(-0.6, -1.6, 1.2, 1.4);
      }
      context.restore();
      context.strokeStyle = css(lch(0.3, 0.03, 50), 0.8);
      context.lineWidth = 0.007;
      for (const x of [-0.1, -0.04, 0.04, 0.1]) {
        context.beginPath();
        context.moveTo(x, -0.35);
        context.lineTo(x * 0.85, -0.13);
        context.stroke();
      }
      context.fillStyle = css(lch(0.42, 0.06, 55));
      context.beginPath();
      context.roundRect(-0.1, -0.14, 0.2, 0.14, 0.02);
      context.fill();
      context.fillStyle = css(lch(0.32, 0.05, 50));
      context.fillRect(-0.108, -0.15, 0.216, 0.026);
      context.fillStyle = css(lch(0.93, 0.13, 85));
      ellipse(context, 0, -0.26, 0.014, 0.03 + 0.014 * Math.sin(seconds * 11));
    },
  };
}

/** An airliner from the side, nose to the right. */
export const plane: Figure = {
  box: { left: -1.1, top: -0.55, right: 1.1, bottom: 0.4 },
  stride: 0,
  rigid: true,
  draw(context) {
    const skin = lch(0.93, 0.008, 240);
    const trim = lch(0.48, 0.14, 255);
    context.fillStyle = css(lighter(skin, -0.16));
    context.fill(spline(outline('-0.1 -0.06, 0.1 -0.08, -0.2 -0.3, -0.3 -0.3')));
    context.fillStyle = css(trim);
    context.beginPath();
    for (const [x, y] of outline('-0.96 -0.12, -1.06 -0.5, -0.9 -0.5, -0.6 -0.14')) context.lineTo(x, y);
    context.fill();
    context.fillStyle = down(context, -0.16, 0.14, [
      [0, skin],
      [0.55, lighter(skin, -0.05)],
      [1, lighter(skin, -0.3)],
    ]);
    context.fill(
      spline(
        outline(
          '-1.04 -0.14, -0.6 -0.16, 0.2 -0.165, 0.72 -0.14, 0.94 -0.06, 1.02 0.01, 0.9 0.07, 0.5 0.105, -0.3 0.1, -0.8 0.0, -1.06 -0.1',
        ),
      ),
    );
    context.fillStyle = css(trim, 0.9);
    context.fill(
      spline(outline('-1 -0.07, -0.4 0.005, 0.4 0.015, 0.94 0, 0.9 0.03, 0.3 0.045, -0.5 0.035, -0.98 -0.05')),
    );
    context.fillStyle = css(lch(0.3, 0.03, 250));
    for (let i = 0; i < 19; i++) {
      context.beginPath();
      context.roundRect(-0.56 + i * 0.062, -0.085, 0.026, 0.04, 0.01);
      context.fill();
    }
    context.fill(spline(outline('0.78 -0.09, 0.86 -0.075, 0.92 -0.035, 0.82 -0.035, 0.76 -0.06')));
    context.fillStyle = down(context, 0, 0.32, [
      [0, lighter(skin, -0.05)],
      [1, lighter(skin, -0.24)],
    ]);
    context.beginPath();
    for (const [x, y] of outline('0.22 0.05, -0.04 0.06, -0.5 0.34, -0.38 0.34')) context.lineTo(x, y);
    context.fill();
    context.beginPath();
    for (const [x, y] of outline('-0.82 -0.08, -0.68 -0.06, -1.02 0.08, -1.1 0.08')) context.lineTo(x, y);
    context.fill();
    context.fillStyle = css(lighter(trim, -0.1));
    context.beginPath();
    context.roundRect(-0.2, 0.13, 0.27, 0.1, 0.05);
    context.fill();
  },
};

/** A rocket on its flame; the origin is the nozzle. */
export const rocket: Figure = {
  box: { left: -0.5, top: -1.2, right: 0.5, bottom: 1.1 },
  stride: 0,
  draw(context, { seconds }) {
    flame(context, seconds);
    const skin = lch(0.93, 0.008, 90);
    const trim = lch(0.55, 0.19, 28);
    for (const side of [-1, 1]) {
      context.fillStyle = css(lighter(trim, side === 1 ? 0 : -0.12));
      context.beginPath();
      context.moveTo(side * 0.12, -0.36);
      context.quadraticCurveTo(side * 0.32, -0.22, side * 0.3, 0.04);
      context.quadraticCurveTo(side * 0.22, -0.04, side * 0.12, -0.04);
      context.fill();
    }
    context.fillStyle = css(lch(0.3, 0.012, 260));
    context.fillRect(-0.08, -0.05, 0.16, 0.06);
    const body = spline(
      outline(
        '-0.12 -0.03, -0.165 -0.4, -0.155 -0.74, -0.09 -1, 0 -1.14, 0.09 -1, 0.155 -0.74, 0.165 -0.4, 0.12 -0.03',
      ),
    );
    context.fillStyle = across(context, -0.17, 0.17, [
      [0, lighter(skin, -0.26)],
      [0.45, skin],
      [0.75, skin],
      [1, lighter(skin, -0.1)],
    ]);
    context.fill(body);
    context.save();
    context.clip(body);
    context.fillStyle = css(trim);
    context.fillRect(-0.2, -1.2, 0.4, 0.27);
    context.fillRect(-0.2, -0.3, 0.4, 0.05);
    context.restore();
    context.fillStyle = css(lch(0.36, 0.03, 250));
    ellipse(context, 0, -0.68, 0.075, 0.075);
    context.fillStyle = css(lch(0.72, 0.08, 220));
    ellipse(context, 0, -0.68, 0.054, 0.054);
    context.fillStyle = css(WHITE, 0.75);
    ellipse(context, 0.018, -0.702, 0.018, 0.012, -0.5);
  },
};

function flame(context: Context, seconds: number): void {
  const flicker = 1 + 0.12 * Math.sin(seconds * 31) + 0.08 * Math.sin(seconds * 47 + 1);
  for (const [colour, wide, long, alpha] of [
    [lch(0.66, 0.19, 42), 0.17, 1, 0.7],
    [lch(0.82, 0.16, 72), 0.12, 0.74, 0.9],
    [lch(0.97, 0.06, 95), 0.065, 0.44, 1],
  ] as const) {
    const tall = long * flicker;
    context.fillStyle = down(context, 0, tall, [
      [0, colour, alpha],
      [0.6, colour, alpha * 0.7],
      [1, colour, 0],
    ]);
    context.beginPath();
    context.moveTo(-wide * 0.5, 0);
    context.bezierCurveTo(-wide * 1.5, tall * 0.35, -wide * 0.4, tall * 0.7, 0, tall);
    context.bezierCurveTo(wide * 0.4, tall * 0.7, wide * 1.5, tall * 0.35, wide * 0.5, 0);
    context.fill();
  }
}

export interface Kite {
  readonly colours: readonly [Colour, Colour];
}

/** A kite with a tail of bows; the origin is where its string is tied. */
export const kite = ({ colours }: Kite): Figure => ({
  box: { left: -1.1, top: -0.75, right: 0.75, bottom: 1.7 },
  stride: 0,
  draw(context, { seconds }) {
    const [one, two] = colours;
    const sails = [
      [one, '0 -0.66, 0.46 -0.12, 0 0'],
      [two, '0 -0.66, -0.46 -0.12, 0 0'],
      [lighter(two, -0.07), '0 0.66, 0.46 -0.12, 0 0'],
      [lighter(one, -0.07), '0 0.66, -0.46 -0.12, 0 0'],
    ] as const;
    context.save();
    context.rotate(0.32 + Math.sin(seconds * 1.7) * 0.07);
    for (const [colour, points] of sails) {
      context.fillStyle = css(colour);
      context.beginPath();
      for (const [x, y] of outline(points)) context.lineTo(x, y - 0.12);
      context.fill();
    }
    context.strokeStyle = css(mix(one, WHITE, 0.7), 0.8);
    context.lineWidth = 0.016;
    context.beginPath();
    context.moveTo(0, -0.78);
    context.lineTo(0, 0.54);
    context.moveTo(-0.46, -0.24);
    context.lineTo(0.46, -0.24);
    context.stroke();
    context.restore();
    const tail = (t: number): readonly [number, number] => [
      -0.17 - 0.55 * t + Math.sin(seconds * 3.4 - t * 7) * 0.11 * t,
      0.5 + 1.05 * t,
    ];
    context.lineWidth = 0.013;
    context.beginPath();
    for (let i = 0; i <= 20; i++) context.lineTo(...tail(i / 20));
    context.stroke();
    for (let i = 1; i <= 4; i++) {
      const [x, y] = tail(i / 4.4);
      context.fillStyle = css(i % 2 === 0 ? one : two);
      for (const side of [-1, 1]) ellipse(context, x + side * 0.06, y, 0.06, 0.033, side * 0.5);
    }
  },
});

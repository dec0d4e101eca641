/** What rolls: a car, a train. As figures, lit by the stage. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, down, ellipse, outline, spline } from '../brush.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

export function car(stage: Stage, paint: Colour): Figure {
  const glass = mix(stage.palette.sky[1], lch(0.25, 0.02, 250), 0.5);
  return {
    box: { left: -1.1, top: -0.75, right: 1.15, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      context.fillStyle = 'rgba(14,14,18,0.9)';
      context.fillRect(-0.9, -0.2, 1.8, 0.12);
      context.fillStyle = down(context, -0.66, -0.08, [
        [0, lighter(paint, 0.1)],
        [0.45, paint],
        [0.62, lighter(paint, -0.12)],
        [1, lighter(paint, -0.2)],
      ]);
      context.fill(
        spline(
          outline(
            '-1 -0.14, -1.02 -0.28, -0.92 -0.38, -0.62 -0.42, -0.42 -0.61, -0.2 -0.67, 0.12 -0.66, 0.36 -0.58, 0.56 -0.42, 0.88 -0.37, 1.02 -0.28, 1.04 -0.14, 0.6 -0.1, -0.6 -0.1',
          ),
        ),
      );
      context.fillStyle = css(glass);
      context.fill(spline(outline('-0.52 -0.43, -0.38 -0.57, -0.2 -0.615, -0.06 -0.615, -0.06 -0.43')));
      context.fill(spline(outline('0 -0.43, 0 -0.615, 0.16 -0.605, 0.34 -0.54, 0.47 -0.43')));
      context.strokeStyle = 'rgba(255,255,255,0.5)';
      context.lineWidth = 0.012;
      context.stroke(spline(outline('-0.36 -0.555, -0.2 -0.6, 0.14 -0.6, 0.33 -0.53'), { closed: false }));
      context.stroke(spline(outline('-0.95 -0.33, 0 -0.37, 0.98 -0.3'), { closed: false }));
      for (const x of [-0.6, 0.62]) wheel(context, x, seconds);
      context.fillStyle = css(mix(stage.palette.light, WHITE, 0.5));
      ellipse(context, 0.98, -0.27, 0.045, 0.035);
      context.fillStyle = 'rgb(225,50,42)';
      context.fillRect(-1.02, -0.32, 0.05, 0.07);
    },
  };
}

function wheel(context: Context, x: number, seconds: number): void {
  context.fillStyle = 'rgb(18,18,21)';
  ellipse(context, x, -0.14, 0.17, 0.17);
  context.fillStyle = 'rgb(150,152,158)';
  ellipse(context, x, -0.14, 0.105, 0.105);
  context.strokeStyle = 'rgb(50,50,56)';
  context.lineWidth = 0.024;
  for (let i = 0; i < 5; i++) {
    const angle = seconds * 9 + (i * Math.PI * 2) / 5;
    context.beginPath();
    context.moveTo(x, -0.14);
    context.lineTo(x + Math.cos(angle) * 0.1, -0.14 + Math.sin(angle) * 0.1);
    context.stroke();
  }
}

export function train(stage: Stage): Figure {
  const paint = lch(0.45, 0.1, 25);
  const steams = stage.shot.extras.includes('steam engine');
  return {
    box: { left: -4.2, top: steams ? -2.4 : -0.95, right: 4.2, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      for (let i = -2; i <= 2; i++) {
        const x = i * 1.62;
        if (steams && i === 2) {
          engine(context, stage, x, seconds);
          continue;
        }
        context.fillStyle = down(context, -0.84, -0.1, [
          [0, lighter(paint, 0.1)],
          [0.3, paint],
          [1, lighter(paint, -0.14)],
        ]);
        context.beginPath();
        context.roundRect(x - 0.78, -0.84, 1.56, 0.72, i === 2 ? [0.08, 0.3, 0.05, 0.05] : 0.07);
        context.fill();
        context.fillStyle = css(lch(0.88, 0.02, 90), 0.9);
        context.fillRect(x - 0.78, -0.36, 1.56, 0.035);
        context.fillStyle = css(stage.dark ? lch(0.9, 0.11, 82) : mix(stage.palette.sky[2], lch(0.4, 0.04, 240), 0.4));
        for (let w = 0; w < 5; w++) context.fillRect(x - 0.66 + w * 0.28, -0.68, 0.2, 0.22);
        for (const at of [-0.52, -0.3, 0.3, 0.52]) wheel2(context, x + at, seconds);
      }
    },
  };
}

function wheel2(context: Context, x: number, seconds: number): void {
  context.fillStyle = 'rgb(26,25,28)';
  ellipse(context, x, -0.09, 0.09, 0.09);
  context.fillStyle = 'rgb(90,90,96)';
  ellipse(context, x + Math.cos(seconds * 8) * 0.03, -0.09 + Math.sin(seconds * 8) * 0.03, 0.025, 0.025);
}

/** A steam engine: boiler, cab, chimney, rods that go round, and its breath drawn out behind. */
function engine(context: Context, stage: Stage, x: number, seconds: number): void {
  const iron = lch(0.27, 0.015, 260);
  const red = lch(0.5, 0.16, 28);
  const white = mix(WHITE, stage.palette.light, 0.3);
  for (let i = 0; i < 12; i++) {
    const t = (i / 12 + seconds * 0.42) % 1;
    context.fillStyle = css(mix(white, stage.palette.near, stage.palette.dark * 0.7), 0.5 * (1 - t) ** 1.3);
    const size = 0.1 + 0.34 * t;
    ellipse(context, x + 0.46 - t * 2.6, -1.16 - t * 0.8 + Math.sin(t * 9 + i) * 0.05, size * 1.3, size);
  }
  context.fillStyle = down(context, -0.8, -0.2, [
    [0, lighter(iron, 0.16)],
    [0.35, iron],
    [1, lighter(iron, -0.1)],
  ]);
  context.beginPath();
  context.roundRect(x - 0.5, -0.74, 1.22, 0.44, [0.04, 0.2, 0.2, 0.04]);
  context.fill();
  context.fillStyle = css(red);
  context.fillRect(x - 0.78, -0.96, 0.4, 0.62);
  context.fillRect(x - 0.78, -0.32, 1.56, 0.09);
  context.fillStyle = css(lighter(iron, -0.04));
  context.fillRect(x - 0.84, -1.02, 0.52, 0.07);
  context.fill(
    spline(
      outline(
        `${x + 0.36} -0.72, ${x + 0.38} -1, ${x + 0.32} -1.08, ${x + 0.6} -1.08, ${x + 0.54} -1, ${x + 0.56} -0.72`,
      ),
    ),
  );
  context.fill(spline(outline(`${x - 0.04} -0.72, ${x} -0.86, ${x + 0.14} -0.86, ${x + 0.18} -0.72`)));
  context.beginPath();
  for (const [px, py] of outline(`${x + 0.72} -0.3, ${x + 0.98} -0.04, ${x + 0.7} -0.04`)) context.lineTo(px, py);
  context.fill();
  context.fillStyle = css(stage.dark ? lch(0.9, 0.11, 82) : mix(stage.palette.sky[2], lch(0.4, 0.04, 240), 0.4));
  context.fillRect(x - 0.7, -0.86, 0.22, 0.22);
  context.fillStyle = css(lch(0.96, 0.06, 90));
  ellipse(context, x + 0.74, -0.58, 0.05, 0.06);
  const turn = seconds * 6;
  for (const [at, size] of [
    [-0.5, 0.2],
    [-0.06, 0.2],
    [0.36, 0.13],
    [0.62, 0.13],
  ] as const) {
    context.fillStyle = css(lighter(iron, -0.06));
    ellipse(context, x + at, -size, size, size);
    context.fillStyle = css(red);
    ellipse(context, x + at, -size, size * 0.66, size * 0.66);
    context.fillStyle = css(lighter(iron, 0.1));
    ellipse(context, x + at, -size, size * 0.22, size * 0.22);
  }
  context.strokeStyle = css(lch(0.72, 0.01, 250));
  context.lineWidth = 0.045;
  context.beginPath();
  context.moveTo(x - 0.5 + Math.cos(turn) * 0.1, -0.2 + Math.sin(turn) * 0.1);
  context.lineTo(x - 0.06 + Math.cos(turn) * 0.1, -0.2 + Math.sin(turn) * 0.1);
  context.stroke();
}

/** Subjects that are neither people nor four-legged: birds, whales, cars, trains, ships, a bottle on its table. As figures, lit by the stage. */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../palette.ts';
import { across, type Context, down, ellipse, outline, spline, tube } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { drawHouse, drawLighthouse } from './buildings.ts';
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

export const ship: Figure = {
  box: { left: -0.95, top: -1.4, right: 1, bottom: 0.12 },
  stride: 0,
  draw(context, { seconds }) {
    const sail = lch(0.92, 0.025, 85);
    const hull = lch(0.36, 0.06, 40);
    const belly = Math.sin(seconds * 0.9) * 0.02;
    context.strokeStyle = css(lch(0.32, 0.04, 50));
    context.lineWidth = 0.026;
    context.beginPath();
    context.moveTo(0, -0.1);
    context.lineTo(0, -1.3);
    context.stroke();
    context.lineWidth = 0.006;
    for (const end of [-0.7, 0.78]) {
      context.beginPath();
      context.moveTo(0, -1.28);
      context.lineTo(end, -0.16);
      context.stroke();
    }
    context.fillStyle = across(context, 0, 0.66, [
      [0, lighter(sail, -0.1)],
      [0.6, sail],
      [1, lighter(sail, -0.06)],
    ]);
    context.fill(
      spline([
        [0.03, -1.24],
        [0.34 + belly, -0.86],
        [0.62 + belly, -0.28],
        [0.34, -0.25],
        [0.03, -0.22],
      ]),
    );
    context.fillStyle = css(lighter(sail, -0.12));
    context.fill(
      spline([
        [-0.03, -1.16],
        [-0.3 + belly, -0.7],
        [-0.6, -0.24],
        [-0.3, -0.22],
        [-0.04, -0.22],
      ]),
    );
    context.strokeStyle = css(lighter(sail, -0.2), 0.5);
    for (const y of [-0.95, -0.7, -0.48])
      context.stroke(
        spline(
          [
            [0.03, y],
            [0.26 + belly, y + 0.01],
            [0.1 + (y + 1.24) * 0.6, y + 0.02],
          ],
          { closed: false },
        ),
      );
    context.fillStyle = down(context, -0.16, 0.1, [
      [0, lighter(hull, 0.08)],
      [0.3, hull],
      [1, lighter(hull, -0.1)],
    ]);
    context.fill(spline(outline('-0.76 -0.15, 0 -0.11, 0.9 -0.2, 0.72 0.02, 0.54 0.09, -0.52 0.09, -0.68 0.02')));
    context.strokeStyle = css(WHITE, 0.7);
    context.lineWidth = 0.014;
    context.stroke(spline(outline('-0.74 -0.12, 0 -0.08, 0.87 -0.165'), { closed: false }));
  },
};

export function train(stage: Stage): Figure {
  const paint = lch(0.45, 0.1, 25);
  return {
    box: { left: -4.2, top: -0.95, right: 4.2, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      for (let i = -2; i <= 2; i++) {
        const x = i * 1.62;
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
export const house = (stage: Stage): Figure => ({
  box: { left: -0.9, top: -1.2, right: 0.9, bottom: 0.05 },
  stride: 0,
  rigid: true,
  rim: 0.5,
  draw: context => drawHouse(context, stage, { x: 0, base: 0, height: 1, distance: 0 }),
});

/** What grows on some heads: antlers, horns, manes, a trunk with its ears. From the side, as `quadruped-head.ts` places them. */
import { css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Context, type Joint, type Point, spline, tube } from '../brush.ts';
import type { Breed } from './breeds.ts';

export function antlers(context: Context, breed: Breed, [x, y]: Point): void {
  context.strokeStyle = css(mix(breed.dark, breed.under, 0.4));
  context.lineCap = 'round';
  for (const [lean, width] of [
    [0.12, 0.016],
    [-0.02, 0.021],
  ] as const) {
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y);
    context.bezierCurveTo(x - 0.12 + lean, y - 0.1, x - 0.14 + lean, y - 0.25, x + 0.02 + lean, y - 0.4);
    context.stroke();
    context.lineWidth = width * 0.7;
    for (const [bx, by, tx, ty] of [
      [-0.05, -0.09, 0.1, -0.18],
      [-0.09, -0.19, 0.04, -0.3],
      [-0.075, -0.28, -0.13, -0.4],
    ] as const) {
      context.beginPath();
      context.moveTo(x + bx + lean * 0.6, y + by);
      context.quadraticCurveTo(x + (bx + tx) / 2 + lean + 0.03, y + by * 0.5 + ty * 0.5, x + tx + lean, y + ty);
      context.stroke();
    }
  }
}

export function mane(context: Context, breed: Breed, withers: Point, skull: Point, thick: number): void {
  context.fillStyle = css(breed.dark);
  context.fill(
    tube(
      [
        [skull[0] + 0.05, skull[1] - thick * 0.62, 0.02],
        [skull[0] - thick * 0.5, skull[1] - thick * 0.3, 0.055],
        [withers[0] - thick * 0.1, withers[1] - thick * 0.85, 0.06],
        [withers[0] - thick * 0.85, withers[1] - thick * 0.2, 0.012],
      ],
      { nap: 0.02 },
    ),
  );
}

/** The mane of a lion: locks around the face and down the chest, darker at their ends. */
export function lionsMane(context: Context, breed: Breed, withers: Point, skull: Point, seconds: number): void {
  const mane = breed.collar ?? breed.dark;
  const round = breed.head[1];
  const sway = Math.sin(seconds * 1.4) * 0.008;
  for (const [grow, tone] of [
    [1.12, -0.12],
    [1, -0.02],
    [0.78, 0.07],
  ] as const) {
    context.fillStyle = css(lighter(mane, tone));
    context.fill(
      tube(
        [
          [skull[0] + round * 0.3, skull[1] - round * 0.75, round * 0.55 * grow],
          [skull[0] - round * 0.5, skull[1] - round * 0.45, round * 1.0 * grow],
          [skull[0] - round * 0.75 + sway, skull[1] + round * 0.55, round * 1.25 * grow],
          [(skull[0] + withers[0]) / 2 + sway, withers[1] + breed.torso * 0.75, round * 1.1 * grow],
          [withers[0] + 0.05 + sway, withers[1] + breed.torso * 1.35, round * 0.5 * grow],
        ],
        { nap: 0.034, steps: 7 },
      ),
    );
  }
}

export function horn(context: Context, breed: Breed, [x, y]: Point, tone: number): void {
  context.fillStyle = css(mix(lch(0.88, 0.03, 80), breed.dark, 0.35 * (1 - tone) + 0.08));
  context.fill(
    tube([
      [x, y, 0.022],
      [x + 0.03, y - 0.07, 0.018],
      [x + 0.085, y - 0.105, 0.004],
    ]),
  );
}

/** Hangs from the brow, curls at its end, and swings; a tusk before it. */
export function trunk(context: Context, breed: Breed, tip: Point, jaw: Point, seconds: number): void {
  const swing = Math.sin(seconds * 0.9) * 0.05;
  const ground = -0.1;
  const line: Joint[] = [
    [tip[0] - 0.06, tip[1] - 0.06, 0.13],
    [tip[0] + 0.05, tip[1] + 0.1, 0.096],
    [tip[0] + 0.07 + swing * 0.4, (tip[1] + ground) / 2 - 0.05, 0.07],
    [tip[0] + 0.07 + swing, ground - 0.13, 0.052],
    [tip[0] + 0.14 + swing * 1.2, ground - 0.05, 0.04],
    [tip[0] + 0.21 + swing * 1.2, ground - 0.1, 0.032],
  ];
  context.fillStyle = css(lighter(breed.coat, -0.03));
  context.fill(tube(line));
  context.strokeStyle = css(lighter(breed.coat, -0.12), 0.5);
  context.lineWidth = 0.006;
  for (const [x, y, r] of line.slice(1, 5))
    for (const k of [-0.05, 0, 0.05]) {
      context.beginPath();
      context.moveTo(x - r * 0.85, y + k - 0.01);
      context.quadraticCurveTo(x, y + k + 0.016, x + r * 0.85, y + k - 0.01);
      context.stroke();
    }
  context.fillStyle = css(lch(0.93, 0.03, 85));
  context.fill(
    tube([
      [jaw[0] + 0.05, jaw[1] + 0.06, 0.026],
      [jaw[0] + 0.14, jaw[1] + 0.19, 0.022],
      [jaw[0] + 0.3, jaw[1] + 0.2, 0.005],
    ]),
  );
}

/** An elephant's ear, flapping slowly. */
export function fan(context: Context, breed: Breed, [x, y]: Point, seconds: number): void {
  const { size } = breed.ears;
  const open = 1 + Math.sin(seconds * 1.1) * 0.06;
  const shape = (k: number) =>
    spline([
      [x + size * 0.12 * k, y - size * 0.42 * k],
      [x - size * 0.5 * k * open, y - size * 0.5 * k],
      [x - size * 0.86 * k * open, y - size * 0.1 * k],
      [x - size * 0.72 * k * open, y + size * 0.5 * k],
      [x - size * 0.3 * k * open, y + size * 0.98 * k],
      [x - size * 0.02 * k, y + size * 0.5 * k],
      [x + size * 0.14 * k, y + size * 0.05 * k],
    ]);
  context.fillStyle = css(lighter(breed.coat, -0.11));
  context.fill(shape(1.05));
  context.fillStyle = css(lighter(breed.coat, -0.045));
  context.fill(shape(1));
  context.fillStyle = css(mix(breed.coat, lch(0.62, 0.05, 30), 0.35), 0.5);
  context.fill(shape(0.66));
}

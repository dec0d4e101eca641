/** The head of a four-legged animal from the side, its neck, and what grows on them: ears, antlers, horns, manes, a trunk. */
import { css, lighter, mix } from '../../prompt/palette.ts';
import { type Context, ellipse, type Joint, type Point, tube } from '../brush.ts';
import type { Breed } from './breeds.ts';
import { antlers, fan, horn, lionsMane, mane, trunk } from './horns-and-manes.ts';

interface Carriage {
  /** Up or down, in the figure's units. */
  readonly nod: number;
  readonly seconds: number;
  readonly asleep?: boolean;
}

export function headAndNeck(
  context: Context,
  breed: Breed,
  withers: Point,
  { nod, seconds, asleep = false }: Carriage,
): void {
  const [dx, dy, thick] = breed.neck;
  const [long, round, muzzle, hang] = breed.head;
  const skull: Point = [withers[0] + dx, withers[1] + dy + nod * 0.22];
  const turn = hang + nod * 0.5;
  const from = (along: number, aside: number): Point => [
    skull[0] + Math.cos(turn) * along - Math.sin(turn) * aside,
    skull[1] + Math.sin(turn) * along + Math.cos(turn) * aside,
  ];
  const tip = from(long, round * 0.34);
  const neck: Joint[] = [
    [withers[0] - 0.05, withers[1] + breed.torso * 0.5, thick * 1.25],
    [
      withers[0] + dx * 0.5,
      withers[1] + dy * 0.5 + (breed.hump ? 0.15 : breed.neck[1] < -0.5 ? 0.16 : 0.02),
      thick * 1.02,
    ],
    [skull[0] - 0.01, skull[1] + 0.012, thick * 0.86],
  ];
  if (breed.collar) lionsMane(context, breed, withers, skull, seconds);
  if (breed.antlers) antlers(context, breed, from(-0.01, -round * 0.8));
  if (breed.horns) horn(context, breed, from(0.02, -round * 0.8), 0.6);
  if (!breed.trunk) ear(context, breed, from(0.035, -round * 0.62), turn, 0.07, seconds);
  context.fillStyle = css(breed.coat);
  context.fill(tube(neck, { nap: breed.nap }));
  if (breed.pattern === 'stripes') rings(context, breed, neck);
  if (breed.under.l > breed.coat.l + 0.1 && !breed.collar) {
    context.save();
    context.clip(tube(neck, { nap: breed.nap }));
    context.fillStyle = css(breed.under, 0.92);
    context.fill(
      tube(
        [
          [withers[0] + dx * 0.5 + thick * 0.6, withers[1] + breed.torso * 0.75, thick * 0.55],
          [withers[0] + dx * 0.75 + thick * 0.62, withers[1] + dy * 0.45 + 0.03, thick * 0.5],
          [skull[0] + thick * 0.66, skull[1] + thick * 0.72, thick * 0.42],
        ],
        { nap: breed.nap * 1.4 },
      ),
    );
    context.restore();
  }
  if (breed.mane) mane(context, breed, withers, skull, thick);
  const head: Joint[] = [
    [skull[0], skull[1], round],
    [...from(long * 0.32, round * 0.06), round * 0.86],
    [...from(long * 0.68, round * 0.25), (round + muzzle) * 0.44],
    [...tip, muzzle],
  ];
  if (breed.trunk) {
    trunk(context, breed, tip, from(long * 0.5, round * 0.5), seconds);
    context.fillStyle = css(breed.coat);
    context.fill(tube(head));
    fan(context, breed, [skull[0] - round * 0.3, skull[1] + round * 0.08], seconds);
    eye(context, breed, from(long * 0.42, -round * 0.1), 0, asleep || (seconds + 2.1) % 3.7 < 0.13);
    return;
  }
  context.fillStyle = css(breed.coat);
  context.fill(tube(head, { nap: breed.nap * 0.5 }));
  if (breed.pattern === 'stripes') rings(context, breed, head);
  if (breed.pattern === 'patches') blaze(context, breed, head, from(long * 0.1, -round * 0.2), round);
  if (breed.under.l > breed.coat.l + 0.1) {
    context.save();
    context.clip(tube(head, { nap: breed.nap * 0.5 }));
    context.fillStyle = css(breed.under, 0.95);
    context.fill(
      tube(
        [
          [...from(-round * 0.1, round * 0.98), round * 0.52],
          [...from(long * 0.36, round * 0.86), round * 0.46],
          [...from(long * 0.72, round * 0.72), round * 0.3],
          [...from(long * 1.02, round * 0.66), muzzle * 0.8],
        ],
        { nap: breed.nap * 0.6 },
      ),
    );
    context.restore();
  }
  context.fillStyle = css(breed.dark);
  const nose = from(long + muzzle * 0.55, round * 0.22);
  ellipse(context, nose[0], nose[1], Math.max(0.014, muzzle * 0.62), Math.max(0.012, muzzle * 0.52), turn);
  context.strokeStyle = css(breed.dark, 0.7);
  context.lineWidth = 0.007;
  context.beginPath();
  context.moveTo(...from(long * 0.98, round * 0.58));
  context.quadraticCurveTo(...from(long * 0.75, round * 0.74), ...from(long * 0.58, round * 0.62));
  context.stroke();
  if (breed.pattern === 'panda') {
    context.fillStyle = css(breed.dark);
    const [x, y] = from(long * 0.36, -round * 0.1);
    ellipse(context, x, y, round * 0.34, round * 0.27, 0.9);
  }
  eye(context, breed, from(long * 0.34, -round * 0.2), turn, asleep || (seconds + 2.1) % 3.7 < 0.13);
  if (breed.horns) horn(context, breed, from(-round * 0.05, -round * 0.82), 1);
  ear(context, breed, from(-round * 0.2, -round * 0.6), turn, 0, seconds);
}

function eye(context: Context, breed: Breed, [x, y]: Point, turn: number, shut: boolean): void {
  const size = breed.head[1] * 0.2;
  context.save();
  context.translate(x, y);
  context.rotate(turn * 0.6);
  context.fillStyle = css(breed.dark);
  ellipse(context, 0, 0, size * 1.25, shut ? size * 0.25 : size * 0.85, -0.2);
  if (!shut) {
    context.fillStyle = css(breed.eye);
    ellipse(context, size * 0.12, 0, size * 0.62, size * 0.62);
    context.fillStyle = css(breed.dark);
    ellipse(context, size * 0.16, 0, size * 0.3, size * 0.42);
    context.fillStyle = 'rgba(255,255,255,0.95)';
    ellipse(context, size * 0.34, -size * 0.3, size * 0.2, size * 0.2);
  }
  context.restore();
}

/** How far an ear leans back, in radians. */
const LEAN = { pointed: -0.2, round: -0.2, long: -0.95, flop: 1.9, hare: -0.55, fan: 0 } as const;

function ear(context: Context, breed: Breed, [x, y]: Point, turn: number, far: number, seconds: number): void {
  const { shape, size } = breed.ears;
  const twitch = (seconds + far * 9) % 2.9 < 0.16 ? 0.16 : 0;
  context.save();
  context.translate(x, y);
  context.rotate(turn * 0.35 + LEAN[shape] - twitch + far * 3);
  const outline = (k: number) => {
    context.beginPath();
    context.moveTo(-size * 0.3 * k, size * 0.14);
    if (shape === 'hare') {
      context.quadraticCurveTo(-size * 0.26 * k, -size * 0.6, 0, -size * k);
      context.quadraticCurveTo(size * 0.22 * k, -size * 0.6, size * 0.1 * k, size * 0.14);
    } else if (shape === 'round') context.arc(0, -size * 0.3, size * k, Math.PI * 0.9, Math.PI * 2.1);
    else {
      context.quadraticCurveTo(-size * 0.34 * k, -size * 0.5, size * 0.02, -size * k);
      context.quadraticCurveTo(size * 0.4 * k, -size * 0.4, size * 0.34 * k, size * 0.14);
    }
    context.closePath();
    context.fill();
  };
  context.fillStyle = css(
    lighter(mix(breed.coat, breed.dark, breed.pattern === 'panda' ? 1 : far > 0 ? 0.55 : 0.06), far > 0 ? -0.04 : 0),
  );
  outline(1);
  context.fillStyle = css(far > 0 ? breed.dark : mix(breed.dark, breed.coat, 0.25), 0.9);
  if (shape === 'pointed') {
    context.save();
    context.clip();
    context.beginPath();
    context.moveTo(-size, -size * 0.62);
    context.lineTo(size, -size * 0.5);
    context.lineTo(size, -size * 1.2);
    context.lineTo(-size, -size * 1.2);
    context.fill();
    context.restore();
  }
  if (far === 0) {
    context.fillStyle = css(mix(breed.under, breed.coat, 0.35), 0.75);
    context.translate(size * 0.05, size * 0.02);
    context.scale(0.52, 0.66);
    outline(1);
  }
  context.restore();
}

/** A tiger's stripes around a tube. */
function rings(context: Context, breed: Breed, joints: readonly Joint[]): void {
  context.save();
  context.clip(tube(joints));
  context.fillStyle = css(breed.dark, 0.9);
  for (const [i, [x, y, r]] of joints.slice(0, 3).entries())
    for (const k of [-0.5, 0.15])
      context.fill(
        tube([
          [x + k * r, y - r * 1.1, r * 0.02],
          [x + k * r - r * 0.1, y - r * 0.6, r * 0.12],
          [x + k * r + (i % 2) * r * 0.1, y - r * (i === 0 ? 0.05 : 0.25), 0.001],
        ]),
      );
  context.restore();
}

/** Dark around a white face. */
function blaze(context: Context, breed: Breed, head: readonly Joint[], [x, y]: Point, round: number): void {
  context.save();
  context.clip(tube(head));
  context.fillStyle = css(breed.dark);
  ellipse(context, x, y, round * 0.95, round * 0.8, 0.4);
  context.restore();
}

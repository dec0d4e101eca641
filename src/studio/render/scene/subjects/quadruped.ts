/**
 * A four-legged animal from the side, walking, trotting or standing. The body is tubes along curves (spine, neck, tail, limbs), so it
 * bends where an animal bends; legs are solved from where the paws are, so paws stay put on the ground while the body goes on.
 */
import { type Colour, css, lighter, mix } from '../../palette.ts';
import type { Subject } from '../../prompt.ts';
import { clamp, hash } from '../../random.ts';
import type { Animal } from '../../words.ts';
import { type Context, ellipse, type Joint, type Point, tube } from '../brush.ts';
import { BREEDS, type Breed } from './breeds.ts';
import type { Figure, Pose } from './figure.ts';
import { type Gait, joint, pawAt, strideOf } from './gait.ts';

interface Leg {
  /** Fraction of a turn this leg is ahead. */
  readonly walk: number;
  readonly trot: number;
  readonly end: 'fore' | 'hind';
  readonly near: boolean;
}
const LEGS: readonly Leg[] = [
  { end: 'hind', near: false, walk: 0.5, trot: 0 },
  { end: 'fore', near: false, walk: 0.75, trot: 0.5 },
  { end: 'hind', near: true, walk: 0, trot: 0.5 },
  { end: 'fore', near: true, walk: 0.25, trot: 0 },
];
/** Where the paws are put in a stance that has weight. */
const STANDING = { hind: { near: -0.03, far: 0.06 }, fore: { near: 0.03, far: -0.03 } } as const;

export function quadruped(animal: Animal, action: Subject['action']): Figure {
  const breed = BREEDS[animal];
  const gait: Gait = {
    step: breed.leg * (action === 'runs' ? 0.5 : 0.38),
    lift: breed.leg * (action === 'runs' ? 0.24 : 0.14),
    stance: action === 'runs' ? 0.5 : 0.62,
  };
  const height =
    breed.leg +
    breed.torso +
    Math.max(0, -breed.neck[1]) +
    breed.head[1] +
    breed.ears.size +
    (breed.antlers ? 0.4 : 0.06);
  return {
    box: {
      left: -breed.length - 0.85,
      top: -height - 0.1,
      right: breed.length + breed.neck[0] + breed.head[0] + 0.22,
      bottom: 0.08,
    },
    stride: action === 'stands' ? 0 : strideOf(gait),
    draw: (context, pose) => drawAnimal(context, breed, action, gait, pose),
  };
}

/** How tall the animal stands, ears included, in its units. */
export const heightOf = (animal: Animal): number => {
  const breed = BREEDS[animal];
  return breed.leg + breed.torso * 0.6 - breed.neck[1] + breed.ears.size;
};

function drawAnimal(
  context: Context,
  breed: Breed,
  action: Subject['action'],
  gait: Gait,
  { seconds, turns }: Pose,
): void {
  const moving = action !== 'stands';
  const bob = moving ? Math.sin(turns * 4 * Math.PI) * breed.leg * 0.022 : Math.sin(seconds * 1.9) * 0.004;
  const nod = moving ? Math.sin(turns * 4 * Math.PI + 0.8) * 0.05 : Math.sin(seconds * 0.8) * 0.06;
  const back = -breed.leg - breed.torso * 0.28 + bob;
  const { length, torso } = breed;
  const legs = LEGS.map(leg => ({ ...leg, paw: pawOf(leg) }));
  tail(
    context,
    breed,
    [-length - torso * 0.55, back - torso * 0.25],
    moving ? Math.sin(turns * 2 * Math.PI) * 0.09 : Math.sin(seconds * 1.1) * 0.07,
  );
  for (const leg of legs.filter(({ near }) => !near)) drawLeg(context, breed, leg, back, 0.09);
  const body: Joint[] = [
    [-length - torso * 0.22, back + torso * 0.1, torso * 0.88],
    [-length * 0.45, back + torso * 0.02, torso * 0.98],
    [length * 0.15, back + torso * 0.08, torso * 0.98],
    [length * 0.72, back + torso * 0.04, torso * 1.13],
    [length + torso * 0.22, back, torso * 0.84],
  ];
  context.fillStyle = css(breed.coat);
  context.fill(tube(body, { nap: breed.nap }));
  belly(context, breed, body);
  fur(context, breed, body, back);
  for (const leg of legs.filter(({ near }) => near)) drawLeg(context, breed, leg, back, 0);
  headAndNeck(context, breed, [length * 0.86, back - torso * 0.38], nod, seconds);

  function pawOf({ end, near, walk, trot }: Leg): Point {
    if (!moving) return [STANDING[end][near ? 'near' : 'far'] * breed.leg * 3, 0];
    return pawAt(turns + (action === 'runs' ? trot : walk), gait);
  }
}

function drawLeg(
  context: Context,
  breed: Breed,
  { end, near, paw }: Leg & { readonly paw: Point },
  back: number,
  shade: number,
): void {
  const { leg, limb, length, torso } = breed;
  const colour = (own: Colour) => css(lighter(own, -shade));
  const hip: Point = [end === 'fore' ? length * 0.86 : -length * 0.98, back + torso * (end === 'fore' ? 0.32 : 0.2)];
  const foot: Point = [hip[0] + paw[0] + (end === 'fore' ? 0.015 : 0.0), paw[1] - 0.012];
  const reach = Math.abs(foot[1] - hip[1]);
  const raised = clamp(-paw[1] / (leg * 0.24));
  const far = near ? 0 : -0.02;
  let upper: Joint[];
  let lower: Joint[];
  if (end === 'fore') {
    const knee = joint(hip, foot, leg * 0.5, leg * 0.6, -1);
    upper = [
      [hip[0] + far, hip[1] - torso * 0.1, 0.078 * limb],
      [knee[0], knee[1], 0.042 * limb],
    ];
    lower = [
      [knee[0], knee[1], 0.041 * limb],
      [(knee[0] + foot[0]) / 2 + raised * 0.02, (knee[1] + foot[1]) / 2, 0.028 * limb],
      [foot[0], foot[1] - 0.01, 0.024 * limb],
    ];
  } else {
    const hock: Point = [foot[0] - leg * (0.16 + 0.12 * raised), foot[1] - leg * (0.34 - 0.1 * raised)];
    const knee = joint(hip, hock, leg * 0.44, leg * 0.42, 1);
    upper = [
      [hip[0] + far, hip[1] - torso * 0.05, 0.105 * limb],
      [knee[0], knee[1], 0.062 * limb],
      [hock[0], hock[1], 0.03 * limb],
    ];
    lower = [
      [hock[0], hock[1], 0.031 * limb],
      [hock[0] * 0.6 + foot[0] * 0.4, hock[1] * 0.5 + foot[1] * 0.5, 0.026 * limb],
      [foot[0], foot[1] - 0.01, 0.024 * limb],
    ];
  }
  if (reach <= 0) return;
  context.fillStyle = colour(end === 'fore' ? mix(breed.coat, breed.legs, 0.12) : breed.coat);
  context.fill(tube(upper, { nap: breed.nap * 0.6 }));
  context.fillStyle = colour(breed.legs);
  context.fill(tube(lower));
  context.fillStyle = colour(breed.hooves ? breed.dark : lighter(breed.legs, -0.03));
  ellipse(
    context,
    foot[0] + 0.014 * limb,
    foot[1] - 0.004,
    0.04 * limb * (breed.hooves ? 0.75 : 1),
    0.019 * limb,
    raised * 0.6,
  );
}

function tail(context: Context, breed: Breed, root: Point, sway: number): void {
  const joints = breed.tail.map(
    ([x, y, r], i): Joint => [root[0] + x, root[1] + y + sway * (i / breed.tail.length) ** 1.4 * 0.9, r],
  );
  context.fillStyle = css(lighter(breed.coat, -0.035));
  context.fill(tube(joints, { nap: breed.nap * 1.5 }));
  context.fillStyle = css(breed.tailTip);
  const tip = joints.slice(-3);
  if (tip.length === 3 && breed.tail.length > 4)
    context.fill(
      tube(
        tip.map(([x, y, r]): Joint => [x, y, r * 0.985]),
        { nap: breed.nap * 1.5 },
      ),
    );
}

/** Paler below, with a soft edge. */
function belly(context: Context, breed: Breed, body: readonly Joint[]): void {
  context.save();
  context.clip(tube(body));
  const [chest, rump] = [body.at(-1)?.[0] ?? 0, body[0]?.[0] ?? 0];
  for (const [drop, alpha] of [
    [0.72, 0.16],
    [0.8, 0.22],
    [0.88, 0.3],
  ] as const) {
    context.fillStyle = css(breed.under, alpha);
    // Deeper under the chest, gone before the haunch.
    context.fill(
      tube(
        body
          .slice(1)
          .map(([x, y, r]): Joint => [x, y + r * (0.8 + drop - 0.42 * ((x - rump) / (chest - rump)) ** 3), r]),
        { nap: breed.nap },
      ),
    );
  }
  context.fillStyle = css(breed.dark, 0.13);
  context.fill(
    tube(
      body.map(([x, y, r]): Joint => [x, y - r * 1.55, r]),
      { nap: breed.nap },
    ),
  );
  context.restore();
}

/** Hairs that lie along the body, a little darker and lighter than the coat. */
function fur(context: Context, breed: Breed, body: readonly Joint[], back: number): void {
  if (breed.nap < 0.005) return;
  context.lineCap = 'round';
  context.lineWidth = breed.nap * 0.26;
  for (let i = 0; i < 90; i++) {
    const a = (hash(`hair${i}`) % 1000) / 1000;
    const b = (hash(`lock${i}`) % 1000) / 1000;
    const [x, , r] = body[Math.floor(a * body.length)] ?? [0, 0, 0.1];
    const px = x + (b - 0.5) * 0.16;
    const py = back + (((a * 7.3) % 1) - 0.5) * r * 1.5;
    context.strokeStyle = css(lighter(breed.coat, i % 2 === 0 ? 0.06 : -0.07), 0.5);
    context.beginPath();
    context.moveTo(px, py);
    context.quadraticCurveTo(px - breed.nap * 2, py + breed.nap * 0.2, px - breed.nap * 3.6, py + breed.nap * 0.9);
    context.stroke();
  }
}

function headAndNeck(context: Context, breed: Breed, withers: Point, nod: number, seconds: number): void {
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
    [withers[0] + dx * 0.5, withers[1] + dy * 0.5 + 0.02, thick * 1.02],
    [skull[0] - 0.01, skull[1] + 0.012, thick * 0.86],
  ];
  if (breed.antlers) antlers(context, breed, from(-0.01, -round * 0.8));
  ear(context, breed, from(0.035, -round * 0.62), turn, 0.07, seconds);
  context.fillStyle = css(breed.coat);
  context.fill(tube(neck, { nap: breed.nap }));
  if (breed.under.l > breed.coat.l + 0.1) {
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
  context.fillStyle = css(breed.coat);
  context.fill(tube(head, { nap: breed.nap * 0.5 }));
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
  eye(context, breed, from(long * 0.34, -round * 0.2), turn, (seconds + 1.3) % 3.7 < 0.13);
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

function ear(context: Context, breed: Breed, [x, y]: Point, turn: number, far: number, seconds: number): void {
  const { shape, size } = breed.ears;
  const twitch = (seconds + far * 9) % 2.9 < 0.16 ? 0.16 : 0;
  context.save();
  context.translate(x, y);
  context.rotate(turn * 0.35 + (shape === 'long' ? -0.95 : shape === 'flop' ? 1.9 : -0.2) - twitch + far * 3);
  const outline = (k: number) => {
    context.beginPath();
    context.moveTo(-size * 0.3 * k, size * 0.14);
    if (shape === 'round') context.arc(0, -size * 0.3, size * k, Math.PI * 0.9, Math.PI * 2.1);
    else {
      context.quadraticCurveTo(-size * 0.34 * k, -size * 0.5, size * 0.02, -size * k);
      context.quadraticCurveTo(size * 0.4 * k, -size * 0.4, size * 0.34 * k, size * 0.14);
    }
    context.closePath();
    context.fill();
  };
  context.fillStyle = css(lighter(mix(breed.coat, breed.dark, far > 0 ? 0.55 : 0.06), far > 0 ? -0.04 : 0));
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

function antlers(context: Context, breed: Breed, [x, y]: Point): void {
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

function mane(context: Context, breed: Breed, withers: Point, skull: Point, thick: number): void {
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

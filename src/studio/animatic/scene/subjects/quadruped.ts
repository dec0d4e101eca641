/**
 * A four-legged animal from the side, walking, trotting or standing. The body is tubes along curves (spine, neck, tail, limbs), so it
 * bends where an animal bends; legs are solved from where the paws are, so paws stay put on the ground while the body goes on.
 */

import { clamp } from '../../../random.ts';
import { type Colour, css, lighter, mix } from '../../prompt/palette.ts';
import type { Subject } from '../../prompt/prompt.ts';
import { type Context, ellipse, type Joint, type Point, tube } from '../brush.ts';
import type { Breed } from './breeds.ts';
import type { Figure, Pose } from './figure.ts';
import { type Gait, joint, pawAt, strideOf } from './gait.ts';
import { belly, fur, hump, pattern } from './markings.ts';
import { headAndNeck } from './quadruped-head.ts';

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

export function quadruped(breed: Breed, action: Subject['action']): Figure {
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
    (breed.antlers ? 0.4 : breed.hump ? 0.16 : 0.06);
  return {
    box: {
      left: -breed.length - 0.9 - (breed.tail.at(-1)?.[0] ?? 0) * -0.6,
      top: -height - 0.1,
      right: breed.length + breed.neck[0] + breed.head[0] + (breed.trunk ? 0.5 : 0.22),
      bottom: 0.08,
    },
    stride: action === 'stands' ? 0 : strideOf(gait),
    draw: (context, pose) => drawAnimal(context, breed, action, gait, pose),
  };
}

/** Lying on its belly, its head on its paws, its tail around it; it breathes. */
export function resting(breed: Breed): Figure {
  const { length, torso } = breed;
  const low: Breed = { ...breed, neck: [breed.neck[0] + torso * 0.62, torso * 0.2, breed.neck[2] * 0.9] };
  const back = -torso * 1.02;
  return {
    box: { left: -length - torso * 2.6, top: -torso * 3 - breed.ears.size, right: length + 0.75, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      const breath = Math.sin(seconds * 1.5) * torso * 0.035;
      const colour = (by: number) => css(lighter(breed.coat, by));
      context.fillStyle = css(lighter(breed.legs, -0.07));
      context.fill(
        tube([
          [length * 0.7, -torso * 0.3, 0.05 * breed.limb],
          [length + 0.3, -0.045, 0.036 * breed.limb],
          [length + 0.42, -0.035, 0.034 * breed.limb],
        ]),
      );
      const body: Joint[] = [
        [-length * 0.95, back + torso * 0.2, torso * 0.84],
        [-length * 0.4, back + torso * 0.02 - breath, torso * 0.98 + breath],
        [length * 0.2, back + torso * 0.16 - breath, torso * 0.86 + breath],
        [length * 0.78, back + torso * 0.18, torso * 0.8],
      ];
      context.fillStyle = css(breed.coat);
      context.fill(tube(body, { nap: breed.nap }));
      if (breed.pattern) pattern(context, breed, body);
      fur(context, breed, body, back);
      context.fillStyle = colour(0.02);
      context.fill(
        tube(
          [
            [-length * 0.78, -torso * 0.72, torso * 0.62],
            [-length * 0.5, -torso * 0.5, torso * 0.5],
            [-length * 0.3, -torso * 0.24, torso * 0.22],
          ],
          { nap: breed.nap * 0.5 },
        ),
      );
      context.fillStyle = css(breed.legs);
      context.fill(
        tube([
          [-length * 0.42, -0.04, 0.04 * breed.limb],
          [-length * 0.05, -0.034, 0.036 * breed.limb],
        ]),
      );
      context.fillStyle = css(lighter(breed.coat, -0.04));
      const end = breed.tail.length - 1;
      context.fill(
        tube(
          breed.tail.map(([, , r], i): Joint => {
            const t = i / end;
            return [
              -length - torso * 0.55 - Math.sin(t * 2.6) * torso * 0.95 + t * length * 0.9,
              -torso * 0.55 + t * torso * 0.42,
              r,
            ];
          }),
          { nap: breed.nap },
        ),
      );
      headAndNeck(context, low, [length * 0.86, back - torso * 0.1], { nod: breath, seconds, asleep: true });
      context.fillStyle = css(breed.legs);
      context.fill(
        tube([
          [length * 0.72, -torso * 0.3, 0.046 * breed.limb],
          [length + 0.1, -0.04, 0.033 * breed.limb],
          [length + 0.2, -0.032, 0.03 * breed.limb],
        ]),
      );
    },
  };
}

/** How tall the animal stands, ears included, in its units. */
export const heightOf = (breed: Breed): number =>
  breed.leg + breed.torso * 0.6 - breed.neck[1] + (breed.trunk ? breed.torso : breed.ears.size);

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
    [length + torso * 0.08, back - torso * 0.1, torso * 0.74],
  ];
  context.fillStyle = css(breed.coat);
  context.fill(tube(body, { nap: breed.nap }));
  if (breed.hump) hump(context, breed, body);
  belly(context, breed, body);
  if (breed.pattern) pattern(context, breed, body);
  fur(context, breed, body, back);
  for (const leg of legs.filter(({ near }) => near)) drawLeg(context, breed, leg, back, 0);
  headAndNeck(context, breed, [length * 0.86, back - torso * 0.38], { nod, seconds });

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

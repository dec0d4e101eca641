/** Who plays: a shot's subject becomes actors, placed and sized for the shot. */

import { type Animal, SAID, type ShotSize } from '../../shared/vocabulary.ts';
import { css, lch } from '../prompt/palette.ts';
import { isPerson, type Subject } from '../prompt/prompt.ts';
import { type Actor, animalPortrait, facingOf, rider, walker } from './actors.ts';
import { glow, Pen, rows, tube } from './brush.ts';
import { people } from './cast-people.ts';
import { thing } from './cast-things.ts';
import type { Stage } from './stage.ts';
import { BREEDS, breedOf } from './subjects/animals/breeds.ts';
import { heightOf, quadruped, resting } from './subjects/animals/quadruped.ts';
import { walkingPerson } from './subjects/people/person.ts';

export function cast(stage: Stage, seed: string): Actor[] {
  const { extras, size, place } = stage.shot;
  const far = size === 'wide' || size === 'extreme-wide';
  const fire = extras.includes('campfire') && far && place !== 'interior' ? [campfire(stage)] : [];
  return [...played(stage, seed), ...fire];
}

function played(stage: Stage, seed: string): Actor[] {
  const { subject } = stage.shot;
  if (!subject) return [];
  if (isAnimal(subject.kind)) return animal(stage, subject.kind, seed);
  if (isPerson(subject.kind)) return floats(stage) ? [afloat(stage, subject, seed)] : people(stage, subject, seed);
  return thing(stage, subject.kind, seed);
}

/** In orbit nobody stands: who is seen whole hangs there and turns a little. */
const floats = ({ shot }: Stage): boolean =>
  shot.place === 'orbit' && (shot.size === 'wide' || shot.size === 'extreme-wide');

const afloat = (stage: Stage, { person, kind }: Subject, seed: string): Actor =>
  rider(stage, walkingPerson(stage, person, seed, { action: 'stands', robot: kind === 'robot' }), {
    scale: Math.min(stage.height, stage.width * 0.9) * (stage.shot.size === 'wide' ? 0.36 : 0.2),
    x: -0.1 * stage.lit,
    y: stage.height * 0.52,
    speed: 0.012,
    lift: 0.014,
    roll: 0.24,
  });

const isAnimal = (kind: string): kind is Animal => kind in BREEDS;

/** How tall a standing animal is in the frame. */
const ANIMAL_HEIGHT: { readonly [size in ShotSize]: number } = {
  'extreme-wide': 0.12,
  wide: 0.25,
  medium: 0.5,
  close: 0.9,
  'extreme-close': 1.3,
};

/** Who walks with it: aside in parts of the frame's width, and how tall beside it. */
const HERD = [
  [-0.27, 0.8],
  [0.25, 0.88],
  [0, 1],
] as const;

/** The longest that one of them is, of the frame's width: all are in the frame. */
const OF_HERD = 0.4;

/** A herd is on its way unless it is said to stay. */
const herdAction = ({ shot }: Stage, action: Subject['action']): Subject['action'] =>
  action === 'stands' && !SAID.stopped.test(shot.words) && !/\bgraz(e|es|ing)\b|\bdrink/i.test(shot.words)
    ? 'walks'
    : action;

/** Animals that are white by name. */
const PALE = [0.9, 0.012, 85] as const;

/** Beside a fox, a rabbit is small and an elephant is not. */
const STATURE: { readonly [kind in Animal]?: number } = {
  rabbit: 0.62,
  cat: 0.8,
  deer: 1.22,
  horse: 1.3,
  cow: 1.15,
  bear: 1.12,
  lion: 1.05,
  camel: 1.5,
  elephant: 1.75,
  dinosaur: 2.2,
};

function animal(stage: Stage, kind: Animal, seed: string): Actor[] {
  const { subject, size } = stage.shot;
  if (!subject) return [];
  const frame = Math.min(stage.height, stage.width * 0.8);
  const pale = /\bsnow leopards?\b|雪豹|\bpolar bears?\b|北极熊/i.test(stage.shot.words) ? PALE : null;
  const breed = breedOf(kind, pale ?? subject.person.colour);
  const near = size === 'close' || size === 'extreme-close';
  if (near && breed.face !== 'trunk' && !stage.shot.extras.includes('asleep'))
    return [animalPortrait(stage, breed, subject, seed, frame * (size === 'close' ? 0.38 : 0.66))];
  const scale = (frame * ANIMAL_HEIGHT[size] * (STATURE[kind] ?? 1)) / heightOf(breed);
  const facing = facingOf(stage.shot);
  // An elephant looks at nobody: what is near of it is its head from the side.
  const offset = near ? -0.3 * facing : 0;
  const animal = quadruped(breed, subject.action);
  if (stage.shot.extras.includes('asleep'))
    return [walker(stage, resting(breed), { scale: near ? scale * 0.6 : scale * 1.25, facing, depth: 0.64 })];
  if (stage.shot.extras.includes('herd') && !near)
    return HERD.map(([aside, size], i) => {
      const one = quadruped(breed, herdAction(stage, subject.action));
      const most = (stage.width * OF_HERD) / (one.box.right - one.box.left);
      return walker(stage, one, {
        scale: Math.min(scale * (stage.width < stage.height ? 0.7 : 1), most) * size,
        facing,
        depth: 0.64,
        offset: aside * facing,
        among: { turn: i % 2, of: 2 },
      });
    });
  return [walker(stage, animal, { scale: near ? scale * 0.62 : scale, facing, depth: 0.64, offset })];
}

/** A campfire to the side of the cast: logs, tongues of flame, and its light on the ground around. */
function campfire(stage: Stage): Actor {
  const { width, height, unit, ground, shot } = stage;
  const x = width * (0.5 + (shot.subject ? 0.17 : 0.02) * stage.lit);
  const size = Math.min(width, height) * 0.13;
  const warm = glow(160, lch(0.78, 0.15, 60));
  return {
    depth: 0.66,
    draw(context, at, { seconds }) {
      const [px, py] = [at.x(x), at.y(ground + 12 * unit)];
      const s = size * at.scale;
      const pen = new Pen(context);
      const flicker = 1 + 0.07 * Math.sin(seconds * 13) + 0.05 * Math.sin(seconds * 29 + 2);
      context.save();
      context.globalCompositeOperation = 'screen';
      for (const [reach, flat, alpha] of rows([4.6, 0.34, 0.62], [2.9, 1, 0.5])) {
        context.globalAlpha = alpha * flicker;
        const top = py - s * (flat < 1 ? 0 : 0.5) - s * reach * flat;
        context.drawImage(warm, px - s * reach, top, s * reach * 2, s * reach * 2 * flat);
      }
      context.restore();
      context.save();
      context.translate(px, py);
      context.scale(s, s);
      context.fillStyle = css(lch(0.22, 0.03, 45));
      for (const [from, to] of rows([-0.5, 0.4], [0.5, -0.42], [-0.2, 0.58]))
        context.fill(tube(rows([from, 0.04, 0.075], [to, -0.12, 0.06])));
      for (const [colour, wide, tall, alpha] of rows(
        [lch(0.64, 0.2, 38), 0.4, 1.15, 0.85],
        [lch(0.8, 0.17, 66), 0.28, 0.85, 0.95],
        [lch(0.96, 0.09, 95), 0.15, 0.5, 1],
      )) {
        context.fillStyle = css(colour, alpha);
        for (const [shift, grow, lag] of rows([-0.17, 0.66, 0], [0.16, 0.74, 2], [0, 1, 4])) {
          const lick = Math.sin(seconds * 7.3 + lag) * 0.11;
          const top = -tall * grow * (1 + 0.14 * Math.sin(seconds * 9.7 + lag));
          pen.trace`M${shift - wide * 0.5} 0
  C${shift - wide * 0.72} ${top * 0.4} ${shift - wide * 0.05 + lick * 0.5} ${top * 0.6} ${shift + lick} ${top}
  C${shift + wide * 0.12 + lick * 0.5} ${top * 0.62} ${shift + wide * 0.72} ${top * 0.4} ${shift + wide * 0.5} 0`;
          context.fill();
        }
      }
      pen.ellipse(css(lch(0.98, 0.05, 95), 0.8), 0, -0.03, 0.2, 0.06);
      context.restore();
    },
  };
}

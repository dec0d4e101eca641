/** Who plays: a shot's subject becomes actors, placed and sized for the shot. */

import { type Animal, SAID, type ShotSize } from '../../vocabulary.ts';
import { isPerson, type Subject } from '../prompt/prompt.ts';
import { type Actor, animalPortrait, facingOf, rider, walker } from './actors.ts';
import { campfire } from './cast-fire.ts';
import { people } from './cast-people.ts';
import { thing } from './cast-things.ts';
import type { Stage } from './stage.ts';
import { BREEDS, breedOf } from './subjects/breeds.ts';
import { walkingPerson } from './subjects/person.ts';
import { heightOf, quadruped, resting } from './subjects/quadruped.ts';

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

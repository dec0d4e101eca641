/** Who plays: a shot's subject becomes actors, placed and sized for the shot. */
import { isPerson } from '../prompt.ts';
import { Random } from '../random.ts';
import type { Animal, ShotSize } from '../words.ts';
import { type Actor, animalPortrait, walker } from './actors.ts';
import { people } from './cast-people.ts';
import { thing } from './cast-things.ts';
import type { Stage } from './stage.ts';
import { BREEDS } from './subjects/breeds.ts';
import { heightOf, quadruped } from './subjects/quadruped.ts';

export function cast(stage: Stage, seed: string): Actor[] {
  const { subject } = stage.shot;
  if (!subject) return [];
  if (isAnimal(subject.kind)) return animal(stage, subject.kind, seed);
  if (isPerson(subject.kind)) return people(stage, subject, seed);
  return thing(stage, subject.kind, seed);
}

const isAnimal = (kind: string): kind is Animal => kind in BREEDS;

/** How tall a standing animal is in the frame. */
const ANIMAL_HEIGHT: { readonly [size in ShotSize]: number } = {
  'extreme-wide': 0.12,
  wide: 0.25,
  medium: 0.5,
  close: 0.9,
  'extreme-close': 1.3,
};

function animal(stage: Stage, kind: Animal, seed: string): Actor[] {
  const { subject, size } = stage.shot;
  if (!subject) return [];
  const random = new Random(`cast|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.8);
  if (size === 'close' || size === 'extreme-close')
    return [animalPortrait(stage, kind, subject, seed, frame * (size === 'close' ? 0.38 : 0.66))];
  const scale = (frame * ANIMAL_HEIGHT[size]) / heightOf(kind);
  const facing =
    stage.shot.camera === 'pan-left' || stage.shot.camera === 'truck-left' ? -1 : random.chance(0.85) ? 1 : -1;
  return [walker(stage, quadruped(kind, subject.action), { scale, facing, depth: 0.64 })];
}

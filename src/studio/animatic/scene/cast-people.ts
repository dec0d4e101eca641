/** People in a shot: whole figures when it is wide, from the chest up when it is near. */

import type { ShotSize } from '../../shared/vocabulary.ts';
import type { Person, Subject } from '../prompt/prompt.ts';
import { type Actor, facingOf, sitter, walker } from './actors.ts';
import { kites } from './cast-air.ts';
import { wareOf } from './cast-things.ts';
import { counter } from './places/tabletop.ts';
import type { Stage } from './stage.ts';
import { walkingPerson } from './subjects/people/person.ts';

/** Height of a head in the frame, and where the chin is. */
const HEADS: { readonly [size in ShotSize]?: { readonly head: number; readonly chin: number } } = {
  medium: { head: 0.36, chin: 0.535 },
  close: { head: 0.56, chin: 0.74 },
  'extreme-close': { head: 0.98, chin: 0.98 },
};

export function people(stage: Stage, subject: Subject, seed: string): Actor[] {
  const near = HEADS[stage.shot.size];
  const { kind, person } = subject;
  if (!near) return standing(stage, subject, seed);
  const frame = Math.min(stage.height, stage.width * 1.25);
  const narrow = stage.width < stage.height;
  const pair = kind === 'couple' || kind === 'crowd';
  const scale = frame * near.head * (pair && narrow ? 0.8 : 1);
  if (stage.shot.place === 'interior' && stage.shot.size !== 'extreme-close' && handles(stage))
    counter(stage, ...wareOf(stage));
  const away = pair ? (narrow ? 0.2 : 0.15) : stage.width > stage.height * 1.2 ? -0.09 * stage.lit : -0.02 * stage.lit;
  const talking = stage.shot.extras.includes('talking');
  const one = sitter(stage, person, seed, {
    scale,
    x: stage.width * (0.5 + away),
    y: stage.height * near.chin,
    robot: kind === 'robot',
    ...(pair ? { gaze: -Math.sign(away) } : {}),
    ...(talking ? { speaks: 0 as const } : {}),
  });
  if (!pair) return [one];
  const other = { ...person, woman: !person.woman, beard: false, colour: null };
  return [
    sitter(stage, other, `${seed}|other`, {
      scale: scale * 0.94,
      x: stage.width * (0.5 - away),
      y: stage.height * (near.chin + 0.02),
      robot: false,
      gaze: Math.sign(away),
      ...(talking && pair ? { speaks: 1 as const } : {}),
    }),
    one,
  ];
}

/** Who pours, drinks or eats has it before them. */
const handles = ({ shot }: Stage): boolean => shot.extras.some(extra => extra === 'cup' || extra === 'bowl');

/** How tall a person is in the frame when seen whole. */
const PERSON_HEIGHT = { 'extreme-wide': 0.15, wide: 0.34 } as const;

function standing(stage: Stage, subject: Subject, seed: string): Actor[] {
  const { kind, person, action, lantern } = subject;
  const scale =
    Math.min(stage.height, stage.width * 0.9) *
    (stage.shot.size === 'extreme-wide' ? PERSON_HEIGHT['extreme-wide'] : PERSON_HEIGHT.wide);
  const facing = facingOf(stage.shot);
  const one = (who: Person, offset: number, size: number, name: string, way: 1 | -1) =>
    walker(
      stage,
      walkingPerson(stage, who, `${seed}|${name}`, {
        action,
        robot: kind === 'robot',
        lantern: lantern && name === 'a',
      }),
      {
        scale: scale * size,
        facing: way,
        depth: 0.64,
        offset,
        ...(kind === 'crowd' ? { among: { turn: Number(name.slice(1)) % 3, of: 3 } } : {}),
      },
    );
  const other: Person = { ...person, woman: !person.woman, beard: false, colour: null };
  switch (kind) {
    case 'couple':
      return [one(other, 0.045, 0.95, 'b', facing), one(person, -0.045, 1, 'a', facing)];
    case 'crowd':
      return Array.from({ length: 13 }, (_, i) =>
        one(
          {
            ...(i % 2 === 0 ? person : other),
            colour: null,
            garment: i % 3 === 0 ? 'coat' : 'plain',
            headwear: i % 4 === 0 ? 'cap' : 'none',
          },
          -0.44 + 0.88 * (((i * 5) % 13) / 12),
          0.8 + 0.022 * i,
          `c${i}`,
          i % 3 === 0 ? (-facing as 1 | -1) : facing,
        ),
      );
    default: {
      const alone = one(person, -0.07 * stage.lit, 1, 'a', facing);
      if (!stage.shot.extras.includes('kite')) return [alone];
      const hand = {
        x: stage.width * (0.5 - 0.07 * stage.lit) + facing * scale * 0.12,
        y: stage.ground - scale * (person.child ? 0.4 : 0.56),
      };
      return [alone, kites(stage, seed, hand)];
    }
  }
}

/** Who plays: a shot's subject becomes actors, placed and sized for the shot. */
import { type Animal, SAID, type ShotSize } from '../../shared/vocabulary.ts';
import { css, lch } from '../prompt/palette.ts';
import { isPerson, type Person, type Subject } from '../prompt/read-prompt.ts';
import { type Actor, animalPortrait, facingOf, rider, sitter, walker } from './actors.ts';
import { glow, Pen, rows, tube } from './brush.ts';
import { kites, thing, wareOf } from './cast-things.ts';
import { counter } from './places/tabletop.ts';
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

/** In orbit a person seen whole does not stand: they float and turn a little. */
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
const HERD = rows([-0.27, 0.8], [0.25, 0.88], [0, 1]);

/** The longest that one of them is, of the frame's width: all are in the frame. */
const OF_HERD = 0.4;

/** A herd is on its way unless the words let it stay. */
const herdAction = ({ shot }: Stage, action: Subject['action']): Subject['action'] =>
  action === 'stands' && !SAID.stopped.test(shot.words) && !/\bgraz(e|es|ing)\b|\bdrink/i.test(shot.words)
    ? 'walks'
    : action;

/** Animals that are white by name. */
const PALE = [0.9, 0.012, 85] as const;

function animal(stage: Stage, kind: Animal, seed: string): Actor[] {
  const { subject, size } = stage.shot;
  if (!subject) return [];
  const frame = Math.min(stage.height, stage.width * 0.8);
  const pale = /\bsnow leopards?\b|雪豹|\bpolar bears?\b|北极熊/i.test(stage.shot.words) ? PALE : null;
  const breed = breedOf(kind, pale ?? subject.person.colour);
  const near = size === 'close' || size === 'extreme-close';
  if (near && breed.face !== 'trunk' && !stage.shot.extras.includes('asleep'))
    return [animalPortrait(stage, breed, subject, seed, frame * (size === 'close' ? 0.38 : 0.66))];
  const scale = (frame * ANIMAL_HEIGHT[size] * (breed.stature ?? 1)) / heightOf(breed);
  const facing = facingOf(stage.shot);
  // An elephant does not look at us: near, its head is seen from the side.
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
        for (const [shift, grow, lag] of rows([-0.17, 0.66, 0], [0.16, 0.74, 2], [0, 1, 4])) {
          const lick = Math.sin(seconds * 7.3 + lag) * 0.11;
          const top = -tall * grow * (1 + 0.14 * Math.sin(seconds * 9.7 + lag));
          pen.fill(css(colour, alpha))`M${shift - wide * 0.5} 0
  C${shift - wide * 0.72} ${top * 0.4} ${shift - wide * 0.05 + lick * 0.5} ${top * 0.6} ${shift + lick} ${top}
  C${shift + wide * 0.12 + lick * 0.5} ${top * 0.62} ${shift + wide * 0.72} ${top * 0.4} ${shift + wide * 0.5} 0`;
        }
      }
      pen.ellipse(css(lch(0.98, 0.05, 95), 0.8), 0, -0.03, 0.2, 0.06);
      context.restore();
    },
  };
}

/** People in a shot: whole figures when it is wide, from the chest up when it is near. */

/** Height of a head in the frame, and where the chin is. */
const HEADS: { readonly [size in ShotSize]?: { readonly head: number; readonly chin: number } } = {
  medium: { head: 0.36, chin: 0.535 },
  close: { head: 0.56, chin: 0.74 },
  'extreme-close': { head: 0.98, chin: 0.98 },
};

function people(stage: Stage, subject: Subject, seed: string): Actor[] {
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

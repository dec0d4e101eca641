/** Who plays: a shot's subject becomes actors, placed, sized for the shot, and walked through it. */
import { lch, mix } from '../palette.ts';
import { isPerson, type Person, type Subject } from '../prompt.ts';
import { clamp, Random, smooth } from '../random.ts';
import type { Animal, ShotSize, SubjectKind } from '../words.ts';
import { type Context, glow } from './brush.ts';
import type { Projection } from './camera.ts';
import { LitFigure } from './lighting.ts';
import type { Moment, Stage } from './stage.ts';
import { animalFace } from './subjects/animal-face.ts';
import { BREEDS } from './subjects/breeds.ts';
import { beamOfLight } from './subjects/buildings.ts';
import type { Figure } from './subjects/figure.ts';
import { walkingPerson } from './subjects/person.ts';
import { portrait } from './subjects/portrait.ts';
import { heightOf, quadruped } from './subjects/quadruped.ts';
import { bird, bottle, car, house, lighthouse, ship, train, whale } from './subjects/things.ts';

export interface Actor {
  readonly depth: number;
  draw(context: Context, at: Projection, moment: Moment): void;
}

const isAnimal = (kind: string): kind is Animal => kind in BREEDS;

export function cast(stage: Stage, seed: string): Actor[] {
  const { subject } = stage.shot;
  if (!subject) return [];
  if (isAnimal(subject.kind)) return animal(stage, subject.kind, seed);
  if (isPerson(subject.kind)) return people(stage, subject, seed);
  return thing(stage, subject.kind, seed);
}

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
  const scale = frame * near.head;
  const pair = kind === 'couple' || kind === 'crowd';
  const away = pair ? 0.15 : stage.width > stage.height * 1.2 ? -0.09 * stage.lit : -0.02 * stage.lit;
  const one = sitter(stage, person, seed, {
    scale,
    x: stage.width * (0.5 + away),
    y: stage.height * near.chin,
    robot: kind === 'robot',
  });
  if (!pair) return [one];
  const other = { ...person, woman: !person.woman, beard: false, colour: null };
  return [
    sitter(stage, other, `${seed}|other`, {
      scale: scale * 0.94,
      x: stage.width * (0.5 - away),
      y: stage.height * (near.chin + 0.02),
      robot: false,
    }),
    one,
  ];
}

/** How tall a person is in the frame when seen whole. */
const PERSON_HEIGHT = { 'extreme-wide': 0.15, wide: 0.34 } as const;

function standing(stage: Stage, subject: Subject, seed: string): Actor[] {
  const { kind, person, action, lantern } = subject;
  const random = new Random(`cast|${seed}`);
  const scale =
    Math.min(stage.height, stage.width * 0.9) *
    (stage.shot.size === 'extreme-wide' ? PERSON_HEIGHT['extreme-wide'] : PERSON_HEIGHT.wide);
  const facing = random.chance(0.7) ? 1 : -1;
  const one = (who: Person, offset: number, size: number, name: string, way: 1 | -1) =>
    walker(
      stage,
      walkingPerson(stage, who, `${seed}|${name}`, {
        action,
        robot: kind === 'robot',
        lantern: lantern && name === 'a',
      }),
      { scale: scale * size, facing: way, depth: 0.64, offset },
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
    default:
      return [one(person, -0.07 * stage.lit, 1, 'a', facing)];
  }
}

/** Vehicles, buildings, birds, a whale, a product: size in the frame for a wide shot, and how it moves. */
function thing(stage: Stage, kind: Exclude<SubjectKind, Animal>, seed: string): Actor[] {
  const random = new Random(`thing|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.9);
  const near = { 'extreme-wide': 0.5, wide: 1, medium: 1.7, close: 2.3, 'extreme-close': 3 }[stage.shot.size];
  const aside = -0.12 * stage.lit;
  const figure = (it: Figure, size: number, how: Partial<Ride> = {}) =>
    rider(stage, it, { scale: frame * size * near, facing: 1, x: aside, y: stage.ground, speed: 0, lift: 0, ...how });
  switch (kind) {
    case 'bird':
      return Array.from({ length: 7 }, (_, i) =>
        rider(stage, bird(random.next() * 6), {
          scale: frame * random.between(0.022, 0.06) * near,
          facing: 1,
          x: -0.36 + 0.11 * i,
          y: stage.height * random.between(0.16, 0.42),
          speed: 0.07,
          lift: 0.012,
        }),
      );
    case 'whale':
      return [figure(whale, 0.34, { y: stage.height * 0.48, speed: 0.035, lift: 0.018, x: 0 })];
    case 'car':
      return [
        figure(
          car(
            stage,
            paintOf(stage) ??
              random.pick([lch(0.52, 0.19, 27), lch(0.5, 0.11, 250), lch(0.86, 0.02, 90), lch(0.45, 0.09, 160)]),
          ),
          0.2,
          { speed: stage.shot.camera === 'tracking' ? 0 : 0.09, x: 0, shadow: true, lamps: stage.dark },
        ),
      ];
    case 'train':
      return [figure(train(stage), 0.17, { speed: 0.06, x: 0, y: stage.ground - frame * 0.02, shadow: true })];
    case 'ship':
      return [
        figure(ship, 0.2, {
          y:
            stage.shot.place === 'ocean' || stage.shot.place === 'coast' || stage.shot.place === 'river'
              ? stage.horizon + stage.height * 0.075
              : stage.ground,
          speed: 0.02,
          lift: 0.006,
          roll: 0.035,
        }),
      ];
    case 'lighthouse': {
      const tall = frame * 0.52 * Math.min(1.5, near);
      const [x, y] = [stage.width * (0.5 + aside), stage.ground];
      const lamp = { x, y: y - tall * 0.868, reach: stage.width * 0.95, size: stage.unit * 1.4 };
      return [
        figure(lighthouse(stage), (0.52 * Math.min(1.5, near)) / near),
        { depth: 0.64, draw: (context, at, { seconds }) => beamOfLight(context, stage, at, lamp, seconds) },
      ];
    }
    case 'house':
      return [figure(house(stage), 0.24, { shadow: true })];
    case 'product':
      return [
        figure(bottle(stage), Math.min(0.62, 0.42 * near) / near, {
          x: 0,
          y: stage.height * 0.86,
          shadow: true,
          mirrored: true,
        }),
      ];
    default:
      return [];
  }
}

const paintOf = (stage: Stage) => {
  const colour = stage.shot.subject?.person.colour;
  return colour ? lch(...colour) : null;
};

interface Ride {
  readonly scale: number;
  readonly facing: 1 | -1;
  /** Parts of the frame's width from its middle. */
  readonly x: number;
  /** Pixels. */
  readonly y: number;
  /** Parts of the frame's width in a second. */
  readonly speed: number;
  /** Rises and sinks by this part of the frame's height. */
  readonly lift: number;
  readonly roll?: number;
  readonly shadow?: boolean;
  readonly lamps?: boolean;
  readonly mirrored?: boolean;
}

/** What glides, drives or only stands. */
function rider(
  stage: Stage,
  figure: Figure,
  { scale, facing, x, y, speed, lift, roll = 0, shadow = false, lamps = false, mirrored = false }: Ride,
): Actor {
  const lit = new LitFigure(stage, figure, scale, facing);
  const dark = glow(64, mix(stage.palette.near, stage.palette.sky[0], 0.15));
  const beam = glow(64, stage.palette.light);
  const length = stage.shot.end - stage.shot.start;
  return {
    depth: 0.64,
    draw(context, at, { seconds, progress }) {
      const px = at.x(stage.width * (0.5 + x + facing * speed * (seconds - length / 2)));
      const py = at.y(y) + Math.sin(seconds * 1.2 + x * 9) * stage.height * lift;
      lit.prepare({ seconds, progress, turns: 0 });
      if (mirrored || (stage.mirror > 0 && shadow))
        lit.reflect(context, px, py, at.scale, mirrored ? 0.28 : stage.mirror);
      if (shadow) {
        const wide = figure.box.right * scale * at.scale * 1.15;
        context.globalAlpha = 0.6;
        context.drawImage(dark, px - wide, py - wide * 0.07, wide * 2, wide * 0.14);
        context.globalAlpha = 1;
      }
      context.save();
      context.translate(px, py);
      context.rotate(Math.sin(seconds * 1.1) * roll);
      lit.place(context, 0, 0, at.scale);
      context.restore();
      if (!lamps) return;
      const reach = scale * at.scale * 1.5;
      context.globalCompositeOperation = 'screen';
      context.drawImage(
        beam,
        px + facing * scale * at.scale - reach,
        py - scale * 0.27 * at.scale - reach * 0.5,
        reach * 2,
        reach,
      );
      context.globalCompositeOperation = 'source-over';
    },
  };
}

interface Seat {
  /** Pixels of a head's height. */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
  readonly robot: boolean;
}

/** Somebody near the lens: breathes, sways, blinks. */
function sitter(stage: Stage, person: Person, seed: string, { scale, x, y, robot }: Seat): Actor {
  const depth = 0.62;
  const open = new LitFigure(stage, portrait(stage, person, seed, { robot }), scale, 1);
  const shut = new LitFigure(stage, portrait(stage, person, seed, { robot, eyesShut: true }), scale, 1);
  return {
    depth,
    draw(context, at, { seconds, progress }) {
      const breath = Math.sin(seconds * 1.7) * scale * 0.006;
      const sway = Math.sin(seconds * 0.8 + 0.6) * scale * 0.012;
      const blinks = (seconds + 0.9) % 3.3 < 0.13;
      (blinks ? shut : open).draw(context, at.x(x) + sway, at.y(y) + breath, at.scale, { seconds, progress, turns: 0 });
    },
  };
}

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
    return [animalPortrait(stage, kind, subject, seed, frame * (size === 'close' ? 0.43 : 0.7))];
  const scale = (frame * ANIMAL_HEIGHT[size]) / heightOf(kind);
  const facing =
    stage.shot.camera === 'pan-left' || stage.shot.camera === 'truck-left' ? -1 : random.chance(0.85) ? 1 : -1;
  return [walker(stage, quadruped(kind, subject.action), { scale, facing, depth: 0.64 })];
}

/** Looks at us, breathes, blinks; who "looks back" turns to the lens in the first second. */
function animalPortrait(stage: Stage, kind: Animal, subject: Subject, seed: string, scale: number): Actor {
  const open = new LitFigure(stage, animalFace(stage, kind, seed), scale, 1);
  const shut = new LitFigure(stage, animalFace(stage, kind, seed, { eyesShut: true }), scale, 1);
  const side = -stage.lit;
  const away = stage.width > stage.height * 1.2 ? 0.08 : 0;
  return {
    depth: 0.62,
    draw(context, at, { seconds, progress }) {
      const turned = subject.looksBack ? smooth(clamp((seconds - 0.15) / 0.75)) : 1;
      const breath = Math.sin(seconds * 2.1) * scale * 0.008;
      const x = at.x(stage.width * (0.5 + away * side)) + (1 - turned) * side * scale * 0.34;
      const y = at.y(stage.height * 0.515) + breath + (1 - turned) * scale * 0.06;
      const blinks = (seconds + 2.1) % 3.3 < 0.13;
      context.save();
      context.translate(x, y);
      context.rotate((1 - turned) * side * 0.2 + Math.sin(seconds * 0.7) * 0.012);
      context.scale(0.8 + 0.2 * turned, 1);
      (blinks ? shut : open).draw(context, 0, 0, at.scale, { seconds, progress, turns: 0 });
      context.restore();
    },
  };
}

interface Walk {
  /** Pixels for a figure's unit. */
  readonly scale: number;
  readonly facing: 1 | -1;
  readonly depth: number;
  /** Away from the middle, in parts of the frame's width. */
  readonly offset?: number;
}

/** A figure on the ground with its shadow; it crosses the frame when the camera waits, and stays in it when the camera goes along. */
function walker(stage: Stage, figure: Figure, { scale, facing, depth, offset = 0 }: Walk): Actor {
  const { width, shot } = stage;
  const lit = new LitFigure(stage, figure, scale, facing);
  const along = shot.camera === 'tracking' || shot.camera === 'truck-left';
  const length = Math.max(0.5, shot.end - shot.start);
  const speed = figure.stride === 0 ? 0 : (shot.subject?.action === 'runs' ? 1.5 : 1.05) * figure.stride * scale;
  const cover = along ? 0 : Math.min(width * 0.42, speed * length);
  const turnsPerSecond =
    figure.stride === 0
      ? 0
      : along
        ? shot.subject?.action === 'runs'
          ? 1.5
          : 1.05
        : cover / length / (figure.stride * scale);
  const shadow = glow(64, mix(stage.palette.near, stage.palette.sky[0], 0.25));
  return {
    depth,
    draw(context, at, { seconds, progress }) {
      const world =
        width * (0.5 + offset) + facing * (progress - 0.5) * cover - facing * figure.box.right * scale * 0.18;
      const x = along
        ? width * (0.5 + offset) - facing * scale * 0.05 + Math.sin(seconds * 0.9) * width * 0.012
        : at.x(world);
      const y = at.y(stage.ground);
      const pose = { seconds, progress, turns: seconds * turnsPerSecond };
      lit.prepare(pose);
      if (stage.mirror > 0) lit.reflect(context, x, y + scale * 0.012, at.scale, stage.mirror);
      const wide = scale * at.scale * 0.62;
      context.globalAlpha = 0.55;
      context.drawImage(shadow, x - wide - stage.lit * wide * 0.12, y - wide * 0.1, wide * 2, wide * 0.2);
      context.globalAlpha = 1;
      lit.place(context, x, y, at.scale);
    },
  };
}

/** Who plays: a shot's subject becomes actors, placed, sized for the shot, and walked through it. */
import { mix } from '../palette.ts';
import type { Person, Subject } from '../prompt.ts';
import { clamp, Random, smooth } from '../random.ts';
import type { Animal, ShotSize } from '../words.ts';
import { type Context, glow } from './brush.ts';
import type { Projection } from './camera.ts';
import { LitFigure } from './lighting.ts';
import type { Moment, Stage } from './stage.ts';
import { animalFace } from './subjects/animal-face.ts';
import { BREEDS } from './subjects/breeds.ts';
import type { Figure } from './subjects/figure.ts';
import { portrait } from './subjects/portrait.ts';
import { heightOf, quadruped } from './subjects/quadruped.ts';

export interface Actor {
  readonly depth: number;
  draw(context: Context, at: Projection, moment: Moment): void;
}

const isAnimal = (kind: string): kind is Animal => kind in BREEDS;

export function cast(stage: Stage, seed: string): Actor[] {
  const { subject } = stage.shot;
  if (!subject) return [];
  if (isAnimal(subject.kind)) return animal(stage, subject.kind, seed);
  if (subject.kind === 'person' || subject.kind === 'couple' || subject.kind === 'crowd' || subject.kind === 'robot') return people(stage, subject, seed);
  return [];
}

/** Height of a head in the frame, and where the chin is. */
const HEADS: { readonly [size in ShotSize]?: { readonly head: number; readonly chin: number } } = {
  medium: { head: 0.36, chin: 0.535 }, close: { head: 0.56, chin: 0.74 }, 'extreme-close': { head: 0.98, chin: 0.98 },
};

function people(stage: Stage, subject: Subject, seed: string): Actor[] {
  const near = HEADS[stage.shot.size];
  const { kind, person } = subject;
  if (!near) return [];
  const frame = Math.min(stage.height, stage.width * 1.25);
  const scale = frame * near.head;
  const pair = kind === 'couple' || kind === 'crowd';
  const away = pair ? 0.15 : stage.width > stage.height * 1.2 ? -0.09 * stage.lit : -0.02 * stage.lit;
  const one = sitter(stage, person, seed, { scale, x: stage.width * (0.5 + away), y: stage.height * near.chin, robot: kind === 'robot' });
  if (!pair) return [one];
  const other = { ...person, woman: !person.woman, beard: false, colour: null };
  return [sitter(stage, other, `${seed}|other`, { scale: scale * 0.94, x: stage.width * (0.5 - away), y: stage.height * (near.chin + 0.02), robot: false }), one];
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
const ANIMAL_HEIGHT: { readonly [size in ShotSize]: number } = { 'extreme-wide': 0.12, wide: 0.25, medium: 0.5, close: 0.9, 'extreme-close': 1.3 };

function animal(stage: Stage, kind: Animal, seed: string): Actor[] {
  const { subject, size } = stage.shot;
  if (!subject) return [];
  const random = new Random(`cast|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.8);
  if (size === 'close' || size === 'extreme-close') return [animalPortrait(stage, kind, subject, seed, frame * (size === 'close' ? 0.43 : 0.7))];
  const scale = (frame * ANIMAL_HEIGHT[size]) / heightOf(kind);
  const facing = stage.shot.camera === 'pan-left' || stage.shot.camera === 'truck-left' ? -1 : random.chance(0.85) ? 1 : -1;
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
  const turnsPerSecond = figure.stride === 0 ? 0 : along ? (shot.subject?.action === 'runs' ? 1.5 : 1.05) : cover / length / (figure.stride * scale);
  const shadow = glow(64, mix(stage.palette.near, stage.palette.sky[0], 0.25));
  return {
    depth,
    draw(context, at, { seconds, progress }) {
      const world = width * (0.5 + offset) + facing * (progress - 0.5) * cover - facing * figure.box.right * scale * 0.18;
      const x = along ? width * (0.5 + offset) - facing * scale * 0.05 + Math.sin(seconds * 0.9) * width * 0.012 : at.x(world);
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


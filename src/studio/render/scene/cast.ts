/** Who plays: a shot's subject becomes actors, placed, sized for the shot, and walked through it. */
import { mix } from '../palette.ts';
import { Random } from '../random.ts';
import type { Animal, ShotSize } from '../words.ts';
import { type Context, glow } from './brush.ts';
import type { Projection } from './camera.ts';
import { LitFigure } from './lighting.ts';
import type { Moment, Stage } from './stage.ts';
import { BREEDS } from './subjects/breeds.ts';
import type { Figure } from './subjects/figure.ts';
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
  return [];
}

/** How tall a standing animal is in the frame. */
const ANIMAL_HEIGHT: { readonly [size in ShotSize]: number } = { 'extreme-wide': 0.12, wide: 0.25, medium: 0.5, close: 0.9, 'extreme-close': 1.3 };

function animal(stage: Stage, kind: Animal, seed: string): Actor[] {
  const { subject, size } = stage.shot;
  if (!subject) return [];
  const random = new Random(`cast|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.8);
  const scale = (frame * ANIMAL_HEIGHT[size]) / heightOf(kind);
  const facing = stage.shot.camera === 'pan-left' || stage.shot.camera === 'truck-left' ? -1 : random.chance(0.85) ? 1 : -1;
  return [walker(stage, quadruped(kind, subject.action), { scale, facing, depth: 0.64 })];
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
      if (stage.mirror > 0) lit.reflect(context, x, y + scale * 0.012, at.scale, stage.mirror);
      const wide = scale * at.scale * 0.62;
      context.globalAlpha = 0.55;
      context.drawImage(shadow, x - wide - stage.lit * wide * 0.12, y - wide * 0.1, wide * 2, wide * 0.2);
      context.globalAlpha = 1;
      lit.draw(context, x, y, at.scale, pose);
    },
  };
}


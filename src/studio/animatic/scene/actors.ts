/** How what is cast moves: on its feet along the ground, gliding, or near the lens, breathing and blinking. */

import { clamp, hash, smooth } from '../../shared/random.ts';
import { mix } from '../prompt/palette.ts';
import type { Person, Shot, Subject } from '../prompt/read-prompt.ts';
import { type Context, glow } from './brush.ts';
import type { Projection } from './camera.ts';
import { type Figure, LitFigure } from './lighting.ts';
import type { Moment, Stage } from './stage.ts';
import { animalFace } from './subjects/animals/animal-face.ts';
import type { Breed } from './subjects/animals/breeds.ts';
import { portrait } from './subjects/people/portrait.ts';

export interface Actor {
  readonly depth: number;
  draw(context: Context, at: Projection, moment: Moment): void;
}

interface Walk {
  /** Pixels for a figure's unit. */
  readonly scale: number;
  readonly facing: 1 | -1;
  readonly depth: number;
  /** Away from the middle, in parts of the frame's width. */
  readonly offset?: number;
  /** One of many: drawn anew only in every second or third frame (`of`), each in its own (`turn`). */
  readonly among?: { readonly turn: number; readonly of: 2 | 3 };
}

/** Turns of the gait in a second, where nothing else decides. */
const TEMPO = { stands: 0, walks: 1.1, runs: 1.55 } as const;

/** To the right, unless the camera goes left: so a subject moves one way in all shots of a film, and in those that are shot again. */
export const facingOf = ({ camera }: Shot): 1 | -1 => (camera === 'pan-left' || camera === 'truck-left' ? -1 : 1);

/** Of the frame's width: a figure that is seen whole is not longer, and does not walk out of it. */
const WHOLE = 0.8;
const WITHIN = 0.92;

/** A walk should cross a good part of the frame, but legs can only go so fast. */
function groundCovered(shot: Shot, seconds: number, stride: number, width: number): number {
  const pace = shot.subject?.action === 'runs' ? 'runs' : 'walks';
  const wished = Math.max(TEMPO[pace] * stride * seconds, width * 0.12 * seconds);
  return Math.min(wished, TEMPO[pace] * 1.55 * stride * seconds, width * 0.46);
}

/** A figure on the ground with its shadow; it crosses the frame when the camera waits, and stays in it when the camera goes along. */
export function walker(stage: Stage, figure: Figure, walk: Walk): Actor {
  const { facing, depth, offset = 0, among } = walk;
  const { width, shot } = stage;
  const { left, right } = figure.box;
  const scale = Math.min(walk.scale, (width * WHOLE) / (right - left));
  const lit = new LitFigure(stage, figure, scale, facing);
  const along = shot.camera === 'tracking' || shot.camera === 'truck-left';
  const length = Math.max(0.5, shot.end - shot.start);
  const requested = shot.subject?.action ?? 'stands';
  const action = requested === 'stands' && figure.stride > 0 ? 'walks' : requested;
  const room = Math.max(0, width * (WITHIN - 2 * Math.abs(offset)) - (right - left) * scale);
  const cover =
    along || figure.stride === 0 ? 0 : Math.min(room, groundCovered(shot, length, figure.stride * scale, width));
  // Its feet are at 0: what trails behind them is longer than what is ahead.
  const middle = (facing * scale * (left + right)) / 2;
  const turnsPerSecond = figure.stride === 0 ? 0 : along ? TEMPO[action] : cover / length / (figure.stride * scale);
  // No two of a herd are in step.
  const phase = among ? Math.abs(offset) * 3.7 : 0;
  const shadow = glow(64, mix(stage.palette.near, stage.palette.sky[0], 0.25));
  return {
    depth,
    draw(context, at, { seconds, progress }) {
      const world = width * (0.5 + offset) + facing * (progress - 0.5) * cover - middle;
      const x = along ? width * (0.5 + offset) - middle + Math.sin(seconds * 0.9) * width * 0.012 : at.x(world);
      const y = at.y(stage.ground);
      const drawn = among ? heldBack(seconds, among) : seconds;
      const pose = { seconds: drawn, progress, turns: (drawn + phase) * turnsPerSecond };
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

/** The last moment in which it was its turn to be drawn, in seconds. */
const heldBack = (seconds: number, { turn, of }: NonNullable<Walk['among']>): number =>
  Math.max(0, Math.floor((Math.round(seconds * 24) + turn) / of) * of - turn) / 24;

export interface Ride {
  readonly scale: number;
  /** Parts of the frame's width from its middle. */
  readonly x?: number;
  /** Pixels. */
  readonly y: number;
  /** Parts of the frame's width in a second. */
  readonly speed?: number;
  /** Rises and sinks by this part of the frame's height. */
  readonly lift?: number;
  readonly roll?: number;
  readonly shadow?: boolean;
  readonly lamps?: boolean;
}

/** What glides, drives or only stands. */
export function rider(stage: Stage, figure: Figure, ride: Ride): Actor {
  const { scale, x = 0, y, speed = 0, lift = 0, roll = 0, shadow = false, lamps = false } = ride;
  const lit = new LitFigure(stage, figure, scale, 1);
  const dark = glow(64, mix(stage.palette.near, stage.palette.sky[0], 0.15));
  const beam = glow(64, stage.palette.light);
  const length = stage.shot.end - stage.shot.start;
  return {
    depth: 0.64,
    draw(context, at, { seconds, progress }) {
      const px = at.x(stage.width * (0.5 + x + speed * (seconds - length / 2)));
      const py = at.y(y) + Math.sin(seconds * 1.2 + x * 9) * stage.height * lift;
      lit.prepare({ seconds, progress, turns: 0 });
      if (stage.mirror > 0 && shadow) lit.reflect(context, px, py, at.scale, stage.mirror);
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
      const front = px + scale * at.scale - reach;
      context.drawImage(beam, front, py - scale * 0.27 * at.scale - reach * 0.5, reach * 2, reach);
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
  /** −1 looks to the left of the frame, 1 to the right; default: at us. */
  readonly gaze?: number;
  /** Speaks, in turns with the one that has the other number. */
  readonly speaks?: 0 | 1;
}

/** A person near the lens: breathes, sways, blinks. */
export function sitter(stage: Stage, person: Person, seed: string, seat: Seat): Actor {
  const { scale, x, y, robot, gaze = 0, speaks } = seat;
  // Two people do not blink as one; and no eyes are shut where a still or a film's poster is taken.
  const phase = (hash(seed) % 300) / 1000;
  const face = (look: { readonly eyesShut?: boolean; readonly speaking?: boolean } = {}) =>
    new LitFigure(stage, portrait(stage, person, seed, { robot, gaze, ...look }), scale, 1);
  const [open, shut] = [face(), face({ eyesShut: true })];
  const spoken = speaks === undefined || robot ? null : face({ speaking: true });
  return {
    depth: 0.62,
    draw(context, at, { seconds, progress }) {
      const breath = Math.sin(seconds * 1.7) * scale * 0.006;
      const sway = Math.sin(seconds * 0.8 + 0.6) * scale * 0.012;
      const blinks = (seconds + 3.15 - phase) % 3.7 < 0.13;
      // Turns of two seconds; within one's own, syllables.
      const turn = Math.floor(seconds / 2) % 2 === speaks;
      const syllable = turn && Math.sin(seconds * 17) + Math.sin(seconds * 11.3) > 0.35;
      const now = spoken && syllable ? spoken : blinks ? shut : open;
      context.save();
      context.translate(at.x(x) + sway, at.y(y) + breath);
      context.rotate(gaze * 0.035 + (turn ? Math.sin(seconds * 2.3) * 0.012 : 0));
      now.draw(context, 0, 0, at.scale, { seconds, progress, turns: 0 });
      context.restore();
    },
  };
}

/** Looks at us, breathes, blinks; who "looks back" turns to the lens in the first second. */
export function animalPortrait(stage: Stage, breed: Breed, subject: Subject, seed: string, scale: number): Actor {
  const open = new LitFigure(stage, animalFace(stage, breed, seed), scale, 1);
  const shut = new LitFigure(stage, animalFace(stage, breed, seed, { eyesShut: true }), scale, 1);
  const side = -stage.lit;
  const away = stage.width > stage.height * 1.2 ? 0.08 : 0;
  return {
    depth: 0.62,
    draw(context, at, { seconds, progress }) {
      const turned = subject.looksBack ? smooth(clamp((seconds - 0.15) / 0.75)) : 1;
      const breath = Math.sin(seconds * 2.1) * scale * 0.008;
      const x = at.x(stage.width * (0.5 + away * side)) + (1 - turned) * side * scale * 0.34;
      const y = at.y(stage.height * 0.53) + breath + (1 - turned) * scale * 0.06;
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

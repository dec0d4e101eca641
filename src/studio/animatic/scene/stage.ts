/**
 * The set of one shot: layers painted once, larger than the frame, that the camera moves over; and what moves by itself.
 * Painters work in frame coordinates: 0,0 is the frame's top left, and each layer reaches `spareX`, `spareY` beyond it.
 */
import type { Canvas } from '@napi-rs/canvas';
import { Noise, Random } from '../../shared/random.ts';
import { type Palette, palette } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import { Pen, type Point, samples, surface } from './brush.ts';
import type { Projection } from './camera.ts';

export interface Layer {
  readonly canvas: Canvas;
  /** 0 at infinity, 1 at the lens. */
  readonly depth: number;
  readonly left: number;
  readonly top: number;
  /** Pixels a second by itself: clouds. */
  readonly drift: number;
}

/** Something of the set that is drawn anew in each frame: waves, a beam of light. */
export interface Mover {
  readonly depth: number;
  /** Stays sharp and alive where the background is thrown out of focus. */
  readonly sharp?: boolean;
  draw(pen: Pen, moment: Moment, at: Projection): void;
}

export interface Moment {
  /** Since the shot began. */
  readonly seconds: number;
  /** 0 to 1 within the shot. */
  readonly progress: number;
  /** Loudness of driving audio now, 0 to 1; 0 without. */
  readonly pulse: number;
}

/** What a layer covers: all of the stage from its top to its bottom, unless `from` and `to` give heights in the frame, in pixels. */
interface Reach {
  readonly depth: number;
  readonly from?: number;
  readonly to?: number;
  readonly drift?: number;
  /** A longer lens does not bring it nearer. */
  readonly still?: boolean;
}

interface StageOptions {
  readonly width: number;
  readonly height: number;
  readonly seed: string;
}

/** How near the set stands: a medium shot is the same place through a longer lens. */
const NEARER = { 'extreme-wide': 1, wide: 1, medium: 1.55, close: 2.1, 'extreme-close': 2.5 } as const;

export class Stage {
  readonly width: number;
  readonly height: number;
  readonly shot: Shot;
  readonly palette: Palette;
  readonly random: Random;
  readonly noise: Noise;
  /** A pixel of a picture 1080 on its short side. */
  readonly unit: number;
  readonly spareX: number;
  readonly spareY: number;
  readonly horizon: number;
  sun: { readonly x: number; readonly y: number };
  /** Where feet stand. */
  ground: number;
  /** What stands on it is mirrored: 0 not at all to 1. */
  mirror = 0;
  readonly set: (Layer | Mover)[] = [];
  readonly #nearer: number;

  constructor(shot: Shot, { width, height, seed }: StageOptions) {
    this.shot = shot;
    this.width = width;
    this.height = height;
    this.unit = Math.min(width, height) / 1080;
    this.random = new Random(`stage|${seed}|${shot.place}`);
    this.noise = new Noise(`noise|${seed}|${shot.place}`);
    this.palette = palette(shot.time, seed, { storm: shot.storm ? 1 : shot.weather.includes('rain') ? 0.45 : 0 });
    const rails = shot.camera === 'tracking' || shot.camera === 'truck-left';
    this.spareX = width * (rails ? 0.56 : 0.17);
    this.spareY = height * 0.15;
    this.#nearer = NEARER[shot.size];
    this.horizon = height * (width >= height ? this.random.between(0.5, 0.56) : this.random.between(0.52, 0.6));
    const side = this.random.chance(0.5) ? this.random.between(0.62, 0.78) : this.random.between(0.22, 0.38);
    this.sun = { x: width * side, y: Math.min(this.horizon * 0.98, height * this.palette.sunHeight) };
    this.ground = height * 0.84;
  }

  get left(): number {
    return -this.spareX;
  }
  get right(): number {
    return this.width + this.spareX;
  }
  get top(): number {
    return -this.spareY;
  }
  get bottom(): number {
    return this.height + this.spareY;
  }
  get span(): number {
    return this.right - this.left;
  }
  /** 1 or −1: the side the light comes from, seen from the middle. */
  get lit(): 1 | -1 {
    return this.sun.x > this.width / 2 ? 1 : -1;
  }
  get dark(): boolean {
    return this.palette.dark > 0.28;
  }
  /** How far a camera at ±1 slides the nearest layer, as a part of the frame's width. */
  get reach(): number {
    return (this.spareX / this.width) * 0.72;
  }

  /** A box over all of a layer, as x, y, width, height; and one from `y` down. */
  get all(): readonly [number, number, number, number] {
    return this.from(this.top);
  }
  from(y: number): readonly [number, number, number, number] {
    return [this.left, y, this.span, this.bottom - y];
  }

  /** An x somewhere on the layers. */
  anywhere(): number {
    return this.left + this.random.next() * this.span;
  }

  /** So many places along the layers, about evenly; a gap in the middle, in parts of the frame's width, leaves its subject free. */
  spaced(count: number, gap = 0): number[] {
    const all = Array.from(
      { length: count },
      (_, i) => this.left + ((i + this.random.between(0.1, 0.9)) / count) * this.span,
    );
    return this.shot.subject ? all.filter(x => Math.abs(x / this.width - 0.5) >= gap) : all;
  }

  /** The outline of ground under a line, down to its foot: `step` pixels apart, to `past` the right edge. */
  land(step: number, line: (x: number) => number, past = 0, foot = this.bottom + 4): readonly Point[] {
    return [[this.left, foot], ...samples(this.left, this.right + past, step, line), [this.right, foot]];
  }

  /** Adds a layer. */
  paint(where: number | Reach, draw: (pen: Pen) => void): void {
    const reach = typeof where === 'number' ? { depth: where } : where;
    const { depth, from = this.top, to = this.bottom, drift = 0, still = false } = reach;
    const { lens, pivotX, pivotY, y } = still
      ? { ...this.seen(depth), lens: 1, y: (at: number) => at }
      : this.seen(depth);
    const top = Math.max(this.top, Math.floor(y(from)));
    const bottom = Math.min(this.bottom, Math.ceil(y(to)));
    if (bottom <= top) return;
    const { canvas, context } = surface(this.span, bottom - top);
    context.translate(this.spareX, -top);
    context.translate(pivotX, pivotY);
    context.scale(lens, lens);
    context.translate(-pivotX, -pivotY);
    draw(new Pen(context));
    this.set.push({ canvas, depth, left: this.left, top, drift });
  }

  /** Where something painted at this depth is in the frame, through the shot's lens. For movers; `paint` does it by itself. */
  seen(depth: number) {
    const lens = 1 + (this.#nearer - 1) * (0.3 + 0.7 * depth);
    const pivotX = this.width / 2;
    const pivotY = this.horizon + (this.height - this.horizon) * 0.42;
    return {
      lens,
      pivotX,
      pivotY,
      x: (at: number) => pivotX + (at - pivotX) * lens,
      y: (at: number) => pivotY + (at - pivotY) * lens,
    };
  }

  /** What is painted so far above a height, upside down, at a part of its size. */
  reflection(y: number, scale: number): Canvas {
    const { canvas, context } = surface(this.span * scale, (y - this.top) * scale);
    context.scale(scale, -scale);
    context.translate(this.spareX, -y);
    for (const piece of this.set) if (isLayer(piece)) context.drawImage(piece.canvas, piece.left, piece.top);
    return canvas;
  }

  move(mover: Mover): void {
    this.set.push(mover);
  }
}

export const isLayer = (piece: Layer | Mover): piece is Layer => 'canvas' in piece;

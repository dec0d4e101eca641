/** The camera: a move and a moment → where it stands. Layers at different depths answer it differently; that is the parallax. */
import { clamp, mixNumber, type Noise, smooth } from '../../shared/random.ts';
import type { CameraMove, Pace } from '../../shared/vocabulary.ts';

export interface Camera {
  /** −1 to 1 of the layers' spare width and height. */
  readonly x: number;
  readonly y: number;
  /** 0 where it began to 1 all the way in. */
  readonly z: number;
  /** Lens, not travel: everything grows alike. */
  readonly zoom: number;
  /** Radians. */
  readonly roll: number;
  /** −1 to 1 around the subject: near and far layers slide apart. */
  readonly arc: number;
  /** Moved on rails: the far stays and the near passes. */
  readonly travels: boolean;
}

export interface CameraMoment {
  /** 0 to 1 within the shot. */
  readonly progress: number;
  /** Since the shot's start. */
  readonly seconds: number;
  readonly pace?: Pace;
  /** A closed path: the last frame leads into the first. */
  readonly loop?: boolean;
}

const STILL: Camera = { x: 0, y: 0, z: 0.06, zoom: 1, roll: 0, arc: 0, travels: false };
const REACH: { readonly [pace in Pace]: number } = { slow: 0.62, steady: 0.85, fast: 1 };

export function cameraAt(move: CameraMove, moment: CameraMoment, noise: Noise): Camera {
  const { progress, seconds, pace = 'steady', loop = false } = moment;
  const reach = REACH[pace];
  const along = loop ? (1 - Math.cos(2 * Math.PI * progress)) / 2 : eased(progress);
  const swing = (2 * along - 1) * reach;
  const moves: { readonly [move in CameraMove]: () => Partial<Camera> } = {
    locked: () => ({}),
    'pan-left': () => ({ x: -swing }),
    'pan-right': () => ({ x: swing }),
    'truck-left': () => ({ x: -swing, travels: true }),
    tracking: () => ({ x: swing, travels: true }),
    'tilt-up': () => ({ y: -swing * 0.9 }),
    'tilt-down': () => ({ y: swing * 0.9 }),
    'crane-up': () => ({ y: -swing * 0.9, z: 0.12 + 0.1 * along }),
    'crane-down': () => ({ y: swing * 0.9, z: 0.22 - 0.1 * along }),
    'push-in': () => ({ z: along * reach }),
    'pull-out': () => ({ z: (1 - along) * reach }),
    'zoom-in': () => ({ zoom: 1 + 0.34 * along * reach }),
    'zoom-out': () => ({ zoom: 1 + 0.34 * (1 - along) * reach }),
    orbit: () => ({ arc: swing, z: 0.2 }),
    aerial: () => ({ z: 0.8 * along * reach, y: mixNumber(-0.3, 0.3, along) }),
    roll: () => ({ roll: swing * 0.07, z: 0.45 }),
    handheld: () => handheld(loop ? null : seconds, progress, noise),
    drift: () => ({ z: 0.05 + 0.3 * along, x: swing * 0.14 }),
  };
  return { ...STILL, ...moves[move]() };
}

/** Mostly even, with a soft start and landing: an operator, not a motor. */
const eased = (progress: number): number => mixNumber(clamp(progress), smooth(progress), 0.7);

function handheld(seconds: number | null, progress: number, noise: Noise): Partial<Camera> {
  if (seconds === null) {
    const turn = 2 * Math.PI * progress;
    return { z: 0.25, x: Math.sin(turn * 3) * 0.16, y: Math.cos(turn * 4) * 0.13, roll: Math.sin(turn * 2) * 0.008 };
  }
  const sway = (at: number, speed: number, amount: number) => (noise.ridge(seconds * speed + at, 3) - 0.5) * amount;
  return { z: 0.25, x: sway(0, 1.5, 0.55), y: sway(50, 1.7, 0.5), roll: sway(90, 1, 0.03) };
}

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Height that a push-in goes towards. */
  readonly vanishing: number;
  /** How far a camera at ±1 slides the nearest layer, as a part of the width. 0.12 unless given. */
  readonly reach?: number;
}

/** Where a layer lies on the frame. `depth` 0 is infinitely far, 1 is at the lens. */
export interface Projection {
  readonly scale: number;
  x(at: number): number;
  y(at: number): number;
}

export function project(camera: Camera, depth: number, frame: Frame): Projection {
  const middle = frame.width / 2;
  const answer = camera.travels ? 0.06 + 0.94 * depth : 0.3 + 0.7 * depth;
  const scale = (1 + camera.z * (0.035 + 0.3 * depth)) * camera.zoom;
  const right =
    camera.x * frame.width * (frame.reach ?? 0.12) * answer + camera.arc * frame.width * 0.1 * (depth - 0.45);
  const down = camera.y * frame.height * 0.1 * (0.3 + 0.7 * depth);
  return {
    scale,
    x: at => middle + (at - middle) * scale - right,
    y: at => frame.vanishing + (at - frame.vanishing) * scale - down,
  };
}

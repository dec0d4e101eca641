/** Four-legged animals as measures and colours; `quadruped.ts` is the one body that wears them. Units: a fox is about 0.8 high with its ears. */
import { type Colour, lch } from '../../palette.ts';
import type { Animal } from '../../words.ts';
import type { Joint } from '../brush.ts';

export interface Breed {
  readonly coat: Colour;
  readonly under: Colour;
  readonly legs: Colour;
  readonly dark: Colour;
  readonly tailTip: Colour;
  readonly eye: Colour;
  /** Shoulder to ground. */
  readonly leg: number;
  /** Half the distance between fore and hind legs. */
  readonly length: number;
  readonly torso: number;
  readonly limb: number;
  /** Neck from the withers to the skull, relative to the withers. */
  readonly neck: readonly [dx: number, dy: number, radius: number];
  /** Length of the head, its radius, radius of the muzzle, how far it hangs (radians). */
  readonly head: readonly [length: number, radius: number, muzzle: number, hang: number];
  readonly ears: { readonly shape: 'pointed' | 'round' | 'long' | 'flop'; readonly size: number };
  readonly tail: readonly Joint[];
  /** Length of the tufts. */
  readonly nap: number;
  readonly antlers?: boolean;
  readonly mane?: boolean;
  readonly hooves?: boolean;
  readonly face: 'canine' | 'feline' | 'long' | 'bear';
}

export const BREEDS: { readonly [animal in Animal]: Breed } = {
  fox: {
    coat: lch(0.64, 0.155, 48),
    under: lch(0.93, 0.02, 80),
    legs: lch(0.24, 0.03, 45),
    dark: lch(0.17, 0.015, 40),
    tailTip: lch(0.95, 0.012, 85),
    eye: lch(0.72, 0.14, 75),
    leg: 0.36,
    length: 0.27,
    torso: 0.112,
    limb: 0.9,
    neck: [0.13, -0.17, 0.094],
    head: [0.23, 0.088, 0.024, 0.24],
    ears: { shape: 'pointed', size: 0.16 },
    tail: [
      [-0.02, -0.03, 0.034],
      [-0.16, -0.04, 0.066],
      [-0.34, 0.0, 0.094],
      [-0.5, 0.045, 0.09],
      [-0.6, 0.05, 0.055],
      [-0.68, 0.035, 0.008],
    ],
    nap: 0.014,
    face: 'canine',
  },
  wolf: {
    coat: lch(0.55, 0.018, 260),
    under: lch(0.86, 0.01, 80),
    legs: lch(0.62, 0.02, 80),
    dark: lch(0.2, 0.01, 260),
    tailTip: lch(0.28, 0.012, 260),
    eye: lch(0.8, 0.13, 85),
    leg: 0.44,
    length: 0.3,
    torso: 0.132,
    limb: 1.05,
    neck: [0.15, -0.13, 0.125],
    head: [0.27, 0.1, 0.036, 0.26],
    ears: { shape: 'pointed', size: 0.115 },
    tail: [
      [-0.02, -0.01, 0.04],
      [-0.12, 0.06, 0.06],
      [-0.2, 0.2, 0.062],
      [-0.24, 0.32, 0.01],
    ],
    nap: 0.017,
    face: 'canine',
  },
  dog: {
    coat: lch(0.66, 0.09, 68),
    under: lch(0.9, 0.03, 80),
    legs: lch(0.74, 0.07, 72),
    dark: lch(0.2, 0.015, 50),
    tailTip: lch(0.86, 0.04, 80),
    eye: lch(0.36, 0.07, 55),
    leg: 0.4,
    length: 0.27,
    torso: 0.128,
    limb: 1.1,
    neck: [0.13, -0.18, 0.098],
    head: [0.23, 0.095, 0.046, 0.24],
    ears: { shape: 'flop', size: 0.13 },
    tail: [
      [-0.02, -0.03, 0.03],
      [-0.12, -0.12, 0.036],
      [-0.2, -0.26, 0.03],
      [-0.22, -0.36, 0.006],
    ],
    nap: 0.011,
    face: 'canine',
  },
  cat: {
    coat: lch(0.6, 0.05, 70),
    under: lch(0.92, 0.015, 80),
    legs: lch(0.7, 0.035, 75),
    dark: lch(0.26, 0.03, 60),
    tailTip: lch(0.3, 0.03, 60),
    eye: lch(0.8, 0.15, 120),
    leg: 0.28,
    length: 0.24,
    torso: 0.108,
    limb: 0.85,
    neck: [0.1, -0.1, 0.082],
    head: [0.13, 0.088, 0.05, 0.12],
    ears: { shape: 'pointed', size: 0.09 },
    tail: [
      [-0.02, -0.03, 0.028],
      [-0.16, -0.06, 0.03],
      [-0.26, -0.22, 0.03],
      [-0.22, -0.42, 0.026],
      [-0.15, -0.48, 0.012],
    ],
    nap: 0.007,
    face: 'feline',
  },
  deer: {
    coat: lch(0.57, 0.085, 55),
    under: lch(0.85, 0.03, 75),
    legs: lch(0.5, 0.065, 55),
    dark: lch(0.2, 0.02, 50),
    tailTip: lch(0.95, 0.01, 80),
    eye: lch(0.2, 0.02, 50),
    leg: 0.62,
    length: 0.31,
    torso: 0.15,
    limb: 0.8,
    neck: [0.19, -0.33, 0.082],
    head: [0.24, 0.072, 0.034, 0.42],
    ears: { shape: 'long', size: 0.13 },
    tail: [
      [-0.02, -0.02, 0.035],
      [-0.07, 0.05, 0.04],
      [-0.08, 0.12, 0.008],
    ],
    nap: 0.006,
    antlers: true,
    hooves: true,
    face: 'long',
  },
  horse: {
    coat: lch(0.42, 0.075, 45),
    under: lch(0.46, 0.075, 45),
    legs: lch(0.27, 0.035, 40),
    dark: lch(0.16, 0.015, 40),
    tailTip: lch(0.16, 0.015, 40),
    eye: lch(0.16, 0.02, 40),
    leg: 0.66,
    length: 0.36,
    torso: 0.185,
    limb: 1.12,
    neck: [0.24, -0.32, 0.12],
    head: [0.32, 0.094, 0.052, 0.62],
    ears: { shape: 'pointed', size: 0.085 },
    tail: [
      [-0.02, -0.06, 0.05],
      [-0.13, -0.02, 0.055],
      [-0.2, 0.16, 0.06],
      [-0.22, 0.36, 0.05],
      [-0.2, 0.46, 0.01],
    ],
    nap: 0.002,
    mane: true,
    hooves: true,
    face: 'long',
  },
  bear: {
    coat: lch(0.36, 0.05, 50),
    under: lch(0.4, 0.05, 55),
    legs: lch(0.28, 0.04, 48),
    dark: lch(0.15, 0.012, 40),
    tailTip: lch(0.36, 0.05, 50),
    eye: lch(0.2, 0.02, 50),
    leg: 0.4,
    length: 0.32,
    torso: 0.2,
    limb: 1.9,
    neck: [0.17, -0.05, 0.165],
    head: [0.22, 0.12, 0.056, 0.3],
    ears: { shape: 'round', size: 0.055 },
    tail: [
      [-0.02, 0, 0.04],
      [-0.06, 0.05, 0.02],
    ],
    nap: 0.016,
    face: 'bear',
  },
};

/** Faces of animals from the front, as outlines: the skull is about 1 wide, its middle at 0,0. */
import { outline, type Point } from '../brush.ts';
import type { Breed } from './breeds.ts';

export interface Mask {
  readonly outline: readonly Point[];
  readonly eyes: { readonly x: number; readonly y: number; readonly size: number; readonly slant: number };
  readonly nose: { readonly y: number; readonly size: number };
  /** Half the width of the bridge at the eyes and at the nose. */
  readonly bridge: readonly [number, number];
  readonly ear: readonly Point[];
  readonly slit: boolean;
  /** Two nostrils in a soft lip instead of a button. */
  readonly nostrils?: boolean;
}

/** The right half, from the crown down to the chin; the left is its mirror. */
const half = (points: readonly Point[]): Point[] => [
  ...points,
  ...points
    .filter(([x]) => x > 0.001)
    .map(([x, y]): Point => [-x, y])
    .reverse(),
];

export const MASKS: { readonly [face in Exclude<Breed['face'], 'trunk'>]: Mask } = {
  canine: {
    outline: half(
      outline(
        '0 -0.45, 0.2 -0.44, 0.38 -0.32, 0.48 -0.08, 0.6 0.12, 0.66 0.27, 0.46 0.3, 0.3 0.4, 0.19 0.53, 0.1 0.61, 0 0.63',
      ),
    ),
    eyes: { x: 0.215, y: -0.045, size: 0.078, slant: 0.3 },
    nose: { y: 0.455, size: 0.082 },
    bridge: [0.12, 0.07],
    ear: outline('0.15 -0.38, 0.2 -0.72, 0.36 -1.04, 0.41 -1.05, 0.53 -0.72, 0.52 -0.2, 0.34 -0.24'),
    slit: true,
  },
  dog: {
    outline: half(
      outline('0 -0.47, 0.2 -0.46, 0.37 -0.34, 0.45 -0.1, 0.43 0.12, 0.35 0.3, 0.29 0.47, 0.2 0.58, 0.08 0.63, 0 0.63'),
    ),
    eyes: { x: 0.2, y: -0.06, size: 0.074, slant: 0.12 },
    nose: { y: 0.36, size: 0.1 },
    bridge: [0.13, 0.1],
    ear: outline('0.24 -0.44, 0.42 -0.42, 0.6 -0.2, 0.66 0.12, 0.6 0.38, 0.48 0.36, 0.4 0.1, 0.36 -0.2'),
    slit: false,
  },
  feline: {
    outline: half(
      outline('0 -0.44, 0.22 -0.42, 0.42 -0.28, 0.52 -0.02, 0.55 0.2, 0.42 0.36, 0.26 0.46, 0.1 0.52, 0 0.52'),
    ),
    eyes: { x: 0.225, y: -0.03, size: 0.1, slant: 0.2 },
    nose: { y: 0.255, size: 0.055 },
    bridge: [0.1, 0.07],
    ear: outline('0.12 -0.38, 0.26 -0.66, 0.44 -0.84, 0.49 -0.82, 0.54 -0.5, 0.5 -0.12, 0.36 -0.22'),
    slit: true,
  },
  long: {
    outline: half(
      outline('0 -0.52, 0.17 -0.5, 0.29 -0.34, 0.31 -0.1, 0.24 0.2, 0.19 0.48, 0.2 0.68, 0.13 0.82, 0 0.85'),
    ),
    eyes: { x: 0.268, y: -0.12, size: 0.07, slant: 0.5 },
    nose: { y: 0.68, size: 0.12 },
    bridge: [0.14, 0.11],
    ear: outline('0.2 -0.36, 0.36 -0.52, 0.62 -0.72, 0.74 -0.7, 0.66 -0.46, 0.46 -0.26, 0.28 -0.24'),
    slit: false,
  },
  horse: {
    outline: half(
      outline('0 -0.6, 0.15 -0.58, 0.25 -0.42, 0.28 -0.16, 0.22 0.2, 0.17 0.56, 0.19 0.8, 0.15 0.98, 0 1.02'),
    ),
    eyes: { x: 0.245, y: -0.14, size: 0.062, slant: 0.55 },
    nose: { y: 0.84, size: 0.13 },
    bridge: [0.14, 0.11],
    ear: outline('0.1 -0.5, 0.12 -0.72, 0.2 -0.94, 0.25 -0.94, 0.32 -0.74, 0.31 -0.5, 0.22 -0.44'),
    slit: false,
    nostrils: true,
  },
  ox: {
    outline: half(
      outline('0 -0.5, 0.2 -0.49, 0.33 -0.38, 0.36 -0.14, 0.27 0.14, 0.22 0.38, 0.28 0.56, 0.22 0.72, 0 0.76'),
    ),
    eyes: { x: 0.29, y: -0.1, size: 0.062, slant: 0.35 },
    nose: { y: 0.56, size: 0.17 },
    bridge: [0.16, 0.14],
    ear: outline('0.3 -0.32, 0.5 -0.44, 0.76 -0.46, 0.84 -0.36, 0.72 -0.22, 0.5 -0.16, 0.34 -0.18'),
    slit: false,
    nostrils: true,
  },
  lion: {
    outline: half(
      outline(
        '0 -0.46, 0.24 -0.44, 0.44 -0.3, 0.52 -0.04, 0.5 0.16, 0.42 0.34, 0.36 0.54, 0.24 0.68, 0.1 0.74, 0 0.74',
      ),
    ),
    eyes: { x: 0.225, y: -0.06, size: 0.074, slant: 0.28 },
    nose: { y: 0.36, size: 0.1 },
    bridge: [0.13, 0.12],
    ear: outline('0.28 -0.4, 0.36 -0.56, 0.5 -0.64, 0.62 -0.56, 0.63 -0.4, 0.54 -0.24, 0.42 -0.26'),
    slit: false,
  },
  hare: {
    outline: half(outline('0 -0.42, 0.2 -0.4, 0.36 -0.24, 0.42 0.02, 0.44 0.22, 0.34 0.4, 0.2 0.5, 0.08 0.54, 0 0.54')),
    eyes: { x: 0.27, y: -0.04, size: 0.086, slant: 0.12 },
    nose: { y: 0.25, size: 0.052 },
    bridge: [0.1, 0.07],
    ear: outline('0.06 -0.36, 0.06 -0.8, 0.16 -1.18, 0.24 -1.22, 0.33 -1.0, 0.32 -0.66, 0.24 -0.3'),
    slit: false,
  },
  bear: {
    outline: half(outline('0 -0.5, 0.28 -0.48, 0.5 -0.3, 0.6 -0.02, 0.56 0.24, 0.4 0.42, 0.24 0.54, 0.1 0.6, 0 0.6')),
    eyes: { x: 0.2, y: -0.06, size: 0.05, slant: 0.15 },
    nose: { y: 0.33, size: 0.11 },
    bridge: [0.16, 0.13],
    ear: outline('0.3 -0.42, 0.38 -0.64, 0.52 -0.7, 0.64 -0.6, 0.64 -0.42, 0.54 -0.24, 0.42 -0.3'),
    slit: false,
  },
};

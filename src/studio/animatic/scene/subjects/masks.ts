/** Faces of animals from the front, as outlines (`data/masks.json`, the right half of each): the skull is about 1 wide, its middle at 0,0. */
import { outline, type Point } from '../brush.ts';
import rows from './data/masks.json' with { type: 'json' };

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

export const MASKS = Object.fromEntries(
  Object.entries(rows).map(([face, row]) => [
    face,
    { ...row, outline: half(outline(row.outline)), ear: outline(row.ear) },
  ]),
) as unknown as { readonly [face in keyof typeof rows]: Mask };

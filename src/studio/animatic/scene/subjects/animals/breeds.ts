/** Four-legged animals as measures and colours (`data/breeds.json`); `quadruped.ts` is the one body that wears them. Units: a fox is about 0.8 high with its ears. */

import type { Animal } from '../../../../shared/vocabulary.ts';
import { type Colour, lch, mix } from '../../../prompt/palette.ts';
import { type Joint, outline, type Point } from '../../brush.ts';
import rows from '../data/breeds.json' with { type: 'json' };
import faces from '../data/masks.json' with { type: 'json' };

export interface Breed {
  /** Beside a fox, a rabbit is small and an elephant is not; default: 1. */
  readonly stature?: number;
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
  readonly ears: { readonly shape: 'pointed' | 'round' | 'long' | 'flop' | 'hare' | 'fan'; readonly size: number };
  readonly tail: readonly Joint[];
  /** Length of the tufts. */
  readonly nap: number;
  readonly antlers?: boolean;
  readonly mane?: boolean;
  readonly hooves?: boolean;
  readonly horns?: boolean;
  /** Humps on its back. */
  readonly hump?: 1 | 2;
  /** A trunk and tusks instead of a muzzle. */
  readonly trunk?: boolean;
  /** A lion's mane: its colour. */
  readonly collar?: Colour;
  readonly pattern?: 'stripes' | 'spots' | 'patches' | 'panda' | 'blaze';
  readonly face: 'canine' | 'dog' | 'feline' | 'lion' | 'hare' | 'long' | 'horse' | 'ox' | 'bear' | 'trunk';
}

/** Fields that hold a colour: lightness, chroma, hue in the table. */
const COLOURED = new Set(['coat', 'under', 'legs', 'dark', 'tailTip', 'eye', 'collar']);

export const BREEDS = Object.fromEntries(
  Object.entries(rows).map(([animal, row]) => [
    animal,
    Object.fromEntries(
      Object.entries(row).map(([field, value]) => [
        field,
        COLOURED.has(field) ? lch(...(value as [number, number, number])) : value,
      ]),
    ),
  ]),
) as unknown as { readonly [animal in Animal]: Breed };

/** The breed in the colour the words give it: a white horse, a black cat. Its markings stay. */
export function breedOf(animal: Animal, colour: readonly [number, number, number] | null | undefined): Breed {
  const breed = BREEDS[animal];
  if (!colour) return breed;
  const coat = mix(lch(...colour), breed.coat, 0.12);
  return { ...breed, coat, under: mix(coat, breed.under, 0.4), legs: mix(coat, breed.legs, 0.35) };
}

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
  Object.entries(faces).map(([face, row]) => [
    face,
    { ...row, outline: half(outline(row.outline)), ear: outline(row.ear) },
  ]),
) as unknown as { readonly [face in keyof typeof faces]: Mask };

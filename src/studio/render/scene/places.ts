/** Every place a prompt can name, and who paints it. */
import type { Place } from '../words.ts';
import { coast } from './places/coast.ts';
import { mountain, snowfield } from './places/mountain.ts';
import { ocean } from './places/ocean.ts';
import { river } from './places/river.ts';
import type { Stage } from './stage.ts';

export const PLACES: { readonly [place in Place]: (stage: Stage) => void } = {
  river, mountain, snowfield, coast, ocean,
  forest: mountain, city: mountain, desert: mountain, field: mountain, road: mountain, interior: mountain, space: mountain, underwater: mountain, abstract: mountain,
};

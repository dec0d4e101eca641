/**
 * What the writer knows of places, light and weather; the rows are in `data/places.json`. The words are those the studio's own renderer listens for
 * (`vocabulary.ts`): a prompt that says dawn is drawn at dawn. A test holds every phrase to the thing it stands under.
 */

import type { Place, TimeOfDay, WeatherKind } from '../vocabulary.ts';
import rows from './data/places.json' with { type: 'json' };

type Some = readonly [string, ...string[]];

interface Ground {
  /** Where a story without a place of its own is set. */
  readonly name: string;
  /** `on the river`, `in the forest`. */
  readonly on: string;
  /** How one gets to the other side of it. */
  readonly through: string;
  readonly edge: string;
  /** What can be reached there. */
  readonly far: string;
  /** Small things a camera finds. */
  readonly details: Some;
  readonly frozen?: Some;
  readonly trouble: Some;
  readonly frozenTrouble?: Some;
  readonly sound: string;
}

export const GROUNDS = rows.grounds as unknown as Readonly<Record<Place, Ground>>;
export const LIGHTS = rows.lights as unknown as Readonly<Record<TimeOfDay, Some>>;
export const WEATHER = rows.weather as unknown as Readonly<Record<WeatherKind, Some>>;

/** Every place a prompt can name, and who paints it. */
import type { Place } from '../../shared/vocabulary.ts';
import { abstract } from './places/abstract.ts';
import { city } from './places/city.ts';
import { cityAbove } from './places/city-above.ts';
import { club } from './places/club.ts';
import { coast } from './places/coast.ts';
import { desert } from './places/desert.ts';
import { forest } from './places/forest.ts';
import { interior } from './places/interior.ts';
import { ocean } from './places/ocean.ts';
import { field, mountain, road, snowfield } from './places/open.ts';
import { orbit, space, underwater } from './places/orbit.ts';
import { river } from './places/river.ts';
import type { Stage } from './stage.ts';

export const PLACES: { readonly [place in Place]: (stage: Stage) => void } = {
  abstract,
  city,
  'city-above': cityAbove,
  club,
  coast,
  desert,
  field,
  forest,
  interior,
  mountain,
  ocean,
  orbit,
  river: stage => (stage.shot.extras.includes('waterfall') && !stage.shot.winter ? forest : river)(stage),
  road,
  snowfield,
  space,
  underwater,
};

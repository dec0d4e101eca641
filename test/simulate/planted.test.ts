/** A simulation that finds nothing proves nothing: each of these bugs, put into the core, is seen within 1,000 seeds. */
import { expect, test } from 'vitest';
import { PLANTS } from './plants.ts';
import { catchPlants } from './pool.ts';

test('each planted bug is caught within 1,000 seeds', async () => {
  expect(PLANTS.length).toBeGreaterThanOrEqual(15);
  const caught = await catchPlants(PLANTS);
  expect(caught.filter(({ by }) => by === undefined).map(({ plant }) => plant)).toEqual([]);
});

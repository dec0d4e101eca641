/** A simulation that finds nothing proves nothing: each of these bugs, put into the core, is seen within 1,000 seeds. */
import { expect, test } from 'vitest';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { catchPlants } from './pool.ts';

test('each planted bug is caught within 1,000 seeds', async () => {
  expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(15);
  const caught = await catchPlants(PLANTED_BUGS);
  expect(caught.filter(({ by }) => by === undefined).map(({ plant }) => plant)).toEqual([]);
});

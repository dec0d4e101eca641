/** `npm run simulate -- --cluster` measures and tells; here costs are fixed, and what must hold of any team is held. */
import { describe, expect, test } from 'vitest';
import { grow } from './growth.ts';
import { FIXED_COSTS, LARGE, limitsOnPaper, type Shape } from './shape.ts';

const SMALL: Shape = {
  ...LARGE,
  workers: 4,
  leads: 4,
  runs: 24,
  instances: 20,
  inFlight: 30,
  perSecond: 10,
  generation: 20,
};

describe('a team of many', () => {
  test('finishes, and sends never more than the service allows, by the count of the service', async () => {
    for (const models of [1, 3]) {
      const { made, most, placesUsed } = await grow({ ...SMALL, models }, FIXED_COSTS);
      expect(made).toBe(24 * 20);
      expect(most.inFlight).toBe(30);
      expect(most.inAnySecond).toBeLessThanOrEqual(10);
      expect(placesUsed).toBeGreaterThan(0.85);
    }
  });

  test('tells the same every time', async () => {
    expect(await grow(SMALL, FIXED_COSTS, { seed: 7 })).toEqual(await grow(SMALL, FIXED_COSTS, { seed: 7 }));
  });

  test('of three hundred runs that wait for a place, hardly one asks whose turn it is not', async () => {
    const crowd = { ...SMALL, workers: 20, leads: 16, runs: 320, inFlight: 40 };
    const { placesUsed, refusals, used } = await grow(crowd, FIXED_COSTS, { part: 1_200 });
    expect(refusals).toBeLessThan(4);
    expect(used.lock).toBeLessThan(0.2);
    expect(placesUsed).toBeGreaterThan(0.95);
  });

  test('of which each may send so many a second, all come to their turn', async () => {
    const crowd = { ...SMALL, workers: 20, leads: 16, runs: 320, inFlight: 4_000, perSecond: 20 };
    const { made, most } = await grow(crowd, FIXED_COSTS, { part: 600 });
    expect(made).toBeGreaterThan(300);
    expect(most.inAnySecond).toBeLessThanOrEqual(20);
  });
});

test('on paper the service is the first limit of a large team, and a lock that is asked for in vain a later one', () => {
  expect(limitsOnPaper(LARGE, FIXED_COSTS)[0]).toEqual(['places at the service', 400 / 60]);
  expect(limitsOnPaper({ ...LARGE, inFlight: 40_000, perSecond: 1_000 }, FIXED_COSTS, 3)[0]?.[0]).toBe(
    'lock of the key',
  );
});

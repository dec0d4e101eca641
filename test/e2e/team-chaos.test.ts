/** A team whose workers die while they lead: what the service was given, and what others made of it; `npm run chaos` tells how soon. */
import { expect, test } from 'vitest';
import type { Act } from '../chaos/team-shapes.ts';
import { teamTrial } from '../chaos/team-trial.ts';
import { PATIENCE } from '../support/patience.ts';

const ACTS: readonly Act[] = ['kill lead', 'kill lead'];

test('two workers die for ever while they lead: nothing is sent twice, nothing is lost, and others lead', async () => {
  const { submits, takeovers, faults } = await teamTrial({
    ...{ seed: 7, runs: 2, steps: 16, workers: 3, every: 1.5, most: PATIENCE / 1_000, isTimed: false },
    act: n => ACTS[n],
  });
  expect(faults).toEqual([]);
  expect(submits).toBe(16);
  expect(takeovers.length).toBeGreaterThan(0);
});

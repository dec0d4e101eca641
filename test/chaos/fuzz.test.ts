/** A small set of `npm run fuzz`: every kind, in children of its own. A fault names its seed. */
import { expect, test } from 'vitest';
import { SLOTS } from './fuzz-kinds.ts';
import { fuzz } from './fuzz-session.ts';

test('damaged files, journals, streams and requests: no crash, no hang, every error a sentence', async () => {
  const { cases, kinds, faults } = await fuzz({ seed: 1_000_000, seeds: 400, children: 2 });
  expect(faults).toEqual([]);
  expect(cases).toBe(400);
  expect(new Set(kinds.keys())).toEqual(new Set(SLOTS));
});

/** A small set of `npm run fuzz`: every kind, in a child of its own. A fault names its seed. */
import { expect, test } from 'vitest';
import { SLOTS } from './fuzz-kinds.ts';
import { fuzz } from './fuzz-session.ts';

/** Ten times through the table of kinds. */
const CASES = 10 * SLOTS.length;
/** Milliseconds: what hangs is named before the test itself runs out of time. How quick a case is, `npm run fuzz` holds. */
const HANGS = 45_000;

test(`${CASES} damaged files, journals, streams and requests: no crash, no hang, every error a sentence`, async () => {
  const { cases, kinds, faults } = await fuzz({ seed: 1_000_000, seeds: CASES, children: 1, longest: HANGS });
  expect(faults).toEqual([]);
  expect(cases).toBe(CASES);
  expect(new Set(kinds.keys())).toEqual(new Set(SLOTS));
});

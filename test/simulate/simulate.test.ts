/** `npm run simulate` tries thousands; these few hundred are for every day. */
import { expect, test } from 'vitest';
import { trySeeds } from './pool.ts';
import { runTrial } from './trial.ts';
import { VICES } from './vices.ts';

test('300 worlds with every vice, deaths at any await and two films at once: all invariants hold', async () => {
  const { broken, tally } = await trySeeds(1, 300);
  expect(broken).toEqual([]);
  const faults = [...VICES, 'deaths', 'interrupted', 'clock jump', 'cut', 'unreached', 'disk full', 'disk error'];
  expect(faults.filter(name => !tally.has(name))).toEqual([]);
});

test('a seed tells the same story every time', async () => {
  const first = await runTrial(13, { trace: true });
  const second = await runTrial(13, { trace: true });
  expect(second.trace).toEqual(first.trace);
  expect(first.trace.length).toBeGreaterThan(20);
});

/**
 * Nothing is paid for twice and nothing is lost: whoever is killed, whenever. A small set of `npm run crash`; a fault tells in
 * `faults` what it is, and the run above it which film to look at again.
 */
import { expect, test } from 'vitest';
import { crash } from '../chaos/crash-session.ts';

const SEED = 20_261_122;
const tell = (line: string) => console.log(line);

test('the runner is killed at named points and at any moment: every film is finished, each request was taken once', {
  timeout: 900_000,
}, async () => {
  const { killed, faults, at } = await crash({ seed: SEED, kills: { runner: 30, studio: 0 }, sideBySide: 2, tell });
  expect(faults).toEqual([]);
  expect(killed.runner).toBeGreaterThanOrEqual(30);
  expect(at.size).toBeGreaterThan(6);
});

test('the studio is killed: the runner waits, every film is finished, each request was taken once', {
  timeout: 900_000,
}, async () => {
  const { killed, faults } = await crash({ seed: SEED, kills: { runner: 0, studio: 10 }, sideBySide: 2, tell });
  expect(faults).toEqual([]);
  expect(killed.studio).toBeGreaterThanOrEqual(10);
});

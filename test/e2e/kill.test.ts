/**
 * Nothing is paid for twice and nothing is lost: whoever is killed, whenever. `npm run crash` kills hundreds, at any moment; a fault tells
 * in `faults` what it is, and the run above it what happened.
 */
import { expect, test } from 'vitest';
import { FAILPOINTS, type Failpoint } from '../../src/model/run/failpoint.ts';
import { crash } from '../chaos/crash-session.ts';

const SEED = 20_261_122;
const tell = (line: string) => console.log(line);

/** The first time that a runner comes to each point. What is left of a film shrinks with each life: points of the POST come first. */
const DEATHS: readonly (readonly Failpoint[])[] = [
  ['intent-durable', 'post-sent', 'post-answered', 'id-kept', 'generated', 'downloading'],
  ['id-durable', 'download-placed', 'succeeded-kept', 'output-placing', 'lock-writing', 'journal-committing'],
];

test(`the runner is killed at each of the ${FAILPOINTS.length} named points: every film is finished, each request was taken once`, async () => {
  const { killed, faults, at } = await crash({
    ...{
      seed: SEED,
      kills: { runner: FAILPOINTS.length, studio: 0 },
      deaths: DEATHS.map(points => points.map(point => ({ point, nth: 1 }))),
    },
    ...{ host: 'ready', sideBySide: 1, tell },
  });
  expect(faults).toEqual([]);
  expect([...at.keys()].toSorted()).toEqual([...FAILPOINTS].toSorted());
  expect(killed.runner).toBe(FAILPOINTS.length);
});

const STUDIO_KILLS = 3;

test(`the studio is killed ${STUDIO_KILLS} times or more: the runner waits, every film is finished, each request was taken once`, async () => {
  const { killed, faults } = await crash({
    seed: SEED,
    kills: { runner: 0, studio: STUDIO_KILLS },
    sideBySide: 1,
    tell,
  });
  expect(faults).toEqual([]);
  expect(killed.studio).toBeGreaterThanOrEqual(STUDIO_KILLS);
});

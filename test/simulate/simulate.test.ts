/** `npm run simulate` tries thousands of worlds; these few are for every day. A simulation that finds nothing proves nothing. */
import { afterAll, expect, test } from 'vitest';
import { PLANTED_BUGS, SHORT_FORM } from './planted-bugs.ts';
import { catchPlants, seenAtDoor, Threads, traceOf, trySeeds } from './pool.ts';
import { TROUBLE } from './vices.ts';

const SEEN_AT_DOOR = PLANTED_BUGS.filter(({ atDoor }) => atDoor !== undefined);

// One thread: loading the core costs as much as twenty worlds.
const threads = new Threads(1);
afterAll(() => threads[Symbol.asyncDispose]());

test(`${SHORT_FORM.length} worlds with every vice, deaths at any await and two films at once: all invariants hold`, async () => {
  const { broken, tally } = await trySeeds(threads, SHORT_FORM);
  expect(broken).toEqual([]);
  expect(TROUBLE.filter(name => !tally.has(name))).toEqual([]);
});

test(`each of ${PLANTED_BUGS.length} bugs that are put into the core is seen in one of these worlds`, async () => {
  expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(15);
  expect(PLANTED_BUGS.filter(({ hint }) => !SHORT_FORM.includes(hint))).toEqual([]);
  const caught = await catchPlants(threads, PLANTED_BUGS, SHORT_FORM);
  expect(caught.filter(({ by }) => by === undefined).map(({ plant }) => plant)).toEqual([]);
});

test('the checker, which sees the door of the service alone, sees what can be seen there', async () => {
  const seen = await seenAtDoor(threads, SEEN_AT_DOOR);
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.filter(({ by }) => by === undefined)).toEqual([]);
});

test('a seed tells the same story every time', async () => {
  const first = await traceOf(threads, 12);
  expect(await traceOf(threads, 12)).toEqual(first);
  expect(first.length).toBeGreaterThan(20);
});

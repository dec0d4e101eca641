/** `npm run simulate` tries thousands of worlds; these few are for every day. A simulation that finds nothing proves nothing. */
import { afterAll, expect, test } from 'vitest';
import { PLANTED_BUGS, SHORT_FORM } from './planted-bugs.ts';
import { catchPlants, seenAtDoor, Threads, traceOf, trySeeds } from './pool.ts';
import { VICES } from './vices.ts';

/** Bugs that show in what a service is sent. */
const NAMES: ReadonlySet<string> = new Set([
  'absent is believed of one look, at once',
  'any history is taken for whole',
  'a lost answer is taken for a request that never arrived',
  'equal requests are each sent',
  'what an earlier run sent is not taken up',
  'what another film is at is not seen',
  'it is sent before its intent is on the disk',
  'the client repeats a POST by itself',
  'the budget is asked before the journal is locked, and not again',
  'a budget knows what is spent, and nothing of what is in flight',
  'a budget counts what this run has sent alone',
]);
const SEEN_AT_DOOR = PLANTED_BUGS.filter(({ name }) => NAMES.has(name));
/** Few, in which each of them shows. */
const SEEDS_OF_DOOR = [24, 26, 34, 141];

// One thread: loading the core costs as much as twenty worlds.
const threads = new Threads(1);
afterAll(() => threads[Symbol.asyncDispose]());

test(`${SHORT_FORM.length} worlds with every vice, deaths at any await and two films at once: all invariants hold`, async () => {
  const { broken, tally } = await trySeeds(threads, SHORT_FORM);
  expect(broken).toEqual([]);
  const ofTheWorld = ['deaths', 'interrupted', 'clock jump', 'cut', 'unreached', 'disk full', 'disk error'];
  const faults = [...VICES, 'refused what it took', ...ofTheWorld];
  expect(faults.filter(name => !tally.has(name))).toEqual([]);
});

test(`each of ${PLANTED_BUGS.length} bugs that are put into the core is seen in one of these worlds`, async () => {
  expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(15);
  expect(PLANTED_BUGS.filter(({ hint }) => !SHORT_FORM.includes(hint))).toEqual([]);
  const caught = await catchPlants(threads, PLANTED_BUGS, SHORT_FORM);
  expect(caught.filter(({ by }) => by === undefined).map(({ plant }) => plant)).toEqual([]);
});

test('the checker, which sees the door of the service alone, sees what can be seen there', async () => {
  expect(await seenAtDoor(threads, SEEN_AT_DOOR, SEEDS_OF_DOOR)).toEqual(SEEN_AT_DOOR.map(({ name }) => name));
});

test('a seed tells the same story every time', async () => {
  const first = await traceOf(threads, 12);
  expect(await traceOf(threads, 12)).toEqual(first);
  expect(first.length).toBeGreaterThan(20);
});

/** Two films of one project, run by two processes at once: what both ask for is paid for once, and limits hold for both together. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/run/generation-slots.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof.ts';
import { type Film, FilmSet, story } from './rig.ts';

const SHOT = `
shotlist: 1
name: shot
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox crosses a river }
`;
const MANY = (subject: string) => `
shotlist: 1
name: many
steps:
  shot:
    matrix: { seed: [1, 2, 3, 4] }
    model: V-T2V-A
    with: { prompt: ${subject}, seed: "\${{ matrix.seed }}" }
`;
const LOST = { is: 'unknown', message: 'the connection was reset' } as const;

let set: FilmSet;
let other: FilmSet;
beforeEach(() => {
  set = new FilmSet();
  other = new FilmSet(set);
  other.film = 'trailer';
});
afterEach(async () => {
  await other.die();
  await set.strike();
});

const posts = () => set.service.posts.length;
/** Both run to their ends. */
const bothEnd = (one: Film, two: Film) => Promise.all([set.toTheEnd(one), other.toTheEnd(two)]);

test('what one is waiting for, the other waits for too, and owns', async () => {
  const first = await set.shoot(SHOT);
  await first.happened('submit_accepted');
  const second = await other.shoot(SHOT);
  await set.clock.asleep(ms => ms === 1_000);
  await set.clock.advance(60_000);
  expect(story(second.events)).toEqual(['stream_changed']);
  set.service.finish('gen-1');
  const [, outcome] = await bothEnd(first, second);
  expect(outcome.counts).toMatchObject({ reused: 1 });
  expect(posts()).toBe(1);
});

test('what one was waiting for when it died, the other takes up', async () => {
  const first = await set.shoot(SHOT);
  await first.happened('submit_accepted');
  const second = await other.shoot(SHOT);
  await set.clock.asleep(ms => ms === 1_000);
  await set.die();
  await set.clock.advance(1_000);
  await second.happened('taken_up', 'shot');
  set.service.finish('gen-1');
  expect((await other.toTheEnd(second)).counts).toMatchObject({ succeeded: 1 });
  expect(posts()).toBe(1);
  const again = await set.shoot(SHOT);
  expect((await again.done).counts).toMatchObject({ reused: 1 });
  expect(posts()).toBe(1);
});

test('what nobody can tell of in one is sent by neither', async () => {
  set.settings = { proof: HOSTED_PROOF };
  other.settings = { proof: HOSTED_PROOF };
  set.service.listsHistory = false;
  set.service.trouble.push({ answer: LOST, take: true });
  const first = await set.shoot(SHOT);
  const second = await other.shoot(SHOT);
  expect((await set.toTheEnd(first)).is).toBe('failed');
  // While the first one's process lives, it is waited for; then what is lost is taken over, and nobody knows more.
  await set.die();
  expect((await other.toTheEnd(second)).is).toBe('failed');
  expect(second.events.find(event => event.type === 'failed')).toMatchObject({ failure: { code: 'submit_unknown' } });
  expect(posts()).toBe(1);
});

test('generations in flight are counted together', async () => {
  const limits = { ...DEFAULT_LIMITS, in_flight: 3 };
  set.settings = { limits };
  other.settings = { limits };
  set.service.isQuick = true;
  const first = await set.shoot(MANY('a fox'));
  const second = await other.shoot(MANY('a hare'));
  let most = 0;
  const under = () => [...set.service.records.values()].filter(({ status }) => status === 'processing').length;
  let isOver = false;
  const over = bothEnd(first, second).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    most = Math.max(most, under());
  }
  expect((await over).map(({ is }) => is)).toEqual(['done', 'done']);
  expect(posts()).toBe(8);
  expect(most).toBe(3);
});

test('submits in a second are counted together', async () => {
  const limits = { ...DEFAULT_LIMITS, submits_per_second: 2 };
  set.settings = { limits };
  other.settings = { limits };
  set.service.isQuick = true;
  const first = await set.shoot(MANY('a fox'));
  const second = await other.shoot(MANY('a hare'));
  await bothEnd(first, second);
  const at = [...first.events, ...second.events]
    .flatMap(event => (event.type === 'submit_intended' ? [event.at] : []))
    .sort((a, b) => a - b);
  expect(at).toHaveLength(8);
  for (const [n, time] of at.entries()) if (n >= 2) expect(time - (at[n - 2] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

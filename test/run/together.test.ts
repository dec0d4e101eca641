/** Two films of one project, run by two processes at once: what both ask for is paid for once, and limits hold for both together. */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { settled } from '../support/settled.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { ONE_SHOT } from './pipelines.ts';
import { beside, posts, type RunRig, rig, type StartedRun, withRig } from './rig.ts';

const MANY = (subject: string) => `
steps:
  shot:
    matrix: { seed: [1, 2, 3, 4] }
    model: V-T2V-A
    with: { prompt: ${subject}, seed: "\${{ matrix.seed }}" }
`;

let other: RunRig;
withRig(() => {
  other = beside({ film: 'trailer' });
});

const bothWith = (settings: RunRig['settings']) => {
  for (const one of [rig, other]) one.settings = settings;
};
/** Both run to their ends. */
const bothEnd = (one: StartedRun, two: StartedRun) => Promise.all([rig.runToEnd(one), other.runToEnd(two)]);

test('of requests that wait for a place that another film holds, the one with the longest remaining path is sent first', async () => {
  const limits = { ...DEFAULT_LIMITS, in_flight: 4 };
  bothWith({ limits });
  const first = await rig.start(MANY('a fox'));
  await rig.service.arrived(4);
  const second = await other.start(`
steps:
  short: { model: V-T2V-A, matrix: { part: 1..3 }, with: { prompt: "short \${{ matrix.part }}" } }
  words: { run: [echo, long] }
  long: { model: V-T2V-A, with: { prompt: "\${{ steps.words.stdout }}" } }
  longer: { model: V-RF, with: { input_video: "\${{ steps.long.result_url }}", aspect_ratio: "9:16", prompt: d } }
`);
  await second.happened('succeeded', 'words' as InstanceKey);
  for (let n = 0; n < 5; n++) await settled();
  for (let n = 1; n <= 2; n++) {
    rig.service.finish(`gen-${n}`);
    while (posts() < 4 + n) {
      await settled();
      await rig.clock.advance(1_000);
    }
  }
  expect(rig.service.posts.slice(4).map(({ prompt }) => prompt)).toEqual(['long', 'short 1']);
  first.run.detach();
  second.run.detach();
  await Promise.all([first.done, second.done]);
});

test('a request that waits for a place that another film holds keeps no place from the others of its run', async () => {
  const limits = { ...DEFAULT_LIMITS, per_model: 1 };
  bothWith({ limits });
  const first = await rig.start(ONE_SHOT);
  await rig.service.arrived(1);
  const second = await other.start(`
concurrency: { g: 1 }
steps:
  held: { model: V-T2V-A, concurrency: g, with: { prompt: held } }
  longer: { model: V-RF, with: { input_video: "\${{ steps.held.result_url }}", aspect_ratio: "9:16", prompt: d } }
  free: { model: V-T2V-B, concurrency: g, with: { prompt: free } }
`);
  await second.happened('submit_accepted', 'free');
  expect(rig.service.posts.map(({ prompt }) => prompt).slice(1)).toEqual(['free']);
  for (const id of ['gen-2', 'gen-1']) rig.service.finish(id);
  rig.service.isQuick = true;
  expect((await bothEnd(first, second)).map(({ is }) => is)).toEqual(['done', 'done']);
});

test('a generation whose answer was lost is in flight: two runs at once, and one after a kill, keep to the limit', async () => {
  const limits = { ...DEFAULT_LIMITS, in_flight: 3 };
  bothWith({ limits, proof: HOSTED_PROOF });
  rig.service.isQuick = true;
  rig.service.takes = 20_000;
  // It lists what it took 12 seconds later, and most answers are cut.
  const lag = 12;
  rig.service.lists = rows => rows.filter(row => (row.enqueued_at ?? 0) * 1000 <= rig.clock.now() - lag * 1000);
  for (let n = 0; n < 20; n++) if (n % 10 < 7) rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  const first = await rig.start(MANY('a fox'));
  const second = await other.start(MANY('a hare'));
  let [most, isOver] = [0, false];
  const over = bothEnd(first, second).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    most = Math.max(most, rig.service.underWay.length);
  }
  await over;
  expect(most).toBeLessThanOrEqual(3);
});

test('submits in a second are counted together', async () => {
  const limits = { ...DEFAULT_LIMITS, submits_per_second: 2 };
  bothWith({ limits });
  rig.service.isQuick = true;
  const first = await rig.start(MANY('a fox'));
  const second = await other.start(MANY('a hare'));
  await bothEnd(first, second);
  const at = [...first.events, ...second.events]
    .flatMap(event => (event.type === 'submit_intended' ? [event.at] : []))
    .sort((a, b) => a - b);
  expect(at).toHaveLength(8);
  for (const [n, time] of at.entries()) if (n >= 2) expect(time - (at[n - 2] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

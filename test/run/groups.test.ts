/** `concurrency`: no more of a group are at work at once than it allows, over all of its steps, and what waits takes no place in it. */
import { expect, test } from 'vitest';
import type { Instance } from '../../src/model/plan.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { ReadyLines } from '../../src/run/engine/scheduler.ts';
import { WorkQueue } from '../../src/run/engine/work-queue.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { settled } from '../support/settled.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { rig, withRig } from './rig.ts';

withRig();

async function mostAtOnce(text: string): Promise<number> {
  const run = await rig.start(text);
  let [most, isOver] = [0, false];
  void run.done.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await settled();
    most = Math.max(most, rig.service.underWay.length);
    const [next] = rig.service.underWay;
    if (next) rig.service.finish(next.generation_id);
  }
  expect(await run.done).toMatchObject({ is: 'done' });
  return most;
}

const FILM = (group: string) => `
${group}steps:
  a: { model: V-T2V-A, concurrency: upscale, matrix: { seed: [1, 2, 3] }, with: { prompt: x, seed: "\${{ matrix.seed }}" } }
  b: { model: V-T2V-B, concurrency: upscale, matrix: { part: 1..3 }, with: { prompt: "y \${{ matrix.part }}" } }
`;

test('at most as many as it says, of all its steps together', async () => {
  expect(await mostAtOnce(FILM('concurrency: { upscale: 2 }\n'))).toBe(2);
});

test('a group without a number is one at a time', async () => {
  expect(await mostAtOnce(FILM(''))).toBe(1);
});

test('steps outside of it are not held up', async () => {
  const film = FILM('').replace('concurrency: upscale, matrix: { part', 'matrix: { part');
  expect(await mostAtOnce(film)).toBe(4);
});

test('what waits for its retry gives its place to the next', async () => {
  const run = await rig.start(FILM('defaults: { retry: { attempts: 2, backoff: 5m } }\n'));
  await rig.service.arrived(1);
  await settled();
  rig.service.fail('gen-1', 'no');
  await rig.service.arrived(2);
  await settled();
  expect(rig.service.underWay.map(({ generation_id }) => generation_id)).toEqual(['gen-2']);
  run.run.detach();
  await run.done;
});

test('a command and a request share a group', async () => {
  const run = await rig.start(`
steps:
  shot: { model: V-T2V-A, concurrency: one, with: { prompt: x } }
  long: { concurrency: one, run: [echo, done] }
`);
  await rig.service.arrived(1);
  for (let n = 0; n < 5; n++) await settled();
  rig.service.finish('gen-1');
  expect(await run.done).toMatchObject({ is: 'done' });
  // Which of them goes first is not promised; that one is over before the other begins is.
  const command = run.events.findIndex(event => event.type === 'succeeded' && event.key === 'long');
  const request = run.events.findIndex(event => event.type === 'generated');
  const [first, second] = command < request ? [command, 'submit_intended'] : [request, 'command_started'];
  expect(run.events.findIndex(({ type }) => type === second)).toBeGreaterThan(first);
});

const queueOf = (commands: number) =>
  new WorkQueue({
    ...{ limits: { ...DEFAULT_LIMITS, commands }, pipeline: { steps: [] }, clock: rig.clock },
    signal: new AbortController().signal,
  });

test('ten thousand that wait in one line start by the longest remaining path, with no more than the limit at once', async () => {
  const queue = queueOf(3);
  const order: number[] = [];
  let [now, most] = [0, 0];
  const all = Array.from({ length: 10_000 }, (_, n) =>
    queue.onThisMachine({ step: {}, remaining: n % 100 }, 'command', async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      order.push(n % 100);
      now -= 1;
    }),
  );
  await Promise.all(all);
  expect(most).toBe(3);
  // All but the first few, which met an empty queue.
  expect(order.slice(3)).toEqual(order.slice(3).toSorted((a, b) => b - a));
});

test('work that throws gives its place back, and a limit that is reached holds up only the work under it', async () => {
  const queue = queueOf(1);
  const concurrency = { name: 'one', limit: 1 };
  void queue.onThisMachine({ step: { concurrency }, remaining: 0 }, 'cut', () => new Promise(() => {}));
  void queue.onThisMachine({ step: { concurrency }, remaining: 9 }, 'command', async () => {});
  const other = { step: {}, remaining: 0 };
  await expect(queue.onThisMachine(other, 'command', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await queue.onThisMachine(other, 'command', async () => {});
});

test('of results that wait for their download, the one with the longest remaining path comes first', async () => {
  rig.settings = { limits: { ...DEFAULT_LIMITS, downloads: 1 } };
  const run = await rig.start(`
steps:
  first: { model: V-T2V-A, with: { prompt: a } }
  short: { model: V-T2V-A, with: { prompt: b } }
  long: { model: V-T2V-A, with: { prompt: c } }
  longer: { model: V-RF, with: { input_video: "\${{ steps.long.result_url }}", aspect_ratio: "9:16", prompt: d } }
`);
  await rig.service.arrived(3);
  await settled();
  const idOf = (prompt: string) =>
    [...rig.service.records.values()].find(({ request }) => request.prompt === prompt)?.generation_id ?? '';
  for (const prompt of ['a', 'b', 'c']) rig.service.finish(idOf(prompt));
  await run.happened('succeeded', 'short' as InstanceKey);
  const downloads = run.events.flatMap(event => (event.type === 'download_started' ? [event.key] : []));
  expect(downloads).toEqual(['first', 'long', 'short']);
  run.run.detach();
  await run.done;
});

test('a command whose input is still being downloaded holds no place', async () => {
  rig.settings = { limits: { ...DEFAULT_LIMITS, commands: 1 } };
  rig.fetches.push('never');
  const run = await rig.start(`
steps:
  slow: { run: [cat], files: { clip: "https://house.test/clip.mp4" } }
  quick: { run: [echo, done] }
`);
  await run.happened('succeeded', 'quick' as InstanceKey);
  expect(run.events.some(event => 'key' in event && event.key === 'slow' && event.type === 'command_started')).toBe(
    false,
  );
  run.run.detach();
  await rig.kill();
});

test('what nobody knows the end of stays in its group for as long as it may run', async () => {
  rig.settings = { proof: HOSTED_PROOF };
  rig.service.listsHistory = false;
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  const run = await rig.start(FILM(''));
  expect(await run.happened('failed')).toMatchObject({ failure: { code: 'submit_unknown' } });
  const began = rig.clock.now();
  for (let second = 0; second < 10; second++) await rig.clock.advance(1_000);
  const waits = run.events.filter(({ type }) => type === 'still_waiting').at(-1);
  const reason = 'upscale is held: the service may still be at a[seed=1]';
  expect(waits).toMatchObject({ key: expect.stringMatching(/^(a|b)\[/), what: 'admission', reason });
  await rig.clock.advance(14 * 60_000 - 10_000);
  await settled();
  expect(rig.service.posts.length).toBe(1);
  await rig.clock.advance(60_000);
  await rig.service.arrived(2);
  expect(rig.clock.now() - began).toBe(15 * 60_000);
  run.run.detach();
  await run.done;
});

test('of ten thousand ready instances only as many begin as could start soon; what lost its pick meanwhile never does', () => {
  const ready = (name: string, from: number, to: number, remaining = 5) =>
    Array.from({ length: to - from }, (_, at) => {
      return { key: `${name}-${from + at}`, step: { name, kind: 'run' }, remaining } as unknown as Instance;
    });
  const begun: { readonly key: InstanceKey; readonly over: () => void }[] = [];
  const leftOut = new Set<InstanceKey>();
  const stop = new AbortController();
  const lines = new ReadyLines(
    {
      state: { isWaiting: key => !leftOut.has(key) },
      stopping: { beginning: stop.signal },
      settings: { limits: DEFAULT_LIMITS },
    },
    ({ key }, over) => begun.push({ key, over }),
  );
  lines.add(ready('a', 0, 10_000));
  lines.add([...ready('b', 0, 2), ...ready('a', 10_000, 10_001, 60)]);
  expect(begun.slice(999).map(({ key }) => key)).toEqual(['a-999', 'b-0', 'b-1', 'a-10000']);
  leftOut.add('a-1000' as InstanceKey);
  for (const { over } of begun.slice(0, 500)) over();
  expect([begun.length, begun[1_003]?.key, begun.at(-1)?.key]).toEqual([1_503, 'a-1001', 'a-1500']);
  stop.abort();
  for (const { over } of begun.slice(500, 1_000)) over();
  expect(begun).toHaveLength(1_503);
});

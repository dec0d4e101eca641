/** Three limits of a generation: its time in the queue, the time it is worked on, and both. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/api/service.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { outcomeLine } from '../../src/show/text/opening-and-outcome.ts';
import { settled } from '../support/settled.ts';
import { eventLines, failureOf, ran, rig, type StartedRun, withRig } from './rig.ts';

const DAY = 24 * 3_600_000;

withRig();

const shot = (more: string) => `steps:\n  shot: { model: V-T2V-A, ${more}, with: { prompt: a fox } }\n`;
const is = (status: string) => {
  const record = rig.service.records.get('gen-1');
  if (record) rig.service.records.set('gen-1', { ...record, status });
};

async function queued(more: string): Promise<StartedRun> {
  const run = await rig.start(shot(more));
  await rig.service.arrived(1);
  is('queued');
  await settled();
  return run;
}
const minutes = async (n: number) => {
  for (let i = 0; i < n; i++) await rig.clock.advance(60_000);
};

describe('in the queue for too long', () => {
  test('it is left at the service, and the next run takes it up', async () => {
    const run = await queued('timeout: { queue: 10m }');
    await minutes(9);
    expect(failureOf(run)).toBeUndefined();
    await minutes(2);
    expect(await run.done).toMatchObject({ is: 'failed' });
    expect(failureOf(run)).toMatchObject({
      code: 'timed_out',
      goes_on: true,
      message: expect.stringMatching(/^still in the queue after .*; generation gen-1 goes on at the service/),
    });
    rig.service.finish('gen-1');
    expect((await ran(shot('timeout: { queue: 10m }'))).outcome).toMatchObject({ is: 'done' });
    expect(rig.service.posts.length).toBe(1);
  });

  test('that it has left the queue is found by one more look, where reads are rare', async () => {
    rig.settings = { pace: { slow: 3_600_000, least: 500 } };
    const run = await queued('timeout: { queue: 10m, run: 30m }');
    is('processing');
    await minutes(12);
    expect(failureOf(run)).toBeUndefined();
    await minutes(31);
    expect(await run.done).toMatchObject({ is: 'failed' });
    expect(failureOf(run)?.message).toMatch(/^not finished after 30m/);
  });

  test('a service that never tells the end of its queue is not held to `run`', async () => {
    const run = await queued('timeout: { run: 5m }');
    await minutes(60);
    expect(failureOf(run)).toBeUndefined();
    rig.service.finish('gen-1');
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
  });
});

test('`total` bounds both, and what is finished when it is over is not given up', async () => {
  rig.settings = { pace: { slow: 3_600_000, least: 500 } };
  const run = await queued('timeout: 20m');
  rig.service.finish('gen-1', { silently: true });
  await minutes(21);
  expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
});

describe.each([
  ['forward', DAY],
  ['back', -DAY],
])('a clock that is set %s by a day in between', (_, by) => {
  test.each([
    ['its time in the queue', 'queue', 'queued'],
    ['the time it is worked on', 'run', 'processing'],
    ['both together', 'total', 'processing'],
  ])('ends %s not too soon, and not too late', async (_, limit, status) => {
    const run = await rig.start(shot(`timeout: { ${limit}: 30m }`));
    await rig.service.arrived(1);
    is(status);
    await settled();
    await minutes(5);
    rig.clock.set(by);
    await minutes(24);
    expect(failureOf(run)).toBeUndefined();
    await minutes(3);
    expect(await run.done).toMatchObject({ is: 'failed' });
    expect(failureOf(run)).toMatchObject({ code: 'timed_out', goes_on: true });
  });
});

describe('on_timeout: cancel', () => {
  const cancelling = (answer: Answer<null>, then: string) => {
    rig.service.cancel = async () => {
      is(then);
      return answer;
    };
  };

  test('it is cancelled at the service, nothing of it is left open, and `retry` may ask for it anew', async () => {
    cancelling({ is: 'ok', value: null }, 'cancelled');
    const run = await queued('timeout: { queue: 10m }, on_timeout: cancel, retry: { attempts: 2, on: [timed_out] }');
    await minutes(12);
    await rig.service.arrived(2);
    await settled();
    rig.service.finish('gen-2');
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
    expect(eventLines(run.events)).toContain('shot cancel_asked');
    expect(rig.service.posts.length).toBe(2);
    expect(rig.journal.views.ledger.open).toEqual([]);
  });

  test('what was cancelled so may be billed: the run does not say that nothing was spent', async () => {
    cancelling({ is: 'ok', value: null }, 'cancelled');
    const run = await queued('timeout: { queue: 10m }, on_timeout: cancel');
    await minutes(12);
    await rig.runToEnd(run);
    expect(outcomeLine(run.events.reduce(reduce, emptyRunView()))).toMatch(/1 failed, nothing known to be spent$/);
  });

  test('a service that does not offer it is told of, and nothing is asked for beside it', async () => {
    cancelling({ is: 'absent', message: 'not offered' }, 'queued');
    const run = await queued('timeout: { queue: 10m }, on_timeout: cancel, retry: { attempts: 3, on: [timed_out] }');
    await minutes(12);
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'failed' });
    expect(failureOf(run)).toMatchObject({ code: 'timed_out', goes_on: true });
    expect(failureOf(run)?.message).toContain('could not be cancelled');
    expect(rig.service.posts.length).toBe(1);
  });
});

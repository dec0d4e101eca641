import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { HookName } from '../../src/settings/hook-settings.ts';
import { isolated } from '../../src/show/reporters/extra-reporter.ts';
import { type HookMessage, hookReporter } from '../../src/show/reporters/hook-reporter.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { failing, finished, key, planned, START, stamped, started } from '../text/recordings.ts';

function hooks(
  deliver: (message: HookMessage, signal: AbortSignal) => Promise<string | undefined>,
  wanted: readonly HookName[],
) {
  const clock = new FakeClock(START);
  const failed: string[] = [];
  const reporter = hookReporter({
    ...{ wanted: new Set(wanted), deliver, clock, fileOf: () => undefined },
    failed: (name, many, why) => failed.push(`${name} ${many} ${why}`),
  });
  return { clock, failed, reporter };
}

test('a failure and the end are told once each, with a sentence and the event', async () => {
  const heard: HookMessage[] = [];
  const { reporter, failed } = hooks(async message => void heard.push(message), ['failed', 'finished', 'waiting']);
  for (const event of failing) reporter.report(event);
  await reporter.close();
  expect(heard.map(({ name, id }) => [name, id])).toEqual([
    ['failed', 'run_1/17'],
    ['finished', 'run_1/20'],
  ]);
  expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
    ...{ v: 1, on: 'failed', run: 'run_1', name: 'teaser', pipeline: 'pipelines/teaser.yaml', service: 'hosted' },
    text: 'teaser: framed failed: input video is 40.0 s long, at most 30 s are taken',
    event: { type: 'failed', key: 'framed' },
  });
  expect(failed).toEqual([]);
});

const asked = (name: string, options: number): RecordedEvent =>
  ({
    ...{
      type: 'waiting_for',
      key: key(name),
      is: 'pick',
      ask: 'which?',
      count: 1,
      awaited: [],
      seq: options,
      at: START,
    },
    options: Array.from({ length: options }, (_, n) => ({ id: `${n}`, key: key(`shot[take=${n}]`) })),
  }) as RecordedEvent;

test('a question that grows is told once, and a thousand failures are twenty', async () => {
  const heard: string[] = [];
  const { reporter } = hooks(async ({ name }) => void heard.push(name), ['failed', 'waiting']);
  const names = Array.from({ length: 1_000 }, (_, n) => `s${n}`);
  const events = stamped([
    [
      0,
      started(
        'teaser',
        [...names, 'best', 'other'].map(name => planned(name, 'V-T2V-A', [], 0.1)),
      ),
    ],
    ...names.map(
      name => [1, { type: 'failed', key: key(name), failure: { code: 'request_invalid', message: 'no' } }] as const,
    ),
  ]);
  for (const event of events) reporter.report(event);
  for (const event of [asked('best', 1), asked('best', 2), asked('other', 1), asked('best', 3)]) reporter.report(event);
  await reporter.close();
  expect(Map.groupBy(heard, name => name).get('failed')).toHaveLength(20);
  expect(Map.groupBy(heard, name => name).get('waiting')).toHaveLength(2);
});

test('the run waits for nobody, its end for less than five seconds, and what was not told is said', async () => {
  const { reporter, clock, failed } = hooks(
    (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve('nobody answered'))),
    ['failed', 'finished'],
  );
  for (const event of failing) reporter.report(event);
  const closed = reporter.close();
  await clock.advance(4_400);
  expect(failed).toEqual([]);
  await clock.advance(100);
  await closed;
  expect(failed).toEqual(['failed 1 nobody answered', 'finished 1 nobody answered']);
});

test('a run that was interrupted waits a second', async () => {
  const { reporter, clock, failed } = hooks(
    (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve('nobody answered'))),
    ['finished'],
  );
  for (const event of stamped([
    [0, started('teaser', [])],
    [1, finished('interrupted', {}, 0)],
  ]))
    reporter.report(event);
  const closed = reporter.close();
  await clock.advance(1_100);
  await closed;
  expect(failed).toHaveLength(1);
});

test('whatever a reporter beside the screen throws ends it alone, and is told at the end', async () => {
  let closed = false;
  let reported = 0;
  const one = isolated(
    {
      report: () => {
        reported += 1;
        throw new Error('a bug');
      },
      close: async () => {
        closed = true;
        throw new Error('another');
      },
    },
    why => `it is not written: ${why}`,
  );
  for (const event of failing) one.report(event);
  expect([reported, one.problem()]).toEqual([1, 'it is not written: a bug']);
  await one.close();
  expect([closed, one.problem()]).toEqual([true, 'it is not written: a bug']);
});

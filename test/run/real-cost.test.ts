import { describe, expect, test } from 'vitest';
import { addUsd, usdOf } from '../../src/model/money.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { outcomeLine } from '../../src/show/text/opening-and-outcome.ts';
import { failedInstances } from '../../src/show/text/run-summary.ts';
import { offerCancelling } from './custom-service.ts';
import { TWO_SHOTS } from './pipelines.ts';
import { rig, type StartedRun, withRig } from './rig.ts';

withRig(() => {
  rig.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
});

/** Both shots are at the service. */
async function sent(): Promise<StartedRun> {
  const film = await rig.start(TWO_SHOTS);
  await film.happened('submit_accepted', 'shot[seed=1]');
  await film.happened('submit_accepted', 'shot[seed=2]');
  return film;
}

async function made(): Promise<StartedRun> {
  const film = await sent();
  rig.service.finish('gen-1');
  rig.service.finish('gen-2');
  await film.done;
  return film;
}

const bills = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'billed' ? [`${event.key}: ${event.cost}, not ${event.estimate}`] : []));
const verdictOf = ({ events }: StartedRun) =>
  outcomeLine(events.reduce(reduce, emptyRunView())).replace(/[\d.]+s/, '…s');

test('the history is read once, and only what differs is told', async () => {
  rig.service.costs = { 'gen-1': '0.48', 'gen-2': '0.5' };
  const film = await made();
  expect(bills(film)).toEqual(['shot[seed=1]: 0.48, not 0.5']);
  expect(rig.service.historyReads).toBe(1);
  expect((await film.done).usd).toBe(0.98);
  expect(film.events.at(-1)).toMatchObject({ type: 'run_finished', usd: 0.98 });
  expect(film.events.at(-1)).not.toHaveProperty('estimated');
  expect(verdictOf(film)).toBe('film is finished in …s: 2 made, $0.98 spent');
});

test('what could not be downloaded is spent in the run that had it made, and in no later one', async () => {
  rig.service.costs = { 'gen-1': '0.48' };
  rig.service.isQuick = true;
  const shot = 'steps:\n  shot: { model: V-T2V-A, with: { prompt: a fox } }\n';
  const outcomes: unknown[] = [];
  for (const failed of [4, 4, 0]) {
    for (let n = 0; n < failed; n++) rig.fetches.push({ is: 'failed', message: 'a page where the media should be' });
    const film = await rig.start(shot);
    const { is, usd } = await rig.runToEnd(film);
    outcomes.push([is, usd]);
    const [told] = failedInstances(film.events.reduce(reduce, emptyRunView()), '', 'in a line');
    expect(told?.text.cost).toBe(failed > 0 ? 'it cost $0.50' : undefined);
  }
  expect(outcomes).toEqual([
    ['failed', 0.5],
    ['failed', 0],
    ['done', 0],
  ]);
});

test('what is owned afterwards has cost what was billed: in the lock and in the next run', async () => {
  rig.service.costs = { 'gen-1': '0.48', 'gen-2': '0.5' };
  await made();
  expect(rig.lockText?.match(/cost: .*/g)).toEqual(['cost: 0.48', 'cost: 0.5']);
  const again = await rig.start(TWO_SHOTS);
  await again.done;
  expect(
    again.events.flatMap(event => (event.type === 'reused' && event.result.is === 'media' ? [event.result.cost] : [])),
  ).toEqual([0.48, 0.5]);
  expect(rig.service.historyReads).toBe(1);
});

test('what the service does not tell stays an estimate, and is called one', async () => {
  rig.service.costs = { 'gen-1': null, 'gen-2': '0.52' };
  const film = await made();
  expect(bills(film)).toEqual(['shot[seed=2]: 0.52, not 0.5']);
  expect(film.events.at(-1)).toMatchObject({ usd: 1.02, estimated: 0.5 });
  expect(verdictOf(film)).toBe('film is finished in …s: 2 made, about $1.02 spent');
});

test('what an earlier run is billed takes nothing from the estimate of this one', async () => {
  rig.service.costs = { 'gen-1': '0.48', 'gen-2': null };
  const film = await sent();
  rig.service.finish('gen-1');
  await film.happened('succeeded', 'shot[seed=1]');
  const next = await rig.start(TWO_SHOTS);
  rig.service.finish('gen-2');
  await next.done;
  expect(next.events.at(-1)).toMatchObject({ usd: 0.5, estimated: 0.5 });
});

test('a service without a history fails nothing', async () => {
  rig.service.listsHistory = false;
  const film = await made();
  expect(film.events.at(-1)).toMatchObject({ outcome: 'done', usd: 1, estimated: 1 });
  expect(verdictOf(film)).toBe('film is finished in …s: 2 made, about $1.00 spent');
});

test('a history that does not answer holds the end up for a quarter of a minute at most', async () => {
  Object.assign(rig.service, {
    history: (signal: AbortSignal) =>
      new Promise(resolve =>
        signal.addEventListener('abort', () => resolve({ is: 'unavailable', message: 'too late' })),
      ),
  });
  const film = made();
  await rig.clock.asleep(ms => ms === 15_000);
  await rig.clock.advance(15_000);
  expect((await film).events.at(-1)).toMatchObject({ outcome: 'done', estimated: 1 });
});

test('a model without a price has cost what is billed', async () => {
  rig.pricing = new Map();
  rig.service.costs = { 'gen-1': '0.1', 'gen-2': '0.2' };
  const film = await made();
  expect(bills(film)).toEqual(['shot[seed=1]: 0.1, not null', 'shot[seed=2]: 0.2, not null']);
  expect((await film.done).usd).toBe(0.3);
});

test('a generation that failed or was cancelled, and was billed all the same, is counted', async () => {
  rig.service.costs = { 'gen-1': '0.05', 'gen-2': '0' };
  offerCancelling(rig);
  rig.settings = { onInterrupt: 'cancel' };
  const film = await sent();
  film.run.detach();
  expect((await film.done).usd).toBe(0.05);
  expect(bills(film)).toEqual(['shot[seed=1]: 0.05, not null', 'shot[seed=2]: 0, not null']);
});

describe('a film that several processes made has the lock of an undisturbed film, to the byte', () => {
  const costs = { 'gen-1': '0.48', 'gen-2': '0.52' };
  /** The lock of a film that one process made, after which nothing of it is left. */
  const undisturbed = async () => {
    await made();
    const { lockText } = rig;
    await rig.removeAll();
    return lockText;
  };

  test.each<readonly [how: string, cutOff: (film: StartedRun) => Promise<void>]>([
    [
      'killed after the first result',
      async film => {
        rig.service.finish('gen-1');
        await film.happened('succeeded', 'shot[seed=1]');
      },
    ],
    [
      'killed while it asked what all of it had cost',
      async film => {
        const { history } = rig.service;
        const asked = new Promise<void>(resolve => {
          rig.service.history = () => {
            resolve();
            return new Promise(() => {});
          };
        });
        rig.service.finish('gen-1');
        rig.service.finish('gen-2');
        await asked;
        rig.service.history = history;
        for (const seed of [1, 2]) await film.happened('succeeded', `shot[seed=${seed}]`);
      },
    ],
  ])('%s', async (_, cutOff) => {
    for (const pricing of [rig.pricing, new Map()]) {
      rig.pricing = pricing;
      rig.service.costs = costs;
      const lock = await undisturbed();
      const film = await sent();
      await cutOff(film);
      await rig.kill();
      const paidBefore = film.events.filter(({ type }) => type === 'succeeded').length;
      const next = await rig.start(TWO_SHOTS);
      if (paidBefore < 2) rig.service.finish('gen-2');
      // What the run before has paid for is no expense of this one.
      expect((await next.done).usd).toBe(paidBefore < 2 ? 0.52 : 0);
      expect(next.events.filter(({ type }) => type === 'billed')).toHaveLength(2);
      expect(rig.lockText).toBe(lock);
      const third = await rig.start(TWO_SHOTS);
      await third.done;
      expect(bills(third)).toEqual([]);
      await rig.removeAll();
    }
  });

  test('the service tells the cost later: the next run within the hour asks for it, and later ones do not', async () => {
    rig.pricing = new Map();
    rig.service.costs = costs;
    const lock = await undisturbed();
    rig.service.costs = { 'gen-1': null, 'gen-2': null };
    expect((await made()).events.at(-1)).toMatchObject({ unpriced: 2 });
    expect(rig.lockText?.match(/cost: .*/g)).toEqual(['cost: null', 'cost: null']);
    rig.service.costs = costs;
    const next = await rig.start(TWO_SHOTS);
    await next.done;
    expect(bills(next)).toEqual(['shot[seed=1]: 0.48, not null', 'shot[seed=2]: 0.52, not null']);
    expect(rig.lockText).toBe(lock);
    const { historyReads } = rig.service;
    await (await rig.start(TWO_SHOTS)).done;
    expect(rig.service.historyReads).toBe(historyReads);
  });
});

test('a run that pays for nothing does not ask', async () => {
  const film = await rig.start('steps:\n  said: { run: echo a fox }\n');
  await film.done;
  expect(rig.service.historyReads).toBe(0);
});

test('sums do not drift, and a cost that is no number is none', () => {
  let sum = 0;
  for (let n = 0; n < 1000; n++) sum = addUsd(sum, 0.1);
  expect(sum).toBe(100);
  expect(addUsd(0.1, 0.2)).toBe(0.3);
  expect(['0.58', '1', '0.0000125', '', ' ', 'free', '-1', 'Infinity', null, undefined].map(usdOf)).toEqual([
    ...[0.58, 1, 0.0000125],
    ...[null, null, null, null, null, null, null],
  ]);
});

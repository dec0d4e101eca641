/** Rates of a service's settings, held across runs, kills and clocks; and a run that asks more slowly by itself. */
import { describe, expect, test } from 'vitest';
import type { ServiceRates } from '../../src/model/request-rates.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { settled } from '../support/settled.ts';
import { ofType, ran, rig, withQuickRig } from './rig.ts';

/** When each POST arrived, in seconds from the start; by the clock that nobody sets. */
let arrivals: number[];
withQuickRig(() => {
  arrivals = [];
  const began = rig.clock.now();
  const enqueue = rig.service.enqueue.bind(rig.service);
  rig.service.enqueue = request => {
    arrivals.push(Math.round((rig.clock.now() - began) / 100) / 10);
    return enqueue(request);
  };
});

const shots = (n: number, name = 'x', model = 'V-T2V-B') =>
  `shotlist: 1\nname: ${name}\nsteps:\n  shot: { model: ${model}, matrix: { part: 1..${n} }, with: { prompt: "${name} \${{ matrix.part }}" } }\n`;
const allow = (rates: ServiceRates) => {
  rig.settings = { rates, patience: 600_000 };
};

/** The most within any such time. */
const mostWithin = (seconds: number) =>
  Math.max(...arrivals.map(from => arrivals.filter(at => at >= from && at < from + seconds).length));

test('to a service that names no rate, all that may be in flight is sent at once', async () => {
  rig.settings = { limits: { ...DEFAULT_LIMITS, in_flight: 100, per_model: 100 } };
  expect((await ran(shots(60))).outcome).toMatchObject({ is: 'done' });
  expect(arrivals.length).toBe(60);
  expect(arrivals.at(-1)).toBe(arrivals[0]);
});

describe('so many in a time', () => {
  test('no more are sent in any minute, and it is told once, with when the next goes', async () => {
    allow({ per_minute: 2 });
    const run = await rig.start(shots(7));
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
    expect(arrivals.length).toBe(7);
    expect(mostWithin(60)).toBe(2);
    expect(arrivals.at(-1)).toBeGreaterThanOrEqual(180);
    expect(arrivals.at(-1)).toBeLessThan(190);
    const told = ofType(run, 'held_back');
    expect(told.filter(({ first }) => first).length).toBe(1);
    expect(told[0]).toMatchObject({ rate: 'per_minute', limit: 2 });
    expect(told.length).toBeLessThan(10);
  });

  test('days go by at so many a day, and kills change nothing of it', async () => {
    allow({ per_day: 3 });
    const day = 86_400;
    for (let n = 0; n < 4; n++) {
      const run = await rig.start(shots(8));
      await settled();
      await rig.clock.advance(3_600_000);
      expect(arrivals.length).toBe(3);
      await rig.kill();
      void run;
    }
    expect((await ran(shots(8))).outcome).toMatchObject({ is: 'done' });
    expect(arrivals.length).toBe(8);
    expect(mostWithin(day)).toBe(3);
  });
});

describe('so many at once', () => {
  const most = () => {
    let found = 0;
    const enqueue = rig.service.enqueue;
    rig.service.enqueue = async request => {
      const answer = await enqueue(request);
      found = Math.max(found, rig.service.underWay.length);
      return answer;
    };
    return () => found;
  };

  test('of the service, and of one model alone while the others go on', async () => {
    allow({ in_flight: 3, models: { 'V-T2V-A': { in_flight: 1 } } });
    const found = most();
    expect((await ran(shots(6))).outcome).toMatchObject({ is: 'done' });
    expect(found()).toBe(3);
    const only = most();
    expect((await ran(shots(4, 'y', 'V-T2V-A'))).outcome).toMatchObject({ is: 'done' });
    expect(only()).toBe(1);
  });
});

describe('asked too often', () => {
  const busy = (retryAfter?: number) =>
    ({
      answer: { is: 'refused', status: 429, message: 'slow down', ...(retryAfter !== undefined && { retryAfter }) },
      take: false,
    }) as const;

  test('sixty that wait are slowed down together, told once, and come back to their pace', async () => {
    for (let n = 0; n < 8; n++) rig.service.trouble.push(busy(5_000));
    const run = await rig.start(shots(60));
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
    const slower = ofType(run, 'pace_changed').filter(event => event.slower);
    expect(slower.length).toBe(1);
    expect(ofType(run, 'pace_changed').at(-1)).toMatchObject({ slower: false });
    // Those on their way at that moment, and then one after another.
    expect(arrivals.filter(at => at < 5).length).toBeLessThanOrEqual(32);
    expect(mostWithin(0.4)).toBeLessThanOrEqual(32);
    expect(rig.service.posts.length).toBe(68);
  });

  test('until tomorrow: nothing is sent before, what was sent comes home, and it is told with its time', async () => {
    const day = 24 * 3_600_000;
    rig.service.trouble.push({ answer: { is: 'accepted', id: 'gen-1' }, take: true }, busy(day));
    rig.settings = {
      limits: { in_flight: 1, per_model: 1, submits_per_second: 9, attempts: 3, commands: 2, downloads: 2 },
    };
    const run = await rig.start(shots(3));
    await settled();
    await rig.clock.advance(60_000);
    await run.happened('succeeded');
    for (let n = 0; n < 30; n++) await rig.clock.advance(60_000);
    expect(arrivals.length).toBe(2);
    expect(ofType(run, 'pace_changed')[0]).toMatchObject({ slower: true, reason: 'slow down' });
    await rig.clock.advance(day);
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
    expect(arrivals.length).toBe(4);
    expect(arrivals[2]).toBeGreaterThanOrEqual(86_400);
  });

  test('an interrupt ends the wait at once', async () => {
    rig.service.trouble.push(busy(24 * 3_600_000));
    const run = await rig.start(shots(1));
    await run.happened('pace_changed');
    run.run.detach();
    expect(await run.done).toMatchObject({ is: 'interrupted' });
    expect((await ran(shots(1))).outcome).toMatchObject({ is: 'done' });
  });

  test('while it is polled: all reads pause, the run does not call the service unreachable, and it ends well', async () => {
    rig.service.isQuick = false;
    rig.settings = { patience: 20_000, pace: { slow: 2_000, least: 500 } };
    const run = await rig.start(shots(4));
    await rig.service.arrived(4);
    await settled();
    const no = { is: 'unavailable', message: 'slow down', busy: true, retryAfter: 60_000 } as const;
    rig.service.readTrouble.push(no);
    await rig.clock.advance(4_000);
    rig.service.readTrouble.length = 0;
    const reads = rig.service.reads;
    await rig.clock.advance(50_000);
    expect(rig.service.reads - reads).toBeLessThanOrEqual(3);
    for (const id of ['gen-1', 'gen-2', 'gen-3', 'gen-4']) rig.service.finish(id);
    expect(await rig.runToEnd(run)).toMatchObject({ is: 'done' });
    expect(ofType(run, 'service_changed')).toEqual([]);
    expect(ofType(run, 'pace_changed').filter(event => event.slower).length).toBe(1);
  });
});

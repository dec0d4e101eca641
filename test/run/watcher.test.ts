/** One watcher for all runs of a process on one service: one stream for all of them, and each hears of its own generations. */
import { beforeEach, expect, test } from 'vitest';
import { type WatchedService, Watcher } from '../../src/run/requests/watcher.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeService } from './fake-service.ts';

let clock: FakeClock;
let service: FakeService;
let watcher: Watcher;
/** `opened` and `closed`, as they happened to the stream. */
let streams: string[];
beforeEach(() => {
  clock = new FakeClock();
  service = new FakeService(clock);
  streams = [];
  const listen = service.listen.bind(service);
  service.listen = listener => {
    streams.push('opened');
    const stop = listen(listener);
    return () => {
      streams.push('closed');
      stop();
    };
  };
  watcher = new Watcher(service, clock, { slow: 30_000, least: 500 });
});

const never = () => new AbortController().signal;

/** A run at this watcher, and all that it heard. */
function joined(): { readonly watched: WatchedService; readonly heard: string[] } {
  const heard: string[] = [];
  const watched = watcher.join({
    stream: (up, reason) => heard.push(up ? 'up' : `down: ${reason}`),
    well: () => heard.push('well'),
    trouble: reason => heard.push(`trouble: ${reason}`),
    refused: reason => heard.push(`refused: ${reason}`),
    busy: ({ message }) => heard.push(`busy: ${message}`),
  });
  return { watched, heard };
}

/** The service takes a generation, and the run follows it to its end: its id, and what it ended as. */
async function follow({ watched }: { readonly watched: WatchedService }) {
  const taken = await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' });
  if (taken.is !== 'accepted') throw new Error(taken.is);
  const { id } = taken;
  const end = watched.watch({ id, expected: undefined, progress: () => {}, signal: never() });
  return { id, end: end.then(over => over?.record.status) };
}

test('two runs share one stream: it is opened once, and each hears that it is up', async () => {
  const [one, two] = [joined(), joined()];
  await Promise.all([one.watched.listen(1_000, never()), two.watched.listen(1_000, never())]);
  expect(streams).toEqual(['opened']);
  expect([one.heard, two.heard]).toEqual([['up'], ['up']]);
});

test('a run that comes later hears how the stream stands', async () => {
  const one = joined();
  expect(one.heard).toEqual([]);
  await one.watched.listen(1_000, never());
  const two = joined();
  expect(two.heard).toEqual(['up']);
  await two.watched.listen(1_000, never());
  expect(streams).toEqual(['opened']);
  service.hangUp();
  // It is down, as everybody takes it to be who has heard nothing.
  const three = joined();
  service.comeBack();
  expect([one, two, three].map(({ heard }) => heard)).toEqual([
    ['up', 'down: the test hung up', 'up'],
    ['up', 'down: the test hung up', 'up'],
    ['up'],
  ]);
});

test('each hears of its own generations: the end of one wakes nobody else', async () => {
  const [one, two] = [joined(), joined()];
  await one.watched.listen(1_000, never());
  const [mine, theirs] = [await follow(one), await follow(two)];
  service.finish(mine.id);
  expect(await mine.end).toBe('succeeded');
  expect([one.heard, two.heard]).toEqual([['up', 'well'], ['up']]);
  expect(service.reads).toBe(1);
  service.fail(theirs.id, 'too dark');
  expect(await theirs.end).toBe('failed');
  expect([one.heard, two.heard]).toEqual([
    ['up', 'well'],
    ['up', 'well'],
  ]);
  expect(service.reads).toBe(2);
});

test('trouble with a generation is told to the run that follows it', async () => {
  const [one, two] = [joined(), joined()];
  await one.watched.listen(1_000, never());
  const [mine, theirs] = [await follow(one), await follow(two)];
  service.readTrouble.push({ is: 'unavailable', message: 'answered 503' });
  service.finish(mine.id);
  await clock.asleep(ms => ms < 20_000);
  expect([one.heard, two.heard]).toEqual([['up', 'trouble: answered 503'], ['up']]);
  service.finish(theirs.id);
  expect(await theirs.end).toBe('succeeded');
  await clock.advance(30_000);
  expect(await mine.end).toBe('succeeded');
});

test('when the stream comes back, one read of each finds what ended meanwhile, whoever follows it', async () => {
  const [one, two] = [joined(), joined()];
  await one.watched.listen(1_000, never());
  const [mine, theirs] = [await follow(one), await follow(two)];
  service.finish(mine.id, { silently: true });
  service.finish(theirs.id, { silently: true });
  service.hangUp();
  expect([await mine.end, await theirs.end]).toEqual(['succeeded', 'succeeded']);
  expect(service.reads).toBe(2);
});

test('the stream closes when the last run leaves, and opens again for the next', async () => {
  const [one, two] = [joined(), joined()];
  await one.watched.listen(1_000, never());
  one.watched.leave();
  expect(streams).toEqual(['opened']);
  service.hangUp();
  service.comeBack();
  expect([one.heard, two.heard]).toEqual([['up'], ['up', 'down: the test hung up', 'up']]);
  // Whoever stays is served as before.
  const theirs = await follow(two);
  service.finish(theirs.id);
  expect(await theirs.end).toBe('succeeded');
  two.watched.leave();
  expect(streams).toEqual(['opened', 'closed']);

  const next = joined();
  expect(next.heard).toEqual([]);
  await next.watched.listen(1_000, never());
  expect(next.heard).toEqual(['up']);
  expect(streams).toEqual(['opened', 'closed', 'opened']);
  const last = await follow(next);
  service.finish(last.id);
  expect(await last.end).toBe('succeeded');
});

test('leaving twice takes the stream from nobody', async () => {
  const [one, two] = [joined(), joined()];
  await one.watched.listen(1_000, never());
  one.watched.leave();
  one.watched.leave();
  expect(streams).toEqual(['opened']);
  two.watched.leave();
  two.watched.leave();
  expect(streams).toEqual(['opened', 'closed']);
});

test('one generation seemed to take a day, by a clock that was wrong: the next is looked at within ten minutes', async () => {
  const { watched } = joined();
  await watched.listen(1_000, never());
  await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' });
  service.finish('gen-1', { silently: true });
  const expected = 24 * 3_600_000;
  const end = watched.watch({ id: 'gen-1', expected, progress: () => {}, signal: never() });
  expect(await clock.asleep()).toBe(600_000);
  await clock.advance(600_000);
  expect(await end).toMatchObject({ record: { status: 'succeeded' } });
  watched.leave();
});

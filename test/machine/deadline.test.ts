/** Giving up after a while: what happens when the wait is called off while it lasts, and after it. */
import { expect, test } from 'vitest';
import { backoff } from '../../src/machine/time/backoff.ts';
import { deadline, watchdog, within } from '../../src/machine/time/deadline.ts';
import { FakeClock } from '../support/fake-clock.ts';

const reason = new Error('too late');

test('a deadline aborts its signal when the time is up, and once only', async () => {
  const clock = new FakeClock();
  const late = deadline(1000, { clock, reason });
  await clock.advance(999);
  expect(late.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(late.signal.reason).toBe(reason);
  late.clear();
  expect(late.signal.reason).toBe(reason);
});

test('a deadline that is cleared while it waits never aborts, and leaves no timer behind', async () => {
  const clock = new FakeClock();
  const late = deadline(1000, { clock, reason });
  await clock.advance(500);
  late.clear();
  expect(clock.sleeping).toEqual([]);
  await clock.advance(10_000);
  expect(late.signal.aborted).toBe(false);
});

test('a deadline is cleared at the end of its block', async () => {
  const clock = new FakeClock();
  let kept: AbortSignal | undefined;
  {
    using late = deadline(1000, { clock });
    kept = late.signal;
  }
  await clock.advance(10_000);
  expect([kept.aborted, clock.sleeping]).toEqual([false, []]);
});

test('without a limit nothing is waited for', async () => {
  const clock = new FakeClock();
  using late = deadline(undefined, { clock });
  await clock.advance(10_000_000);
  expect([late.signal.aborted, clock.sleeping]).toEqual([false, []]);
});

test('a watchdog waits for as long as it is fed', async () => {
  const clock = new FakeClock();
  using dog = watchdog(1000, { clock, reason });
  for (let n = 0; n < 5; n++) {
    await clock.advance(900);
    dog.feed();
  }
  await clock.advance(999);
  expect(dog.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(dog.signal.reason).toBe(reason);
});

test('a watchdog that is cleared while it waits never aborts', async () => {
  const clock = new FakeClock();
  const dog = watchdog(1000, { clock, reason });
  await clock.advance(500);
  dog.clear();
  await clock.advance(10_000);
  expect([dog.signal.aborted, clock.sleeping]).toEqual([false, []]);
});

test('work within a limit is told which of the two ended it', async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const until = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const limit = { ms: 1000, clock, signal: stop.signal, message: 'too late' };
  const late = within(limit, until).catch(error => error.message);
  await clock.advance(1000);
  expect(await late).toBe('too late');
  const stopped = within(limit, until).catch(error => error.message);
  stop.abort();
  expect([await stopped, clock.sleeping]).toEqual(['stopped', []]);
  expect(await within(limit, async signal => (signal.reason as Error).message)).toBe('stopped');
  expect(await within({ ...limit, signal: new AbortController().signal }, async () => 'done')).toBe('done');
  expect(clock.sleeping).toEqual([]);
});

test('waits double up to the longest, and are never less than what was asked for', () => {
  expect([0, 1, 2, 5, 6, 2000].map(attempt => backoff(attempt))).toEqual([250, 500, 1000, 8000, 10_000, 10_000]);
  expect(backoff(1, { first: 100, longest: 30_000 })).toBe(200);
  expect([0, 400, 60_000].map(retryAfter => backoff(0, { retryAfter }))).toEqual([250, 400, 60_000]);
});

/** A wall clock that was wrong, or a machine that slept, must not keep a run from looking. */
import { expect, test } from 'vitest';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeService } from './fake-service.ts';

const DAY = 24 * 3_600_000;

test('one generation seemed to take a day: the next is looked at within ten minutes all the same', async () => {
  const clock = new FakeClock();
  const service = new FakeService(clock);
  const hooks = { stream: () => {}, well: () => {}, trouble: () => {}, refused: () => {}, busy: () => {} };
  const watcher = new Watcher(service, clock, { slow: 30_000, least: 500 }).join(hooks);
  const over = new AbortController();
  await watcher.listen(1_000, over.signal);
  await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' });
  service.finish('gen-1', { silently: true });
  const watched = watcher.watch({ id: 'gen-1', expected: DAY, progress: () => {}, signal: over.signal });
  expect(await clock.asleep()).toBe(600_000);
  await clock.advance(600_000);
  expect(await watched).toMatchObject({ record: { status: 'succeeded' } });
  watcher.leave();
});

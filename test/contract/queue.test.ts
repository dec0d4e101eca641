/** The queue's cases at the service in memory that the run's tests trust. Over HTTP they are told with all the others. */
import { test } from 'vitest';
import { FakeService } from '../run/fake-service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { CASES, type CaseName, type Unable } from './queue.cases.ts';
import type { QueueFixture } from './service-fixture.ts';

const unable: Unable = {
  'the stream tells everybody who listens of a success, once': 'it has one listener: a run has no more',
  'who has left hears nothing more': 'it has one listener: a run has no more',
  'a history that is not offered is absent, which is not the same as empty':
    'it offers one; `listsHistory` takes it away where a story of a run needs that',
  'a cancelled generation ends as cancelled': 'a run never cancels',
  'what a model does not take is refused with a reason, and is no generation':
    'it knows no models: a story that wants a refusal scripts it',
  'every model of the catalog can be asked for by its id': 'it knows no models: the rig gives the prices itself',
  'a key that is not its own is refused everywhere, and nothing is taken': 'it asks for no key',
};

for (const name of Object.keys(CASES) as CaseName[]) {
  if (unable[name] === undefined) test(name, async () => CASES[name](inMemory()));
}

function inMemory(): QueueFixture {
  const service = new FakeService(new FakeClock());
  return {
    service,
    finish: async id => service.finish(id),
    fail: async (id, message) => service.fail(id, message),
  };
}

/** One set of cases, every service: the studio over real HTTP, plain and strict, and the one in memory that the run's tests trust. */
import { describe, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/host/clock.ts';
import { RenderRefusal } from '../../src/studio/render/job.ts';
import { FakeService } from '../run/rig.ts';
import { type Begun, KEY, testStudio } from '../studio/fake-studio.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { CASES, type CaseName, type Stand, type Unable } from './queue.cases.ts';

interface Implementation {
  readonly open: () => Promise<Stand>;
  readonly unable: Unable;
}

const implementations: Readonly<Record<string, Implementation>> = {
  'the studio': {
    open: () => atStudio(false),
    unable: {
      'a history that is not offered is absent, which is not the same as empty': 'it offers one',
      'a cancel that is not offered is absent, and changes nothing': 'it offers one',
    },
  },
  'the strict studio': {
    open: () => atStudio(true),
    unable: {
      'the history lists what was taken with the fields of its request': 'the document promises no history',
      'a cancelled generation ends as cancelled': 'the document promises no cancel',
    },
  },
  'the service in memory': {
    open: inMemory,
    unable: {
      'the stream tells everybody who listens of a success, once': 'it has one listener: a run has no more',
      'who has left hears nothing more': 'it has one listener: a run has no more',
      'a history that is not offered is absent, which is not the same as empty':
        'it offers one; `listsHistory` takes it away where a story of a run needs that',
      'a cancelled generation ends as cancelled': 'a run never cancels',
      'what a model does not take is refused with a reason, and is no generation':
        'it knows no models: a story that wants a refusal scripts it',
      'every model of the catalog can be asked for by its id': 'it knows no models: the rig gives the prices itself',
      'a key that is not its own is refused everywhere, and nothing is taken': 'it asks for no key',
    },
  },
};

describe.each(Object.entries(implementations))('%s', (_name, { open, unable }) => {
  for (const name of Object.keys(CASES) as CaseName[]) {
    const reason = unable[name];
    if (reason === undefined) test(name, async () => CASES[name](await open()));
    else test.skip(`${name} (cannot: ${reason})`);
  }
});

async function atStudio(strict: boolean): Promise<Stand> {
  const studio = await testStudio({ strict, workers: 32 });
  const begun = new Map<string, Begun>();
  const rendering = async (id: string): Promise<Begun> => {
    for (;;) {
      const found = begun.get(id);
      if (found) return found;
      const next = await studio.renderer.next();
      begun.set(next.job.id, next);
    }
  };
  const common = { name: 'house', baseUrl: studio.url, clock: systemClock };
  const [service, stranger] = [connect({ ...common, key: KEY }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
    await studio[Symbol.asyncDispose]();
  });
  return {
    service,
    stranger,
    finish: async id => {
      await (await rendering(id)).finish();
      await studio.until(id, 'succeeded');
    },
    fail: async (id, message) => {
      (await rendering(id)).fail(new RenderRefusal(message));
      await studio.until(id, 'failed');
    },
  };
}

async function inMemory(): Promise<Stand> {
  const service = new FakeService(new FakeClock());
  return {
    service,
    finish: async id => service.finish(id),
    fail: async (id, message) => service.fail(id, message),
  };
}

/**
 * The cases of the queue, of the endpoints that answer at once and of chat, at whatever service one names: a studio of one's own, or a hosted
 * one, which is then asked for some thirty stills, two clips of two seconds and a dozen short texts, and bills them.
 *
 *     CONTRACT_URL=https://… CONTRACT_KEY=… npx vitest run test/contract/anywhere.test.ts
 *
 * `CONTRACT_STRICT=1` for one that offers no more than the document. Nobody holds that service's strings: a case that needs one is skipped.
 */
import { describe, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { SUITES, UNABLE } from './cases.ts';
import type { ServiceFixture } from './service-fixture.ts';

const { CONTRACT_URL: url = '', CONTRACT_KEY: key = '', CONTRACT_STRICT } = process.env;
const strict = Boolean(CONTRACT_STRICT);
/** Milliseconds: a case waits for real media. */
const PATIENCE = 20 * 60_000;

class Unable extends Error {}
const unable = (what: string) => (): never => {
  throw new Unable(`nobody here can ${what}`);
};

describe.each(['queue', 'sync', 'chat'] as const)(`${url}, %s`, at);

function at(suite: 'queue' | 'sync' | 'chat'): void {
  for (const [name, story] of Object.entries(SUITES[suite])) {
    if (UNABLE[strict ? 'strict' : 'hosted'][name] === undefined)
      test(name, { timeout: PATIENCE }, async context => {
        try {
          await story(async () => fixture());
        } catch (error) {
          if (!(error instanceof Unable)) throw error;
          context.skip(error.message);
        }
      });
  }
}

function fixture(): ServiceFixture {
  const common = { name: 'somewhere', baseUrl: url, clock: systemClock };
  const [service, stranger] = [connect({ ...common, key }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
  });
  const ended = async (id: string): Promise<void> => {
    for (;;) {
      const answer = await service.generation(id, new AbortController().signal);
      if (answer.is !== 'ok' || ['failed', 'cancelled'].includes(answer.value.status)) {
        throw new Error(`it did not succeed: ${JSON.stringify(answer)}`);
      }
      if (answer.value.status === 'succeeded') return;
      await systemClock.sleep(1_000);
    }
  };
  return {
    url,
    key,
    strict,
    service,
    stranger,
    finish: ended,
    fail: unable('make a generation fail'),
    // It begins by itself, at once, and ends by itself: whoever waits for the answer waits long enough.
    next: async () => {
      await systemClock.sleep(200);
      return {
        finish: async () => {},
        refuse: unable('have a request refused'),
        breakDown: unable('break the service'),
      };
    },
    begun: unable('count what has begun'),
    later: unable('turn the clock'),
    upstream: unable('hold whom chat is passed on to'),
    close: unable('close the service'),
  };
}

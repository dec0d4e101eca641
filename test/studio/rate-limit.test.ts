import { expect, test } from 'vitest';
import { rateLimiter } from '../../src/studio/service/http/server.ts';
import { HttpRefusal } from '../../src/studio/shared/http-refusal.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** `ok`, or the seconds to wait. */
function asked(mind: () => void): string {
  try {
    mind();
    return 'ok';
  } catch (error) {
    return error instanceof HttpRefusal ? `${error.status} ${error.headers['retry-after']}` : String(error);
  }
}

test('three a second: three at once, then one for each third of a second', async () => {
  const clock = new FakeClock();
  const mind = rateLimiter({ perSecond: 3 }, clock);
  const four = () => [1, 2, 3, 4].map(() => asked(mind));
  expect(four()).toEqual(['ok', 'ok', 'ok', '429 1']);
  await clock.advance(334);
  expect(four()).toEqual(['ok', '429 1', '429 1', '429 1']);
  await clock.advance(60_000);
  expect(four()).toEqual(['ok', 'ok', 'ok', '429 1']);
});

test('one in ten seconds: whoever waits as long as told gets through', async () => {
  const clock = new FakeClock();
  const mind = rateLimiter({ perSecond: 0.1 }, clock);
  expect([asked(mind), asked(mind)]).toEqual(['ok', '429 10']);
  await clock.advance(4_000);
  expect(asked(mind)).toBe('429 6');
  await clock.advance(6_000);
  expect(asked(mind)).toBe('ok');
});

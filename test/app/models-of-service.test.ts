/** The first question of a run: what the service's models are. */
import { expect, test } from 'vitest';
import type { Answer, Service } from '../../src/api/service.ts';
import { modelsOf, SERVICE_PATIENCE } from '../../src/app/service/models-of-service.ts';
import { FakeClock } from '../support/fake-clock.ts';

type Unavailable = Extract<Answer<never>, { readonly is: 'unavailable' }>;

/** A service that is out of reach until then, by the test's clock. */
async function asked(
  to: 'run' | 'look',
  downFor: number,
  silentFor = 0,
  refusal: Omit<Unavailable, 'is'> = { message: 'the connection was cut' },
) {
  const clock = new FakeClock();
  const began = clock.now();
  const told: { readonly after: number; readonly message: string }[] = [];
  let asks = 0;
  const hosted: Pick<Service, 'name' | 'account' | 'models'> = {
    ...{ name: 'house', account: 'house' },
    models: async signal => {
      asks += 1;
      if (silentFor > 0) await clock.sleep(silentFor, signal);
      return clock.now() - began < downFor ? { is: 'unavailable', ...refusal } : { is: 'ok', value: [] };
    },
  };
  const waiting = (message: string) => void told.push({ after: clock.now() - began, message });
  let answer: Awaited<ReturnType<typeof modelsOf>> | undefined;
  const over = modelsOf(hosted, { to, waiting, clock }).then(given => {
    answer = given;
  });
  while (!answer) {
    await Promise.race([clock.asleep(), over]);
    await clock.advance(clock.sleeping[0] ?? 0);
  }
  return { answer, is: answer.is, seconds: Math.round((clock.now() - began) / 1000), told, asks };
}

test('a run waits for it as long as for any later answer, and says so at once', async () => {
  const { is, told } = await asked('run', 60_000);
  expect(is).toBe('known');
  expect(told).toEqual([
    {
      after: 0,
      message: 'house cannot be reached (the connection was cut); the models are asked for again for up to two minutes',
    },
  ]);
});

test('a service that is asked too often answers: neither the wait nor its end says that it is not there', async () => {
  const busy = { message: 'house: too many requests (429)', busy: true } as const;
  const { told, answer } = await asked('run', Number.POSITIVE_INFINITY, 0, busy);
  expect(told.map(({ message }) => message)).toEqual([
    'house is asked too often (house: too many requests (429)); the models are asked for again for up to two minutes',
  ]);
  expect(answer).toEqual({ is: 'unreachable', message: 'house: too many requests (429)' });
});

test('a run gives up after the patience of a run', async () => {
  const { is, seconds } = await asked('run', Number.POSITIVE_INFINITY);
  expect(is).toBe('unreachable');
  expect(seconds).toBeGreaterThanOrEqual(SERVICE_PATIENCE / 1000);
  expect(seconds).toBeLessThan(SERVICE_PATIENCE / 1000 + 15);
});

test('a service that does not answer is reported after ten seconds', async () => {
  const { is, told } = await asked('run', 20_000, 25_000);
  expect(is).toBe('known');
  expect(told).toMatchObject([{ after: 10_000, message: expect.stringContaining('has not answered for ten seconds') }]);
});

test('a plan waits some seconds and asks four times', async () => {
  const { is, seconds, asks } = await asked('look', Number.POSITIVE_INFINITY);
  expect([is, asks]).toEqual(['unreachable', 4]);
  expect(seconds).toBeLessThan(30);
});

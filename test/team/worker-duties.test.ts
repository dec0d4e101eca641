/** What a worker does, as its options say it. */
import { expect, test } from 'vitest';
import { readableVariables } from '../../src/model/variable-access.ts';
import { readSettingsFile, secretVariables } from '../../src/settings/settings-file.ts';
import { whenReachable } from '../../src/team/worker/worker.ts';
import { accessOnWorker, dutiesIn, workerDuties } from '../../src/team/worker/worker-duties.ts';
import { FakeClock } from '../support/fake-clock.ts';

test.each([
  [{}, { leads: 16, hands: 4 }, ['lead', 'hand']],
  [{ hands: 2, leads: 3 }, { leads: 3, hands: 2 }, ['lead', 'hand']],
  [{ hands: 0 }, { leads: 16, hands: 0 }, ['lead']],
  [{ leads: 0 }, { leads: 0, hands: 4 }, ['hand']],
  [{ leads: 0, hands: 1 }, { leads: 0, hands: 1 }, ['hand']],
] as const)('%j on four cores', (asked, duties, does) => {
  expect(workerDuties(asked, 4)).toEqual({ is: 'ok', duties });
  expect(dutiesIn(duties)).toEqual(does);
});

test('one that would do nothing is a mistake', () => {
  const found = workerDuties({ leads: 0, hands: 0 }, 4);
  expect(found.is === 'mistaken' && found.message).toContain('this worker would do nothing');
});

test('a worker waits for a database that is away, and reports that at once and then once a minute', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const stop = new AbortController();
  let left = 40;
  const away = async () => {
    if (left-- > 0) throw new Error(`away at ${clock.now() / 1_000}`);
    return 'there';
  };
  const waiting = {
    isAway: () => true,
    onTrouble: (message: string) => void told.push(message),
    clock,
    signal: stop.signal,
  };
  const begun = clock.now() / 1_000;
  const found = whenReachable(away, waiting);
  await clock.asleep();
  await clock.advance(170_000);
  expect(told).toHaveLength(3);
  expect(told[0]).toBe(`away at ${begun}`);
  await clock.advance(60_000);
  expect(await found).toBe('there');

  left = 1_000;
  const stopped = whenReachable(away, waiting);
  await clock.asleep();
  stop.abort();
  expect(await stopped).toBeUndefined();
  await expect(whenReachable(away, { ...waiting, isAway: () => false })).rejects.toThrow('away at');
});

const SETTINGS = `
services:
  house: { url: "https://api.example.com", key_env: HOUSE_KEY }
  other: { url: "https://other.example.com", key_env: OTHER_KEY }
publish: { command: [./publish.sh], env: [RCLONE_PASSWORD, PATH] }
store: { at: "s3://films/results", key_id_env: B2_ID, key_env: B2_KEY }
teams:
  house: { database: "postgres://machines@db.example/films", store: "s3://films/results" }
on:
  failed: { url_env: SLACK_WEBHOOK }
  finished: { command: [./notify.sh], env: [PAGER_KEY] }
`;
const SECRETS = [
  ...['SHOTLIST_API_KEY', 'SHOTLIST_CHAT_UPSTREAM_KEY', 'HOUSE_KEY', 'OTHER_KEY', 'RCLONE_PASSWORD', 'B2_KEY', 'B2_ID'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'SLACK_WEBHOOK', 'PAGER_KEY', 'PGPASSWORD'],
];

test('a film on a worker reads the variables that the worker lists and what every command gets, and nothing else', () => {
  const secrets = secretVariables({ project: readSettingsFile(SETTINGS, 'project', []) });
  expect([...secrets.keys()]).toEqual(SECRETS);
  const reading = accessOnWorker(['CDN_TOKEN'], secrets);
  const environment = Object.fromEntries([...SECRETS, 'PATH', 'CDN_TOKEN', 'GREETING'].map(name => [name, name]));
  expect(reading.is === 'ok' && readableVariables(environment, reading.access)).toEqual({
    PATH: 'PATH',
    CDN_TOKEN: 'CDN_TOKEN',
  });
  for (const name of SECRETS)
    expect(accessOnWorker(['CDN_TOKEN', name], secrets)).toEqual({
      is: 'mistaken',
      message: expect.stringContaining(`\`${name}\` holds a secret of Shotlist itself (`),
    });
});

/** What a worker does, as its options say it. */
import { expect, test } from 'vitest';
import { dutiesIn, environmentForFilms, workerDuties } from '../../src/session/team/worker-duties.ts';

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

test('a film that was handed in reads nothing of what opens the database, the service or a bucket', () => {
  const kept = { PATH: '/bin', GREETING: 'hello', PAGER: 'less' };
  const withheld = {
    ...{ SHOTLIST_API_KEY: 'k', SHOTLIST_TEAM: 't', PGPASSWORD: 'p', PGPASSFILE: 'f', AWS_SECRET_ACCESS_KEY: 'a' },
  };
  expect(environmentForFilms({ ...kept, ...withheld })).toEqual(kept);
});

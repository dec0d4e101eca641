/** Watching a run of a team over a database that is silent or out of reach, and over events that cannot be read. */
import { expect, test } from 'vitest';
import { watchRun } from '../../src/team/client/watch-team-run.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { FakeClock } from '../support/fake-clock.ts';

const RUN = { id: 'fox-1', status: 'done', outcome: null };

/** What the database gives: a run that is over, and these events. */
const answers = (sql: string, told: readonly object[]): readonly object[] => {
  if (sql.includes('max(id)')) return [{ id: null }];
  return sql.includes('FROM told') ? told : [RUN];
};

function watching(query: (sql: string) => Promise<readonly object[]>) {
  const clock = new FakeClock();
  const [troubles, warnings, events]: [(string | undefined)[], string[], string[]] = [[], [], []];
  const database = new TeamDatabase({ url: 'postgres://nobody@nowhere.test/x', trouble: one => warnings.push(one) });
  const team = Object.assign(database, { query: query as never });
  const watched = watchRun('fox-1', {
    ...{ team, clock, signal: new AbortController().signal },
    news: { next: async () => {} },
    trouble: message => void troubles.push(message),
    turn: async () => {},
    queued: () => {},
    event: ({ type }) => void events.push(type),
  });
  return { clock, troubles, warnings, events, watched };
}

test('a database that is silent is reported after ten seconds, one that is away at once, and that it answers again', async () => {
  const silent = Promise.withResolvers<readonly object[]>();
  let asked = 0;
  const { clock, troubles, watched } = watching(async sql => {
    asked += 1;
    if (asked === 2) return await silent.promise;
    if (asked === 3) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return answers(sql, []);
  });
  await clock.advance(0);
  await clock.advance(9_999);
  expect(troubles).toEqual([]);
  await clock.advance(1);
  expect(troubles).toEqual(['the database has not answered for ten seconds']);
  silent.reject(new Error('Query read timeout'));
  for (let second = 0; second < 4; second++) await clock.advance(1_000);
  expect(troubles.slice(1)).toEqual(['Query read timeout', 'connect ECONNREFUSED', undefined]);
  expect((await watched)?.status).toBe('done');
});

test('an event that cannot be read is skipped with one warning, and the others are shown', async () => {
  let looks = 0;
  const told = ['garbage', '[]', '{}', '{"type":"submit_accepted"}'].map((body, n) => ({ id: n + 1, body }));
  const { warnings, events, watched } = watching(async sql => {
    if (sql.includes('ORDER BY id')) looks += 1;
    return answers(sql, looks <= 1 ? told : []);
  });
  expect((await watched)?.status).toBe('done');
  expect(events).toEqual(['submit_accepted']);
  const words = 'cannot be read, and is skipped; `shotlist team report` has the whole run';
  expect(warnings).toEqual([`event 1 of fox-1 ${words}`, `event 2 of fox-1 ${words}`, `event 3 of fox-1 ${words}`]);
});

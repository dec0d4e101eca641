/** A journal of this machine from before there were budgets. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { RunId } from '../../src/model/run/key.ts';
import { JOURNAL } from '../../src/records/journal/journal-tables.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { budgeted, madeResult, ofFilm } from './ports/budget-cases.ts';

test('it tells what was spent by its prices and its results', async () => {
  const database = new DatabaseSync(':memory:');
  const budgets = JOURNAL.migrations.findIndex(one => String(one).includes('CREATE TABLE charge'));
  for (const table of JOURNAL.migrations.slice(0, budgets)) database.exec(String(table));
  const put = (nonce: string, state: string, ending: string | null, id: string | null, body: object) =>
    database
      .prepare('INSERT INTO submission VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        nonce,
        'fox',
        nonce,
        'house',
        'm',
        state,
        ending,
        id,
        1,
        JSON.stringify({ nonce, key: 'shot', fingerprint: nonce, model: 'm', request: {}, at: 1, state, ...body }),
      );
  put('made', 'closed', 'made', 'gen made', { price: 0.5 });
  put('open', 'accepted', null, 'gen open', { price: 0.25 });
  put('refused', 'closed', 'refused', null, { price: 8 });
  put('absent', 'closed', 'absent', null, { price: 8 });
  put('failed', 'closed', 'failed', 'gen failed', { price: 0.125 });
  const event = (type: string, fingerprint: string, body: object) =>
    database
      .prepare('INSERT INTO event (film, run, seq, at, type, key, fingerprint, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run('fox', 'r', 1, 1, type, 'shot', fingerprint, JSON.stringify({ type, ...body }));
  event('succeeded', 'made', { result: madeResult('made', 0.5, 6) });
  event('billed', 'made', { generation_id: 'gen made', cost: 0.75 });
  event('succeeded', 'damaged', {});
  database.prepare("UPDATE event SET body = '{' WHERE fingerprint = 'damaged'").run();
  for (const table of JOURNAL.migrations.slice(budgets)) database.exec(String(table));
  const fox = await budgeted(opened(database), 'fox', [ofFilm({ usd: 9, video_seconds: 9, unpriced: 'allow' })]);
  expect(fox.admission.budget()).toMatchObject([
    { measure: 'usd', spent: 0.875, in_flight: 0.25 },
    { measure: 'video_seconds', spent: 6, in_flight: 0, unknown: 2 },
  ]);
});

const opened = (database: DatabaseSync) => {
  const clock = new FakeClock();
  return {
    ...{ clock, passes: (ms: number) => clock.advance(ms), setClock: async (ms: number) => clock.set(ms) },
    looks: async (film: string) => new LocalJournal({ database, film, clock }),
    process: async (film: string) => ({
      ...{ run: 'run' as RunId, account: 'house', journal: new LocalJournal({ database, film, clock }) },
      ...{ isRunning: () => false, dies: async () => {} },
    }),
  };
};

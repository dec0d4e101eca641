/** Rebuilds the tables that a journal keeps of its views from its events, and compares. */
import type { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { RunId } from '../../src/domain/key.ts';
import { type LogEntry, type Tables, tablesOf } from '../../src/records/views/tables.ts';

/** @throws where a row of the tables is not what the log gives. */
export function expectTablesOfLog(database: DatabaseSync): void {
  expect(tablesIn(database)).toEqual(tablesOf(logOf(database)));
}

function* logOf(database: DatabaseSync): Iterable<LogEntry> {
  for (const { film, run, body } of database.prepare('SELECT film, run, body FROM event ORDER BY id').iterate())
    yield { film: String(film), run: String(run) as RunId, event: JSON.parse(String(body), wellFormed) };
}

/** A column of the table holds no half of a surrogate pair, and the JSON of an event does. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

function tablesIn(database: DatabaseSync): Tables {
  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => ({ ...row }));
  return {
    submission: rows(
      `SELECT nonce, fingerprint, account, model, at, replace(state, 'intended', 'unknown') AS state, ending, generation_id
       FROM submission ORDER BY nonce`,
    ) as unknown as Tables['submission'],
    charge: rows(
      `SELECT id, account, is_open, usd, video_seconds, images, generations, tokens FROM charge
       WHERE id NOT LIKE 'locked %' ORDER BY id`,
    ) as unknown as Tables['charge'],
  };
}

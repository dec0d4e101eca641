/** Rebuilds the tables that a journal keeps of its views from its events, and compares. */
import { deepStrictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { soundText } from '../../src/cluster/database/sound-text.ts';
import type { TeamDatabase } from '../../src/cluster/database/team-database.ts';
import type { RecordedEvent } from '../../src/domain/event.ts';
import type { RunId } from '../../src/domain/key.ts';
import { type LogEntry, type Tables, tablesOf } from '../../src/records/views/tables.ts';

/** @throws where a row of the tables is not what the log gives. */
export function expectTablesOfLog(database: DatabaseSync): void {
  deepStrictEqual(tablesIn(database), tablesOf(logOf(database)));
}

/** The same of a journal that no process has open. Without one there is nothing to compare. */
export function expectTablesInFile(path: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    expectTablesOfLog(database);
  } finally {
    database.close();
  }
}

/** The same of a team's tables at one moment, and of the sums that triggers keep of its charges. */
export function expectTablesOfTeam(team: Pick<TeamDatabase, 'transaction'>): Promise<void> {
  return team.transaction(async ({ query }) => {
    await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const log = await query<{ film: string; run: RunId; body: string }>(`SELECT ${LOG} FROM event ORDER BY id`);
    const submission = await query(`SELECT ${SUBMISSION} FROM submission ORDER BY nonce COLLATE "C"`);
    const charge = await query(`SELECT ${CHARGE.replace('is_open', 'is_open::int')} FROM charge
      WHERE id NOT LIKE 'locked %' ORDER BY id COLLATE "C"`);
    const events = log.map(({ body, ...of }) => ({ ...of, event: eventIn(body, soundText) }));
    deepStrictEqual({ submission, charge }, tablesOf(events));
    const sums = (rows: string) =>
      query(`SELECT film, account, is_open, sum(n)::int AS n, round(sum(usd)::numeric, 6)::float AS usd FROM ${rows}
        GROUP BY 1, 2, 3 HAVING sum(n) > 0 ORDER BY 1, 2, 3`);
    const ofCharges = '(SELECT film, account, is_open, 1 AS n, coalesce(usd, 0) AS usd FROM charge) one';
    deepStrictEqual(await sums('spent'), await sums(ofCharges));
  });
}

const LOG = 'film, run, body';
const SUBMISSION =
  "nonce, fingerprint, account, model, at, replace(state, 'intended', 'unknown') AS state, ending, generation_id";
const CHARGE = 'id, account, is_open, usd, video_seconds, images, generations, tokens';

function* logOf(database: DatabaseSync): Iterable<LogEntry> {
  for (const { film, run, body } of database.prepare(`SELECT ${LOG} FROM event ORDER BY id`).iterate())
    yield { film: String(film), run: String(run) as RunId, event: eventIn(String(body), text => text.toWellFormed()) };
}

/** @param sound a column of a table cannot hold every text that the JSON of an event can: as it is written there. */
const eventIn = (body: string, sound: (text: string) => string): RecordedEvent =>
  JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? sound(value) : value));

function tablesIn(database: DatabaseSync): Tables {
  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(row => ({ ...row }));
  return {
    submission: rows(`SELECT ${SUBMISSION} FROM submission ORDER BY nonce`) as unknown as Tables['submission'],
    charge: rows(
      `SELECT ${CHARGE} FROM charge WHERE id NOT LIKE 'locked %' ORDER BY id`,
    ) as unknown as Tables['charge'],
  };
}

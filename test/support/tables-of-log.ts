/** Rebuilds the tables that a journal keeps of its views from its events, and compares. */
import { deepStrictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { statementsOf } from '../../src/machine/files/database.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { RunId } from '../../src/model/run/key.ts';
import { chargeRows } from '../../src/records/journal/charge-rows.ts';
import { withAsked } from '../../src/records/journal/journal-row.ts';
import { viewsIn } from '../../src/records/journal/views-in.ts';
import { type Activation, durationsIn, openActivations } from '../../src/records/views/models.ts';
import { type OwnedView, ownedIn } from '../../src/records/views/owned.ts';
import { type LogEntry, type Tables, tablesOf } from '../../src/records/views/tables.ts';
import { type WorkView, workOf } from '../../src/records/views/work.ts';
import { postgresSafeText } from '../../src/team/database/sound-text.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';

/** @throws where a row of the tables, or an answer of the queries over them, is not what the log gives. */
export function expectTablesOfLog(database: DatabaseSync): void {
  const log = [...logOf(database)];
  deepStrictEqual(tablesIn(database), tablesOf(log.map(asInColumns)));
  const sql = statementsOf(database);
  const runs = new Map(log.flatMap(({ run, event }) => (event.type === 'run_started' ? [[run, event.service]] : [])));
  const fingerprints = some(log.flatMap(({ event }) => ('fingerprint' in event ? [event.fingerprint] : [])));
  for (const film of new Set(log.map(one => one.film))) {
    const own = log.filter(one => one.film === film);
    const now = own.at(-1)?.event.at ?? 0;
    const rows = { sql, film, path: 'the journal' };
    const { owned, work, activations, durations } = viewsIn(rows, chargeRows(rows), () => now);
    const [ownedByLog, workByLog] = [ownedIn(film, log, now), workOf(film, log)];
    const answers = (of: OwnedView, tried: WorkView, fingerprint: string) => ({
      ...{ found: of.find(fingerprint), row: of.rowOf(fingerprint), has: of.has(fingerprint) },
      ...{ attempts: tried.attempts(fingerprint), cutOff: tried.wasCutOff(fingerprint) },
      left: tried.actLeftOpen(fingerprint),
    });
    for (const one of fingerprints)
      deepStrictEqual(answers(owned, work, one), answers(ownedByLog, workByLog, one), one);
    const together = viewsIn(rows, chargeRows(rows), () => now);
    const asked = () => ['a fingerprint of nothing', ...fingerprints];
    const isOwned = (of: OwnedView, one: string) => ({ has: of.has(one), found: of.find(one) });
    together.atOneMoment(() => {
      for (const one of [...asked(), 'one more'])
        deepStrictEqual(isOwned(together.owned, one), isOwned(ownedByLog, one), one);
    }, asked);
    for (const key of some(own.flatMap(({ event }) => ('key' in event ? [event.key] : [])))) {
      deepStrictEqual(owned.resultsOf(key), ownedByLog.resultsOf(key), key);
      deepStrictEqual(owned.lastFailure(key)?.failure, ownedByLog.lastFailure(key)?.failure, key);
    }
    deepStrictEqual([...owned.unbilled()].sort(), [...ownedByLog.unbilled()].sort());
    deepStrictEqual(durations(), durationsIn(log));
    for (const service of new Set(runs.values())) {
      const here = own.filter(
        (one): one is LogEntry & Activation => isActivation(one) && runs.get(one.run) === service,
      );
      deepStrictEqual([...activations(service).keys()], [...openActivations(here, ({ event }) => event.model).keys()]);
    }
  }
}

/** A column cannot hold half of a pair. */
const asInColumns = (entry: LogEntry): LogEntry =>
  JSON.stringify(entry.event).includes('\\ud')
    ? { ...entry, event: soundEvent(entry.event, text => text.toWellFormed()) }
    : entry;

const isActivation = ({ event }: LogEntry): boolean =>
  event.type === 'activation_intended' || event.type === 'activation_closed';

/** Of ten thousand the first ones: each is asked about in the same way. */
const some = <T>(all: readonly T[]): readonly T[] => [...new Set(all)].slice(0, 100);

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
    const events = log.map(({ body, ...of }) => ({ ...of, event: soundEvent(JSON.parse(body), postgresSafeText) }));
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
  for (const row of database.prepare(`SELECT ${LOG}, asked FROM event ORDER BY id`).iterate()) {
    const event = withAsked<RecordedEvent>(JSON.parse(String(row.body)), row);
    yield { film: String(row.film), run: String(row.run) as RunId, event };
  }
}

/** @param sound a column of a table cannot hold every text that the JSON of an event can: as it is written there. */
const soundEvent = (event: RecordedEvent, sound: (text: string) => string): RecordedEvent =>
  JSON.parse(JSON.stringify(event), (_, value: unknown) => (typeof value === 'string' ? sound(value) : value));

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

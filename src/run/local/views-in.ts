/** The views of a journal, in SQLite. */
import type { EventType, RecordedEvent } from '../../domain/event.ts';
import type { RunId } from '../../domain/key.ts';
import type { ChargesView } from '../../records/views/charges.ts';
import type { JournalViews } from '../../records/views/journal-views.ts';
import { Ledger, type Submission } from '../../records/views/ledger.ts';
import type { WorkView } from '../../records/views/work.ts';
import { bodyOf, type Rows } from './journal-row.ts';
import { ownedRows } from './owned-rows.ts';
import { pastRuns } from './past-runs.ts';
import { sentRows } from './sent-rows.ts';

export function viewsIn(rows: Rows, charges: ChargesView, now: () => number): JournalViews {
  const { sql, film, path } = rows;
  const open = sql("SELECT body FROM submission WHERE film = ? AND state <> 'closed' ORDER BY rowid").all(film);
  const ledger = new Ledger(open.map(row => bodyOf<Submission>(row, path)));
  return {
    ...{ film, ledger, charges, owned: ownedRows(rows, now), sent: sentRows(rows, ledger) },
    ...{ work: workRows(rows), runs: pastRuns(rows) },
    *activations() {
      const found = sql(
        `SELECT run, body FROM event
         WHERE film = ? AND type IN ('activation_intended','activation_closed') ORDER BY id`,
      ).all(film);
      for (const row of found) yield { run: String(row.run) as RunId, event: bodyOf<RecordedEvent>(row, path) };
    },
    durations() {
      const found = sql(
        `SELECT i.body ->> '$.model' AS model, g.at - a.at AS took
         FROM event g
         JOIN event a ON a.run = g.run AND a.key = g.key AND a.type = 'submit_accepted'
         JOIN event i ON i.run = g.run AND i.key = g.key AND i.type = 'submit_intended'
         WHERE g.type = 'generated' ORDER BY g.id DESC LIMIT 200`,
      ).all();
      const times = (of: typeof found) => of.map(({ took }) => Number(took));
      return new Map([...Map.groupBy(found, ({ model }) => String(model))].map(([model, of]) => [model, times(of)]));
    },
  };
}

/** The view of what was tried on this machine. */
const workRows = ({ sql, film }: Rows): WorkView => ({
  attempts(fingerprint) {
    const rows = sql(
      `SELECT type, count(*) AS n, max(body ->> '$.until') AS until FROM event s
       WHERE fingerprint = ?1 AND film = ?2 AND type IN ('retrying', 'answer_unfit') AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.film = s.film AND e.key = s.key AND e.id > s.id AND e.type IN ('succeeded', 'reused', 'failed'))
       GROUP BY type`,
    ).all(fingerprint, film);
    const of = (type: EventType) => rows.find(row => row.type === type);
    const [retrying, unfit] = [of('retrying'), of('answer_unfit')];
    return { retried: Number(retrying?.n ?? 0), unfit: Number(unfit?.n ?? 0), until: Number(retrying?.until ?? 0) };
  },
  wasCutOff: fingerprint =>
    sql(
      `SELECT 1 FROM event s WHERE s.film = ? AND s.fingerprint = ? AND s.type = 'command_started' AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND e.type IN ('succeeded', 'failed'))`,
    ).get(film, fingerprint) !== undefined,
  actLeftOpen(fingerprint) {
    const row = sql(
      `SELECT film, run, at, NOT EXISTS
         (SELECT 1 FROM event e WHERE e.film = s.film AND e.run <> s.run AND e.id > s.id) AS newest
       FROM event s WHERE fingerprint = ?1 AND type = 'command_started' AND NOT EXISTS
         (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND
            (e.type IN ('succeeded', 'retrying') OR e.type = 'failed' AND e.body ->> '$.failure.code' <> 'effect_unknown'))
       AND id = (SELECT max(id) FROM event WHERE fingerprint = ?1 AND type = 'command_started')`,
    ).get(fingerprint);
    return row && { film: String(row.film), at: Number(row.at), isNewest: row.newest === 1 };
  },
});

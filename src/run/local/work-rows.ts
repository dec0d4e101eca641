/** The view of what was tried on this machine, in SQLite. */
import type { EventType } from '../../domain/event.ts';
import type { WorkView } from '../../records/views/work.ts';
import type { Rows } from './journal-row.ts';

export const workRows = ({ sql, film }: Rows): WorkView => ({
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

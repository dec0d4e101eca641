/** The view of what was made, in SQLite. */
import type { EventType, RecordedEvent } from '../../domain/event.ts';
import type { GenerationId, RunId } from '../../domain/key.ts';
import type { OwnedView, ResultRow } from '../../records/views/owned.ts';
import { bodyOf, type Rows, withAsked } from './journal-row.ts';

const ROWS = 'SELECT film, run, body, asked FROM event';
/** As far back as anybody asks what an instance once gave. */
const RESULTS = 50;
/** Milliseconds. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function ownedRows({ sql, film, path }: Rows, now: () => number): OwnedView {
  /** Fingerprints that were found to have a result. Nothing is ever taken out of the journal, so they stay so. */
  const found = new Set<string>();
  const resultRow = (row: Readonly<Record<string, unknown>>): ResultRow => {
    const event = withAsked(bodyOf<ResultRow['event']>(row, path, 'succeeded', 'reused'), row);
    return { film: String(row.film), run: String(row.run) as RunId, event };
  };
  return {
    // Without what was asked for: a rerun reads ten thousand of them, and asks for none.
    find(fingerprint) {
      const row = sql(
        `SELECT coalesce(${newest('succeeded')}, ${newest('reused')}) AS body, ${newest('billed')} AS bill`,
      ).get(fingerprint);
      if (row === undefined || row.body === null) return undefined;
      const success = bodyOf<ResultRow['event']>(row, path, 'succeeded', 'reused');
      found.add(fingerprint);
      if (success.result.is !== 'media' || row.bill === null) return success;
      const bill = bodyOf<RecordedEvent & { type: 'billed' }>({ body: row.bill }, path, 'billed');
      if (bill.generation_id !== success.result.generation_id) return success;
      return { ...success, result: { ...success.result, cost: bill.cost } };
    },
    has(fingerprint) {
      if (found.has(fingerprint)) return true;
      const has = (type: EventType) => `EXISTS (SELECT 1 FROM event WHERE fingerprint = ?1 AND type = '${type}')`;
      return sql(`SELECT ${has('succeeded')} OR ${has('reused')} AS known`).get(fingerprint)?.known === 1;
    },
    filmOf(fingerprint) {
      const row = sql(`SELECT coalesce(${newest('succeeded', 'film')}, ${newest('reused', 'film')}) AS film`).get(
        fingerprint,
      );
      return typeof row?.film === 'string' ? row.film : undefined;
    },
    rowOf(fingerprint) {
      const last = (type: EventType) =>
        sql(`${ROWS} WHERE fingerprint = ? AND type = '${type}' ORDER BY id DESC LIMIT 1`).get(fingerprint);
      const row = last('succeeded') ?? last('reused');
      return row && resultRow(row);
    },
    newest(key) {
      const row = sql(`${ROWS} WHERE film = ? AND key = ? AND type = 'succeeded' ORDER BY id DESC LIMIT 1`).get(
        film,
        key,
      );
      return row && resultRow(row);
    },
    resultsOf: key =>
      sql(`${ROWS} WHERE film = ? AND key = ? AND type IN ('succeeded', 'reused') ORDER BY id DESC LIMIT ${RESULTS}`)
        .all(film, key)
        .map(resultRow),
    lastFailure(key) {
      const row = sql(
        `SELECT type, body FROM event WHERE film = ? AND key = ? AND type IN ('failed', 'succeeded', 'reused')
         ORDER BY id DESC LIMIT 1`,
      ).get(film, key);
      return row?.type === 'failed' ? bodyOf(row, path, 'failed') : undefined;
    },
    unbilled() {
      const rows = sql(
        `SELECT DISTINCT body ->> '$.result.generation_id' AS id FROM event made
         WHERE film = ?1 AND type = 'succeeded' AND at > ?2 AND key IS NOT NULL
           AND CASE WHEN json_valid(body) THEN body ->> '$.result.is' = 'media' AND body ->> '$.result.generation_id' IS NOT NULL
             AND (at > ?3 AND body ->> '$.result.cost' IS NULL
               OR NOT EXISTS (SELECT 1 FROM event WHERE run = made.run AND key IS NULL AND type = 'run_finished'))
             AND NOT EXISTS (SELECT 1 FROM event bill WHERE fingerprint = made.fingerprint AND type = 'billed' AND json_valid(bill.body)
               AND bill.body ->> '$.generation_id' = made.body ->> '$.result.generation_id') END`,
      ).all(film, now() - DAY, now() - HOUR);
      return new Set(rows.map(({ id }) => String(id) as GenerationId));
    },
  };
}

/** A subquery: the newest event of this type with the fingerprint `?1`, null where there is none. */
const newest = (type: EventType, column: 'body' | 'film' = 'body'): string =>
  `(SELECT ${column} FROM event WHERE fingerprint = ?1 AND type = '${type}' ORDER BY id DESC LIMIT 1)`;

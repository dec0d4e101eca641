/** The views of a journal, in SQLite. */
import type { EventType, RecordedEvent } from '../../domain/event.ts';
import type { GenerationId, RunId } from '../../domain/key.ts';
import type { ChargesView } from '../../records/views/charges.ts';
import type { JournalViews } from '../../records/views/journal-views.ts';
import { isAt, Ledger, type Submission } from '../../records/views/ledger.ts';
import type { OwnedView, ResultRow } from '../../records/views/owned.ts';
import { type OpenRow, type SentView, selectSent, sentRow } from '../../records/views/sent.ts';
import type { WorkView } from '../../records/views/work.ts';
import { bodyOf, type Rows, withAsked } from './journal-row.ts';
import { pastRuns } from './past-runs.ts';

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

export function sentRows({ sql, film, path }: Rows, ledger: Ledger): SentView {
  type Row = Readonly<Record<string, unknown>>;
  const submissionIn = (row: Row) => bodyOf<Submission>(row, path);
  const withFilm = (row: Row) => ({ film: String(row.film), submission: submissionIn(row) });
  const view: SentView = {
    openOfOtherFilms: account =>
      sql(
        `SELECT film, body FROM submission INDEXED BY submission_open
         WHERE account = ? AND film <> ? AND state <> 'closed' ORDER BY rowid`,
      )
        .all(account, film)
        .map(withFilm),
    openElsewhere(fingerprint, account) {
      // Few have this fingerprint, and an account may have all there are: `+` keeps SQLite from going through those.
      const row = sql(
        "SELECT film, body FROM submission WHERE fingerprint = ? AND +account = ? AND film <> ? AND state <> 'closed' LIMIT 1",
      ).get(fingerprint, account, film);
      return row && withFilm(row);
    },
    lastIntent(key) {
      const row = sql(
        "SELECT body FROM event WHERE film = ? AND key = ? AND type = 'submit_intended' ORDER BY id DESC LIMIT 1",
      ).get(film, key);
      return row && bodyOf(row, path, 'submit_intended');
    },
    timesLost(fingerprint) {
      const row = sql(
        `SELECT count(*) AS n FROM submission WHERE fingerprint = ?1 AND ending = 'absent' AND at >
           (SELECT coalesce(max(at), 0) FROM submission WHERE fingerprint = ?1 AND ending IN ('made', 'failed', 'forgotten'))`,
      ).get(fingerprint);
      return Number(row?.n ?? 0);
    },
    lost: () =>
      sql("SELECT body FROM submission WHERE film = ? AND ending = 'absent' ORDER BY at")
        .all(film)
        .map(submissionIn)
        .filter(({ fingerprint }) => view.timesLost(fingerprint) > 0),
    isClaimed: (id, account) =>
      ledger.open.some(open => open.id === id && isAt(open, { account })) ||
      sql('SELECT account FROM submission WHERE generation_id = ?')
        .all(id)
        .some(row => isAt({ account: String(row.account) }, { account })),
    claimedAmong: async (ids, account) => new Set(ids.filter(id => view.isClaimed(id, account))),
    // SQLite numbers its parameters with a question mark.
    ask: async (condition, values, than = '') =>
      sql(selectSent(condition, 'rowid').replaceAll('$', '?'))
        .all(than, ...values)
        .map(row => sentRow(row, submissionIn(row)))
        .reverse(),
    submits: (account, since) =>
      sql('SELECT at FROM submission WHERE account = ? AND at > ? ORDER BY at')
        .all(account, since)
        .map(({ at }) => Number(at)),
    lastIntents: (account, { most, since, model }) =>
      sql(
        'SELECT at FROM submission WHERE account = ?1 AND (?2 IS NULL OR model = ?2) AND at > ?3 ORDER BY rowid DESC LIMIT ?4',
      )
        .all(account, model ?? null, since, most)
        .map(({ at }) => Number(at))
        .reverse(),
    nthIntent(account, { n, since, now, model }) {
      const among = 'FROM submission WHERE account = ?1 AND (?3 IS NULL OR model = ?3)';
      const row = sql(
        `SELECT rowid AS number, at, (SELECT max(rowid) ${among} AND at > ?5) AS future ${among} AND at > ?2
         ORDER BY rowid DESC LIMIT 1 OFFSET ?4`,
      ).get(account, since, model ?? null, n - 1, now);
      if (!row) return undefined;
      return {
        row: Number(row.number),
        at: Number(row.at),
        future: row.future === null ? undefined : Number(row.future),
      };
    },
    underWay: (account, model) =>
      sql(
        `SELECT film, nonce, model, state, at, body ->> '$.idle' AS idle FROM submission INDEXED BY submission_open
         WHERE account = ?1 AND state <> 'closed' AND state <> 'made' AND (?2 IS NULL OR model = ?2)`,
      )
        .all(account, model ?? null)
        .map(row => ({
          film: String(row.film),
          nonce: String(row.nonce),
          model: String(row.model),
          state: String(row.state) as OpenRow['state'],
          at: Number(row.at),
          isIdle: row.idle === 1,
        })),
  };
  return view;
}

/** The views of a journal, in SQLite. */
import type { EventType, RecordedEvent } from '../../model/run/event.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { ChargesView } from '../views/charges.ts';
import type { JournalViews } from '../views/journal-views.ts';
import { isAt, Ledger, type Submission } from '../views/ledger.ts';
import { type Activation, durationsIn, MOST_DURATIONS, openActivations } from '../views/model-durations.ts';
import { MOST_RESULTS, type OwnedView, type ResultRow, unbilledSince, withBill } from '../views/owned.ts';
import { type OpenRow, type SentView, selectSent, sentRow } from '../views/sent-requests.ts';
import { type WorkView, workOf } from '../views/work.ts';
import { bodyOf, entryIn, type Rows, readableIn, withAsked } from './journal-row.ts';
import { pastRuns } from './past-runs.ts';

export function viewsIn(rows: Rows, charges: ChargesView, now: () => number): JournalViews {
  const { sql, film, path } = rows;
  const open = sql("SELECT body FROM submission WHERE film = ? AND state <> 'closed' ORDER BY rowid").all(film);
  const ledger = new Ledger(open.map(row => bodyOf<Submission>(row, path)));
  const runs = pastRuns(rows);
  const results = newestResults(sql);
  const owned = ownedRows(rows, results, now);
  return {
    ...{ film, ledger, charges, owned, sent: sentRows(rows, ledger), work: workRows(rows), runs },
    atOneMoment(look, asked) {
      sql('SAVEPOINT moment').run();
      try {
        return results.readingTogether(asked, look);
      } finally {
        sql('RELEASE moment').run();
      }
    },
    activations(service) {
      const all = sql(
        `SELECT film, run, body FROM event
         WHERE film = ? AND type IN ('activation_intended','activation_closed') ORDER BY id`,
      ).all(film);
      const here = all
        .map(row => entryIn<Activation['event']>(row, path))
        .filter(({ run }) => (runs.serviceOf(run) ?? service) === service);
      return openActivations(here, ({ event }) => event.model);
    },
    durations() {
      // A film of commands alone has none, and they are looked for among all events.
      if (!sql('SELECT 1 FROM submission LIMIT 1').get()) return durationsIn([]);
      const found = sql(
        `SELECT film, run, body FROM event WHERE type IN ('submit_intended', 'submit_accepted', 'generated') AND (run, key) IN
           (SELECT run, key FROM event WHERE type = 'generated' ORDER BY id DESC LIMIT ${MOST_DURATIONS})
         ORDER BY id`,
      ).all();
      // No decision depends on it: a damaged row is left out.
      return durationsIn(found.flatMap(row => (readableIn(row, path) ? [entryIn<RecordedEvent>(row, path)] : [])));
    },
  };
}

/** The view of what was tried on this machine, folded from the rows of one fingerprint. */
function workRows({ sql, film, path }: Rows): WorkView {
  const of = (fingerprint: string) =>
    workOf(
      film,
      sql(TRIES)
        .all(fingerprint)
        .map(row => entryIn<RecordedEvent>(row, path)),
    );
  return {
    attempts: fingerprint => of(fingerprint).attempts(fingerprint),
    wasCutOff: fingerprint => of(fingerprint).wasCutOff(fingerprint),
    actLeftOpen: fingerprint => of(fingerprint).actLeftOpen(fingerprint),
  };
}

/** Tries of the fingerprint `?1`, what came of their instances since, and for each the next run of its film. */
const TRIES = `
  WITH tried AS (
    SELECT id, film, key FROM event WHERE fingerprint = ?1 AND type IN ('command_started', 'retrying', 'answer_unfit'))
  SELECT film, run, body FROM event WHERE id IN (
    SELECT id FROM tried
    UNION SELECT e.id FROM tried JOIN event e ON e.film = tried.film AND e.key = tried.key AND e.id > tried.id
      AND e.type IN ('succeeded', 'reused', 'failed', 'retrying')
    UNION SELECT (SELECT min(e.id) FROM event e WHERE e.film = tried.film AND e.type = 'run_started' AND e.id > tried.id) FROM tried)
  ORDER BY id`;

const ROWS = 'SELECT film, run, body, asked FROM event';

/** Bodies of the newest events with one fingerprint. */
interface Newest {
  /** Of the newest success; null where there is none. */
  readonly body: string | null;
  readonly bill: string | null;
}

/** The newest result of each fingerprint: read one by one, or, while `readingTogether`, by one query, which takes half the time. */
function newestResults(sql: Rows['sql']) {
  const of = (fingerprint: string) =>
    `coalesce(${newest('succeeded', fingerprint)}, ${newest('reused', fingerprint)}) AS body, ${newest('billed', fingerprint)} AS bill`;
  let expected: (() => readonly string[]) | undefined;
  let together: ((fingerprint: string) => Newest | undefined) | undefined;
  const readTogether = (fingerprints: readonly string[]) => {
    if (!sql('SELECT 1 FROM event LIMIT 1').get()) return () => ({ body: null, bill: null });
    const rows = sql(`SELECT value, ${of('value')} FROM json_each(?)`);
    // Ten thousand objects cost a fifth more.
    rows.setReturnArrays(true);
    const all = rows.all(JSON.stringify(fingerprints)) as unknown as readonly (readonly [
      string,
      ...(string | null)[],
    ])[];
    const found = new Map(all.map(([fingerprint, body = null, bill = null]) => [fingerprint, { body, bill }]));
    return (fingerprint: string) => found.get(fingerprint);
  };
  return {
    readingTogether<T>(fingerprints: (() => readonly string[]) | undefined, look: () => T): T {
      expected = fingerprints;
      try {
        return look();
      } finally {
        expected = undefined;
        together = undefined;
      }
    },
    /** Undefined: it was not read together with others. */
    known(fingerprint: string): Newest | undefined {
      if (expected) together ??= readTogether(expected());
      return together?.(fingerprint);
    },
    find(fingerprint: string): Newest {
      return this.known(fingerprint) ?? (sql(`SELECT ${of('?1')}`).get(fingerprint) as unknown as Newest);
    },
  };
}

function ownedRows({ sql, film, path }: Rows, results: ReturnType<typeof newestResults>, now: () => number): OwnedView {
  /** Fingerprints that were found to have a result. Nothing is ever taken out of the journal, so they stay so. */
  const found = new Set<string>();
  const resultRow = (row: Readonly<Record<string, unknown>>): ResultRow => {
    const entry = entryIn<ResultRow['event']>(row, path, 'succeeded', 'reused');
    return { ...entry, event: withAsked(entry.event, row) };
  };
  return {
    // Without what was asked for: a rerun reads ten thousand of them, and asks for none.
    find(fingerprint) {
      const { body, bill } = results.find(fingerprint);
      if (body === null) return undefined;
      const success = bodyOf<ResultRow['event']>({ body }, path, 'succeeded', 'reused');
      found.add(fingerprint);
      if (success.result.is !== 'media' || bill === null) return success;
      return withBill(success, bodyOf<RecordedEvent & { type: 'billed' }>({ body: bill }, path, 'billed'));
    },
    has(fingerprint) {
      if (found.has(fingerprint)) return true;
      const known = results.known(fingerprint);
      if (known) return known.body !== null;
      const has = (type: EventType) => `EXISTS (SELECT 1 FROM event WHERE fingerprint = ?1 AND type = '${type}')`;
      return sql(`SELECT ${has('succeeded')} OR ${has('reused')} AS known`).get(fingerprint)?.known === 1;
    },
    rowOf(fingerprint) {
      const last = (type: EventType) =>
        sql(`${ROWS} WHERE fingerprint = ? AND type = '${type}' ORDER BY id DESC LIMIT 1`).get(fingerprint);
      const row = last('succeeded') ?? last('reused');
      return row && resultRow(row);
    },
    resultsOf: key =>
      sql(
        `${ROWS} WHERE film = ? AND key = ? AND type IN ('succeeded', 'reused') ORDER BY id DESC LIMIT ${MOST_RESULTS}`,
      )
        .all(film, key)
        .map(resultRow),
    lastFailure(key) {
      const row = sql(
        `SELECT type, body FROM event WHERE film = ? AND key = ? AND type IN ('failed', 'succeeded', 'reused')
         ORDER BY id DESC LIMIT 1`,
      ).get(film, key);
      return row?.type === 'failed' ? bodyOf(row, path, 'failed') : undefined;
    },
    everFailed() {
      const rows = sql("SELECT DISTINCT key FROM event WHERE film = ? AND key IS NOT NULL AND type = 'failed'").all(
        film,
      );
      return new Set(rows.map(({ key }) => String(key) as InstanceKey));
    },
    unbilled() {
      const { since, untold } = unbilledSince(now());
      const rows = sql(
        `SELECT DISTINCT body ->> '$.result.generation_id' AS id FROM event made
         WHERE film = ?1 AND type = 'succeeded' AND at > ?2 AND key IS NOT NULL
           AND CASE WHEN json_valid(body) THEN body ->> '$.result.is' = 'media' AND body ->> '$.result.generation_id' IS NOT NULL
             AND (at > ?3 AND body ->> '$.result.cost' IS NULL
               OR NOT EXISTS (SELECT 1 FROM event WHERE run = made.run AND key IS NULL AND type = 'run_finished'))
             AND NOT EXISTS (SELECT 1 FROM event bill WHERE fingerprint = made.fingerprint AND type = 'billed' AND json_valid(bill.body)
               AND bill.body ->> '$.generation_id' = made.body ->> '$.result.generation_id') END`,
      ).all(film, since, untold);
      return new Set(rows.map(({ id }) => String(id) as GenerationId));
    },
  };
}

/** A subquery: the newest event of this type with this fingerprint (a parameter, a column), null where there is none. */
const newest = (type: EventType, fingerprint: string): string =>
  `(SELECT body FROM event WHERE fingerprint = ${fingerprint} AND type = '${type}' ORDER BY id DESC LIMIT 1)`;

/** What was sent, over the table `submission`, which holds the entries of the ledger as the events left them. */
function sentRows({ sql, film, path }: Rows, ledger: Ledger): SentView {
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
    ...sentInTime(sql),
  };
  return view;
}

/** What was sent within some time, and what is under way, for limits and rates. */
const sentInTime = (sql: Rows['sql']): Pick<SentView, 'submits' | 'lastIntents' | 'nthIntent' | 'underWay'> => ({
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
});

/** The view of what was sent, in SQLite: over the table `submission`, which holds the ledger's entries as the events left them. */
import { isAt, type Ledger, type Submission } from '../../records/views/ledger.ts';
import { type OpenRow, type SentView, selectSent, sentRow } from '../../records/views/sent.ts';
import { bodyOf, type Rows } from './journal-row.ts';

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

/** The views of a film that many machines share: its own rows, and over them what others of the team have sent and made. */
import type { JournalViews } from '../../records/views/journal-views.ts';
import { isAt } from '../../records/views/ledger.ts';
import { type FilmsSubmission, selectSent, sentRow } from '../../records/views/sent.ts';
import { postgresSafeText } from '../database/sound-text.ts';
import type { Row } from './replica.ts';
import { submissionIn, type TeamRows } from './team-rows.ts';

interface TeamQueries {
  /** Of other films, as they were when the journal was opened. */
  readonly openOfOtherFilms: readonly FilmsSubmission[];
  /** This process leads the run. Otherwise it may not record bills. */
  readonly leads: boolean;
  /** A request was looked up in vain. */
  missed(fingerprint: string): void;
  /** Asks the team's database, again and again where it is out of reach. */
  query(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

export function teamViews(own: JournalViews, rows: TeamRows, team: TeamQueries): JournalViews {
  const isClaimed: JournalViews['sent']['isClaimed'] = (id, account) =>
    own.sent.isClaimed(id, account) || own.sent.isClaimed(postgresSafeText(id), account);
  return {
    ...own,
    charges: rows.charges,
    owned: {
      ...own.owned,
      find: fingerprint => {
        const found = own.owned.find(fingerprint);
        if (!found) team.missed(fingerprint);
        return found;
      },
      unbilled: () => (team.leads ? own.owned.unbilled() : new Set()),
    },
    work: {
      ...own.work,
      actLeftOpen: fingerprint => {
        const act = rows.actLeftOpen();
        // The database may not have the newest events of the film itself yet.
        return act && act.film !== own.film ? act : own.work.actLeftOpen(fingerprint);
      },
    },
    sent: {
      ...own.sent,
      ...rows.sent,
      openOfOtherFilms: () => team.openOfOtherFilms,
      isClaimed,
      claimedAmong: async (ids, account) => {
        const sql = 'SELECT generation_id AS id, account FROM submission WHERE generation_id = ANY($1)';
        const claimed = await team.query(sql, [ids.map(postgresSafeText)]);
        const known = new Set(
          claimed.filter(row => isAt({ account: String(row.account) }, { account })).map(({ id }) => id),
        );
        return new Set(ids.filter(id => known.has(postgresSafeText(id)) || isClaimed(id, account)));
      },
      ask: async (condition, values, than = '') => {
        const found = await team.query(selectSent(condition, 'n'), [than, ...values]);
        return found.map(row => sentRow(row, submissionIn(row))).reverse();
      },
    },
  };
}

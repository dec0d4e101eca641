/** The view of what submissions come to, in SQLite: the table `charge`, of all films and profiles of the project. */
import { type Amounts, amounts, MEASURES, NO_AMOUNTS } from '../../model/budget.ts';
import { roundUsd } from '../../model/money.ts';
import { filmIn, profilesOf, realFilm } from '../../model/profile.ts';
import type { Charge, ChargesView, LockedCharge } from '../views/charges.ts';
import { addressIn } from '../views/ledger.ts';
import type { Rows } from './journal-row.ts';

export interface ChargeRows extends ChargesView {
  /** Keeps what another machine has paid for, so that it stays known when the lock names something else in its place. Within `transact`. */
  keep(account: string, locked: readonly LockedCharge[]): void;
  /** Within `transact`. */
  put(id: string, account: string, charge: Charge, film?: string): void;
  /** A submission that turned out to cost nothing. Within `transact`. */
  drop(id: string): void;
  /** The service has reported the real cost of a generation, in US dollars. Another service may have given the same id. Within `transact`. */
  billed(bill: { readonly generation_id: string; readonly cost: number; readonly account?: string }): void;
}

export function chargeRows({ sql, film }: Pick<Rows, 'sql' | 'film'>): ChargeRows {
  const table: ChargeRows = {
    spending(account, of, since = 0) {
      const name = of === 'project' ? null : of === 'film' ? realFilm(film) : film;
      const { from, to } = profilesOf(film);
      // An older journal may not have the account.
      const rows = sql(
        `SELECT is_open, count(*) AS n, ${SUMS} FROM charge
         WHERE account IN (?1, '') AND (?2 IS NULL OR film = ?2 OR (film > ?4 AND film < ?5)) AND seq > ?3 GROUP BY is_open`,
      ).all(account, name, since, of === 'film' ? from : null, of === 'film' ? to : null);
      const sums = (isOpen: number) => amountsIn(rows.find(one => one.is_open === isOpen));
      return { settled: sums(0), inFlight: sums(1) };
    },
    newest: () => Number(sql('SELECT coalesce(max(seq), 0) AS newest FROM charge').get()?.newest),
    unknownOf: (account, locked) =>
      locked.filter(({ generation, fingerprint }) => {
        const [column, value] = generation === null ? ['fingerprint', fingerprint] : ['generation_id', generation];
        const known = sql(
          `SELECT 1 FROM submission WHERE ${column} = ?1 AND ${AT_SERVICE}
           UNION ALL SELECT 1 FROM charge WHERE id IN (?3, ?3 || ' at ' || ?2) AND ${AT_SERVICE} LIMIT 1`,
        ).get(value ?? '', addressIn(account), lockedId({ generation, fingerprint }));
        return known === undefined;
      }),
    keep(account, locked) {
      for (const one of table.unknownOf(account, locked)) {
        const id = `${lockedId(one)} at ${addressIn(account)}`;
        table.put(id, account, one.charge, filmIn(realFilm(film), one.profile));
      }
    },
    put(id, account, { isOpen, usd, video_seconds, images, generations, tokens }, of = film) {
      sql(
        `INSERT INTO charge (id, film, account, is_open, usd, video_seconds, images, generations, tokens)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, usd = excluded.usd, video_seconds = excluded.video_seconds,
           images = excluded.images, generations = excluded.generations, tokens = excluded.tokens`,
      ).run(id, of, account, isOpen ? 1 : 0, usd, video_seconds, images, generations, tokens);
    },
    drop(id) {
      sql('DELETE FROM charge WHERE id = ?').run(id);
    },
    billed({ generation_id: generation, cost, account }) {
      sql(
        `UPDATE charge SET usd = ?1 WHERE (?2 IS NULL OR ${AT_SERVICE})
           AND (id IN (?4, ?4 || ' at ' || ?2) OR id IN (SELECT nonce FROM submission WHERE generation_id = ?3))`,
      ).run(
        cost,
        account === undefined ? null : addressIn(account),
        generation,
        lockedId({ generation, fingerprint: '' }),
      );
    },
  };
  return table;
}

const amountsIn = (row: Readonly<Record<string, unknown>> | undefined): Amounts =>
  row
    ? amounts(measure => ({ known: roundUsd(Number(row[measure])), unknown: Number(row[`${measure}_unknown`]) }))
    : NO_AMOUNTS;

const SUMS = MEASURES.map(
  measure => `total(${measure}) AS ${measure}, count(*) - count(${measure}) AS ${measure}_unknown`,
).join(', ');

/** The service of the row is at the address `?2`, or an older version did not record it; see `isAt`. */
const AT_SERVICE = "(account = '' OR substr(account || ' ', 1, length(?2) + 1) = ?2 || ' ')";

/** By its generation; where a call made it, by what was asked. Ids of older versions are this alone, newer ones end with the service's address. */
const lockedId = ({ generation, fingerprint }: Pick<LockedCharge, 'generation' | 'fingerprint'>): string =>
  generation === null ? `locked request ${fingerprint}` : `locked generation ${generation}`;

/** The journal's rows of what submissions come to: what budgets count, of all films and profiles of the project. */
import type { StatementSync } from 'node:sqlite';
import { amounts, MEASURES, NO_AMOUNTS, type Spending } from '../../domain/budget.ts';
import { roundUsd } from '../../domain/money.ts';
import { filmIn, profilesOf, realFilm } from '../../domain/profile.ts';
import type { Charge, LockedCharge } from '../../records/views/charges.ts';

export class ChargeRows {
  readonly #sql: (text: string) => StatementSync;
  readonly #film: string;

  constructor(sql: (text: string) => StatementSync, film: string) {
    this.#sql = sql;
    this.#film = film;
  }

  /**
   * What the runs of this film came to on this account, in all its profiles (`film`) or in the one that is open (`profile`), or those of
   * all films of the project. `since`: what was sent after the row of that number alone.
   */
  spending(account: string, of: 'film' | 'profile' | 'project', since = 0): Spending {
    const name = of === 'project' ? null : of === 'film' ? realFilm(this.#film) : this.#film;
    const { from, to } = profilesOf(this.#film);
    // An older journal may not know whose account it was.
    const rows = this.#sql(
      `SELECT is_open, count(*) AS n, ${SUMS} FROM charge
       WHERE account IN (?1, '') AND (?2 IS NULL OR film = ?2 OR (film > ?4 AND film < ?5)) AND seq > ?3 GROUP BY is_open`,
    ).all(account, name, since, of === 'film' ? from : null, of === 'film' ? to : null);
    const row = (isOpen: number) => {
      const found = rows.find(one => one.is_open === isOpen);
      return found
        ? amounts(measure => ({
            known: roundUsd(Number(found[measure])),
            unknown: Number(found[`${measure}_unknown`]),
          }))
        : NO_AMOUNTS;
    };
    return { settled: row(0), inFlight: row(1) };
  }

  /** The newest row of what was charged: `spending` since then is that of what is sent from now on. */
  newest(): number {
    return Number(this.#sql('SELECT coalesce(max(seq), 0) AS newest FROM charge').get()?.newest);
  }

  /** Of what a lock file names, what no submission of this project stands for: it was paid for on another machine. */
  unknownOf(locked: readonly LockedCharge[]): readonly LockedCharge[] {
    return locked.filter(({ generation, fingerprint }) => {
      const [column, value] = generation === null ? ['fingerprint', fingerprint] : ['generation_id', generation];
      const id = lockedId({ generation, fingerprint });
      const known = this.#sql(
        `SELECT 1 FROM submission WHERE ${column} = ?1 UNION ALL SELECT 1 FROM charge WHERE id = ?2 LIMIT 1`,
      ).get(value ?? '', id);
      return known === undefined;
    });
  }

  /** Keeps what another machine has paid for, so that it stays known when the lock names something else in its place. Within `transact`. */
  keep(account: string, locked: readonly LockedCharge[]): void {
    for (const one of this.unknownOf(locked))
      this.put(lockedId(one), account, one.charge, filmIn(realFilm(this.#film), one.profile));
  }

  /** Within `transact`. */
  put(id: string, account: string, charge: Charge, film = this.#film): void {
    const { isOpen, usd, video_seconds, images, generations, tokens } = charge;
    this.#sql(
      `INSERT INTO charge (id, film, account, is_open, usd, video_seconds, images, generations, tokens)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, usd = excluded.usd, video_seconds = excluded.video_seconds,
         images = excluded.images, generations = excluded.generations, tokens = excluded.tokens`,
    ).run(id, film, account, isOpen ? 1 : 0, usd, video_seconds, images, generations, tokens);
  }

  /** A submission that turned out to cost nothing. Within `transact`. */
  drop(id: string): void {
    this.#sql('DELETE FROM charge WHERE id = ?').run(id);
  }

  /** The service has told what a generation really cost, in US dollars. Within `transact`. */
  billed(generation: string, usd: number): void {
    this.#sql(
      `UPDATE charge SET usd = ?1 WHERE id = ?3 OR id IN (SELECT nonce FROM submission WHERE generation_id = ?2)`,
    ).run(usd, generation, lockedId({ generation, fingerprint: '' }));
  }
}

const SUMS = MEASURES.map(
  measure => `total(${measure}) AS ${measure}, count(*) - count(${measure}) AS ${measure}_unknown`,
).join(', ');

/** By its generation; where a call made it, by what was asked. */
const lockedId = ({ generation, fingerprint }: Pick<LockedCharge, 'generation' | 'fingerprint'>): string =>
  generation === null ? `locked request ${fingerprint}` : `locked generation ${generation}`;

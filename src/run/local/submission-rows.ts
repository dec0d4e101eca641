/** The journal's rows of what was sent of late and what is under way, of all films of the project: what limits and rates count. */
import type { StatementSync } from 'node:sqlite';
import type { OpenRow } from '../admission/admission-rows.ts';

export class SubmissionRows {
  readonly #sql: (text: string) => StatementSync;

  constructor(sql: (text: string) => StatementSync) {
    this.#sql = sql;
  }

  /** Unix milliseconds of the submits of this account since `since`, of all films, oldest first. */
  submits(account: string, since: number): readonly number[] {
    const rows = this.#sql('SELECT at FROM submission WHERE account = ? AND at > ? ORDER BY at').all(account, since);
    return rows.map(row => Number(row.at));
  }

  /** Unix milliseconds of the last `most` intents of this account (for this model) since `since`, in the order they were written. */
  lastIntents(
    account: string,
    { most, since, model }: { readonly most: number; readonly since: number; readonly model?: string | undefined },
  ): readonly number[] {
    const rows = this.#sql(
      `SELECT at FROM submission WHERE account = ?1 AND (?2 IS NULL OR model = ?2) AND at > ?3 ORDER BY rowid DESC LIMIT ?4`,
    ).all(account, model ?? null, since, most);
    return rows.map(row => Number(row.at)).reverse();
  }

  /**
   * Of the intents of this account (for this model) that were written since `since`, the one with `n - 1` after it: in the order they
   * were written, whatever the clock said. `future`: the last of them that is later than `now`.
   */
  nthIntent(
    account: string,
    {
      n,
      since,
      now,
      model,
    }: {
      readonly n: number;
      readonly since: number;
      readonly now: number;
      readonly model?: string | undefined;
    },
  ): { readonly row: number; readonly at: number; readonly future: number | undefined } | undefined {
    const among = 'FROM submission WHERE account = ?1 AND (?3 IS NULL OR model = ?3)';
    const row = this.#sql(
      `SELECT rowid AS number, at, (SELECT max(rowid) ${among} AND at > ?5) AS future ${among} AND at > ?2
       ORDER BY rowid DESC LIMIT 1 OFFSET ?4`,
    ).get(account, since, model ?? null, n - 1, now);
    return (
      row && {
        row: Number(row.number),
        at: Number(row.at),
        future: row.future === null ? undefined : Number(row.future),
      }
    );
  }

  /** Requests of this account (for this model) that the service may be at, of all films. */
  underWay(account: string, model: string | undefined): readonly OpenRow[] {
    const rows = this.#sql(
      `SELECT film, nonce, model, state, at, body ->> '$.idle' AS idle FROM submission INDEXED BY submission_open
       WHERE account = ?1 AND state <> 'closed' AND state <> 'made' AND (?2 IS NULL OR model = ?2)`,
    ).all(account, model ?? null);
    return rows.map(row => ({
      film: String(row.film),
      nonce: String(row.nonce),
      model: String(row.model),
      state: String(row.state) as OpenRow['state'],
      at: Number(row.at),
      isIdle: row.idle === 1,
    }));
  }
}

/**
 * A film's own rows of the team's journal, on the machine that leads it: the journal of one machine, in memory. Reading, folding and
 * deciding are done by the same code on the same tables; whatever that writes is put into an outbox by the database itself, row by row, for
 * the team's database to keep.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { inOneTransaction, statementsOf } from '../../machine/files/database.ts';
import { JOURNAL } from '../../records/journal/journal-tables.ts';
import { postgresSafeText } from '../database/sound-text.ts';

/** Rows that were written since the last time, as `keep_rows` takes them. */
export interface Outbox {
  readonly batch: string;
  readonly event: readonly object[];
  readonly submission: readonly object[];
  readonly charge: readonly object[];
  readonly uncharged: readonly string[];
  readonly choice: readonly object[];
  readonly note: readonly object[];
  readonly run_plan: readonly object[];
  /** Events for watchers, as JSON. */
  readonly told: readonly string[];
}

export type Brought = {
  readonly [table in 'event' | 'submission' | 'charge' | 'choice' | 'note' | 'run_plan']?: readonly Row[];
};
export type Row = { readonly [column: string]: string | number | Uint8Array | null };

const COLUMNS = {
  event: ['film', 'run', 'seq', 'at', 'type', 'key', 'fingerprint', 'body', 'asked'],
  submission: ['nonce', 'film', 'fingerprint', 'account', 'model', 'state', 'ending', 'generation_id', 'at', 'body'],
  charge: ['id', 'film', 'account', 'is_open', 'usd', 'video_seconds', 'images', 'generations', 'tokens'],
  choice: ['film', 'key', 'body'],
  note: ['film', 'name', 'value'],
  run_plan: ['run', 'body'],
} as const;

export class Replica {
  readonly database = new DatabaseSync(':memory:');
  readonly #film: string;
  readonly #newId: () => string;
  readonly #sql: (text: string) => StatementSync;

  constructor(film: string, newId: () => string) {
    this.#film = film;
    this.#newId = newId;
    for (const tables of JOURNAL.migrations) this.database.exec(String(tables));
    this.database.exec(OUTBOX);
    this.#sql = statementsOf(this.database);
  }

  /** Puts rows of the team's database in, which are no news for it. */
  bring(brought: Brought): void {
    inOneTransaction(this.database, () => {
      this.database.exec('UPDATE told SET is_news = 0');
      for (const table of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
        const columns = COLUMNS[table];
        const insert = this.#sql(
          `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        for (const row of brought[table] ?? []) insert.run(...columns.map(column => row[column] ?? null));
      }
      this.database.exec('UPDATE told SET is_news = 1');
    });
  }

  /**
   * What waits to be kept, of what was written after `mark`; undefined: nothing does. It stays until it is `kept`.
   * @param events for watchers, which wait for it as well.
   */
  outbox(mark: number, events: readonly string[]): Outbox | undefined {
    const told = this.#sql('SELECT tab, id, max(n) AS n FROM outbox WHERE n > ? GROUP BY tab, id ORDER BY n').all(mark);
    if (told.length === 0 && events.length === 0) return undefined;
    const rows = (table: string, sql: string): readonly object[] => {
      const statement = this.#sql(sql);
      return told
        .filter(({ tab }) => tab === table)
        .flatMap(({ id }) => {
          const row = statement.get(id as string | number);
          return row ? [sound(row as Row)] : [];
        });
    };
    const charges = told.filter(({ tab }) => tab === 'charge').map(({ id }) => String(id));
    const charge = rows('charge', 'SELECT * FROM charge WHERE id = ?');
    const there = new Set(charge.map(row => String((row as Row).id)));
    return {
      batch: this.#newId(),
      event: rows('event', 'SELECT * FROM event WHERE id = ?'),
      submission: rows('submission', "SELECT *, body ->> '$.idle' AS is_idle FROM submission WHERE nonce = ?"),
      charge,
      uncharged: charges.map(postgresSafeText).filter(id => !there.has(id)),
      choice: rows('choice', 'SELECT * FROM choice WHERE id = ?'),
      note: rows('note', `SELECT * FROM note WHERE film = '${this.#film.replaceAll("'", "''")}' AND name = ?`),
      run_plan: rows('run_plan', 'SELECT * FROM run_plan WHERE id = ?').map(row => ({
        ...row,
        body: Buffer.from((row as { body: Uint8Array }).body).toString('base64'),
      })),
      told: events,
    };
  }

  /** The rows of the outbox up to here, to say later which of them are kept. */
  mark(): number {
    return Number(this.#sql('SELECT coalesce(max(n), 0) AS n FROM outbox').get()?.n);
  }

  /** They stand in the team's database. */
  kept(mark: number): void {
    this.#sql('DELETE FROM outbox WHERE n <= ?').run(mark);
  }

  newestChoice(): number {
    return Number(this.#sql('SELECT coalesce(max(id), 0) AS id FROM choice').get()?.id);
  }

  /** Later choices could not be kept: they are undone. */
  takeBackChoices(after: number): void {
    this.#sql('DELETE FROM choice WHERE id > ?').run(after);
    this.#sql("DELETE FROM outbox WHERE tab = 'choice' AND id > ?").run(after);
  }
}

const sound = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'string' ? postgresSafeText(value) : value]),
  );

/** A written row is sent, unless it was downloaded. */
const trigger = (table: string, on: string, id: string): string =>
  `CREATE TEMP TRIGGER told_${table}_${on} AFTER ${on} ON main.${table} WHEN (SELECT is_news FROM temp.told)
   BEGIN INSERT INTO temp.outbox (tab, id) VALUES ('${table}', ${on === 'DELETE' ? 'old' : 'new'}.${id}); END;`;

const OUTBOX = `
  CREATE TEMP TABLE told (is_news INTEGER NOT NULL);
  INSERT INTO told VALUES (1);
  CREATE TEMP TABLE outbox (n INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT NOT NULL, id NOT NULL);
  ${trigger('event', 'INSERT', 'id')}
  ${trigger('submission', 'INSERT', 'nonce')}
  ${trigger('submission', 'UPDATE', 'nonce')}
  ${trigger('charge', 'INSERT', 'id')}
  ${trigger('charge', 'UPDATE', 'id')}
  ${trigger('charge', 'DELETE', 'id')}
  -- A submission that another film sent has its charge in the team's tables alone, and ends without one.
  CREATE TEMP TRIGGER told_submission_end AFTER UPDATE ON main.submission
    WHEN (SELECT is_news FROM temp.told) AND new.ending IN ('refused', 'absent')
    BEGIN INSERT INTO temp.outbox (tab, id) VALUES ('charge', new.nonce); END;
  ${trigger('choice', 'INSERT', 'id')}
  ${trigger('note', 'INSERT', 'name')}
  ${trigger('run_plan', 'INSERT', 'id')}
`;

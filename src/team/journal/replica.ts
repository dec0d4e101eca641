/**
 * A film's own rows of the team's journal, on the machine that leads it: the journal of one machine, in memory. Reading, folding and
 * deciding are done by the same code on the same tables; whatever that writes is put into an outbox by the database itself, row by row, for
 * the team's database to keep.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { inOneTransaction, statementsOf } from '../../machine/files/database.ts';
import { REJECTED_NOTE } from '../../records/journal/choices.ts';
import { Superseded } from '../../records/journal/journal.ts';
import { JOURNAL } from '../../records/journal/journal-tables.ts';
import { postgresSafeText } from '../database/storable-text.ts';
import type { Queries } from '../database/team-database.ts';

/** Rows that were written since the last time, as `keep_rows` takes them. */
interface Outbox {
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

export type ReplicaRows = {
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
  apply(incoming: ReplicaRows): void {
    inOneTransaction(this.database, () => {
      this.database.exec('UPDATE told SET is_news = 0');
      for (const table of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
        const columns = COLUMNS[table];
        const insert = this.#sql(
          `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        for (const row of incoming[table] ?? []) insert.run(...columns.map(column => row[column] ?? null));
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

export const TAKEN_OVER =
  'another worker leads this run now, or it was stopped: nothing more is written or sent from here';

interface KeptOf {
  readonly replica: Replica;
  /** `epoch` absent: a person, who leads nothing. */
  readonly lead: {
    readonly film: string;
    readonly account: string;
    readonly submitted?: string | undefined;
    readonly epoch?: number | undefined;
  };
  /** So many places at the service were left while another film waits for one. */
  readonly left: (places: number) => void;
}

/** Keeps what the replica holds for the team's tables, in the order in which it was written. */
export class KeptRows {
  readonly #of: KeptOf;
  /** Parts of the outbox that may be kept already, or not, oldest first. */
  #unsure: { readonly outbox: Outbox; readonly mark: number }[] = [];
  /** Events for watchers, as JSON. */
  #told: string[] = [];
  /** The newest choice of those that are being kept: it is known once that is certain. */
  #newestChoice = 0;

  constructor(of: KeptOf) {
    this.#of = of;
  }

  tell(events: readonly object[]): void {
    this.#told.push(...events.map(event => JSON.stringify(event)));
  }

  get isEmpty(): boolean {
    return this.#told.length === 0 && this.#of.replica.mark() === 0;
  }

  /** Within the transaction of a decision, or each part by itself. @throws Superseded where another process leads the film. */
  async keep(queries: Queries): Promise<void> {
    const { replica, lead } = this.#of;
    const written = replica.outbox(this.#unsure.at(-1)?.mark ?? 0, this.#told.splice(0));
    const outbox = written && lead.epoch === undefined ? choicesOfPeople(written) : written;
    if (outbox) this.#unsure.push({ outbox, mark: replica.mark() });
    this.#newestChoice = 0;
    // What may be kept already goes once more, under the name that it had.
    for (const part of this.#unsure) await this.#send(part.outbox, queries);
  }

  async #send(outbox: Outbox, { query }: Queries): Promise<void> {
    const { film, submitted = null, epoch, account } = this.#of.lead;
    const kept = JSON.stringify(outbox);
    const [row] = await (epoch === undefined
      ? query<Kept>('SELECT keep_choices($1, $2) AS choice, false AS is_awaited', [film, kept])
      : // Whether the film is led from here is asked first, and holds until this statement ends.
        query<Kept>(
          `SELECT keep_rows($1, $2) AS choice, EXISTS (SELECT FROM want WHERE account = $3) AS is_awaited WHERE still_leads($4, $5)`,
          [JSON.stringify({ film, submitted, epoch }), kept, account, film, epoch],
        ));
    if (!row) throw new Superseded(TAKEN_OVER);
    this.#newestChoice = row.choice ?? this.#newestChoice;
    if (row.is_awaited) this.#of.left(outbox.submission.filter(leftItsPlace).length);
  }

  /** What was chosen, and not kept for certain, is not: where it is kept all the same, it comes back like anybody's. */
  takeBackChoices(after: number): void {
    this.#of.replica.takeBackChoices(after);
    const isBefore = (row: object) => Number((row as Row).id) <= after;
    this.#unsure = this.#unsure.map(({ outbox, mark }) => ({
      mark,
      outbox: { ...outbox, choice: outbox.choice.filter(isBefore) },
    }));
  }

  /** All of it is kept for certain: its newest batch, and its newest choice; 0 where there is none. */
  sure(): { readonly batch: string | undefined; readonly choice: number } {
    const newest = this.#unsure.at(-1);
    this.#of.replica.kept(newest?.mark ?? 0);
    this.#unsure = [];
    return { batch: newest?.outbox.batch, choice: this.#newestChoice };
  }
}

interface Kept {
  readonly choice: number | null;
  /** A film waits for a place at the service. */
  readonly is_awaited: boolean;
}

const leftItsPlace = (row: object): boolean => !['intended', 'accepted'].includes(String((row as Row).state));

/** A process that does not lead the film writes nothing else of it: choices and rejections. */
const choicesOfPeople = (written: Outbox): Outbox => ({
  ...written,
  ...{ event: [], submission: [], charge: [], uncharged: [], run_plan: [] },
  note: written.note.filter(row => PEOPLES_NOTES.has(String((row as Row).name))),
});
const PEOPLES_NOTES: ReadonlySet<string> = new Set([REJECTED_NOTE]);

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

/** What the journal knows of an instance's past: what it gave, what it was asked for, how it failed. Read by whoever looks back. */
import type { StatementSync } from 'node:sqlite';
import type { RecordedEvent } from '../../domain/event.ts';
import type { InstanceKey, RunId } from '../../domain/key.ts';
import { bodyOf, withAsked } from './journal-row.ts';

/** A result with what the event does not say: whose it is. */
export interface ResultRow {
  readonly film: string;
  readonly run: RunId;
  readonly event: RecordedEvent & { readonly type: 'succeeded' | 'reused' };
}

const ROWS = 'SELECT film, run, body, asked FROM event';
/** As far back as anybody asks what an instance once gave. */
const RESULTS = 50;

export class PastResults {
  readonly #sql: (text: string) => StatementSync;
  readonly #film: string;
  /** For messages. */
  readonly #path: string;

  constructor(sql: (text: string) => StatementSync, of: { readonly film: string; readonly path: string }) {
    this.#sql = sql;
    this.#film = of.film;
    this.#path = of.path;
  }

  /** The newest success of this instance in any run of this film. */
  newest(key: InstanceKey): ResultRow | undefined {
    const row = this.#sql(`${ROWS} WHERE film = ? AND key = ? AND type = 'succeeded' ORDER BY id DESC LIMIT 1`).get(
      this.#film,
      key,
    );
    return row && this.#resultRow(row);
  }

  /** Who has the newest result with this fingerprint, in any film of the project. */
  ownerOf(fingerprint: string): ResultRow | undefined {
    const newest = (type: 'succeeded' | 'reused') =>
      this.#sql(`${ROWS} WHERE fingerprint = ? AND type = '${type}' ORDER BY id DESC LIMIT 1`).get(fingerprint);
    const row = newest('succeeded') ?? newest('reused');
    return row && this.#resultRow(row);
  }

  /** The last results of this instance of this film, newest first. */
  resultsOf(key: InstanceKey): readonly ResultRow[] {
    const rows = this.#sql(
      `${ROWS} WHERE film = ? AND key = ? AND type IN ('succeeded', 'reused') ORDER BY id DESC LIMIT ${RESULTS}`,
    ).all(this.#film, key);
    return rows.map(row => this.#resultRow(row));
  }

  /** How the last try of this instance failed, where nothing came of it since. */
  lastFailure(key: InstanceKey): (RecordedEvent & { readonly type: 'failed' }) | undefined {
    const row = this.#sql(
      `SELECT type, body FROM event WHERE film = ? AND key = ? AND type IN ('failed', 'succeeded', 'reused')
       ORDER BY id DESC LIMIT 1`,
    ).get(this.#film, key);
    return row?.type === 'failed' ? bodyOf(row, this.#path, 'failed') : undefined;
  }

  #resultRow(row: Readonly<Record<string, unknown>>): ResultRow {
    const event = withAsked(bodyOf<ResultRow['event']>(row, this.#path, 'succeeded', 'reused'), row);
    return { film: String(row.film), run: String(row.run) as RunId, event };
  }
}

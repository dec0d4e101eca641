/** Rows of other films that a film needs: results that it owns as well, and submissions that its lock or its ledger names. */

import type { FilmTeam } from '../../records/journal/film-journal.ts';
import type { Submission } from '../../records/views/ledger.ts';
import type { Queries } from '../database/team-database.ts';
import { EVENT, SUBMISSION } from './film-rows.ts';
import type { Replica, Row } from './replica.ts';

export class OtherFilms {
  readonly #team: Queries;
  readonly #film: string;
  readonly #replica: Replica;
  /** Requests that were looked up in vain, and those that others were asked about. */
  readonly #missing = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(team: Queries, film: string, replica: Replica) {
    this.#team = team;
    this.#film = film;
    this.#replica = replica;
  }

  /** A request was looked up in vain. */
  missed(fingerprint: string): void {
    if (!this.#asked.has(fingerprint)) this.#missing.add(fingerprint);
  }

  readonly pullMissing: FilmTeam['pullMissing'] = async () => {
    const fingerprints = [...this.#missing];
    this.#missing.clear();
    for (const one of fingerprints) this.#asked.add(one);
    if (fingerprints.length === 0) return false;
    const event = await this.#team.query<Row>(
      `SELECT DISTINCT ON (fingerprint, type) ${EVENT} FROM event
       WHERE fingerprint = ANY($1) AND film <> $2 AND type IN ('succeeded', 'reused', 'billed') ORDER BY fingerprint, type, id DESC`,
      [fingerprints, this.#film],
    );
    this.#replica.bring({ event: this.unknown(event) });
    return event.length > 0;
  };

  readonly pullLocked: FilmTeam['pullLocked'] = async locked => {
    if (locked.length === 0) return;
    const submission = await this.#team.query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE film <> $3 AND (generation_id = ANY($1) OR generation_id IS NULL AND fingerprint = ANY($2))`,
      [locked.flatMap(({ generation }) => generation ?? []), locked.map(({ fingerprint }) => fingerprint), this.#film],
    );
    this.#replica.bring({ submission });
  };

  /** Another film may have closed what an earlier run of this film left idle: a rare case, and the only one that asks a second question. */
  async pullClosed(fingerprint: string, open: readonly Submission[], { query }: Queries): Promise<void> {
    const idle = open.filter(one => one.idle && one.fingerprint === fingerprint).map(({ nonce }) => nonce);
    if (idle.length === 0) return;
    const submission = await query<Row>(
      `SELECT ${SUBMISSION} FROM submission WHERE nonce = ANY($1) AND film <> $2 AND state = 'closed'`,
      [idle, this.#film],
    );
    this.#replica.bring({ submission });
  }

  /** Without events that were brought before. */
  unknown(events: readonly Row[]): readonly Row[] {
    const known = this.#replica.database.prepare('SELECT 1 FROM event WHERE run = ? AND seq = ?');
    return events.filter(({ run, seq }) => known.get(run ?? null, seq ?? null) === undefined);
  }
}

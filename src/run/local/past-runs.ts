/**
 * The runs of a film, as the journal knows them, for whoever looks back. Nothing here is acted upon, so a damaged row is left out and told
 * of: what stands for money is read elsewhere, and refused there.
 */
import type { StatementSync } from 'node:sqlite';
import type { Asked } from '../../domain/asked.ts';
import type { RecordedEvent, RunOutcome } from '../../domain/event.ts';
import type { InstanceKey, RunId } from '../../domain/key.ts';
import { profilesOf, realFilm } from '../../domain/profile.ts';
import { moneyOf, type RunMoney } from '../../domain/run-money.ts';
import { DatabaseRefused } from '../../host/database-error.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { bodyOf, withAsked } from './journal-row.ts';

export interface PastRun {
  readonly run: RunId;
  /** As the journal calls it: its profile is a part of that. */
  readonly film: string;
  readonly started: RecordedEvent & { readonly type: 'run_started' };
  /** Undefined: it goes on, or its process died. */
  readonly finished: (RunMoney & { readonly at: number; readonly outcome: RunOutcome }) | undefined;
  /** It was interrupted, and may have ended without another word. */
  readonly isDetached: boolean;
  /** Unix milliseconds of the last thing that was kept of it. */
  readonly last: number;
  /** No later run of the film, in the same profile, has left a trace. */
  readonly isNewest: boolean;
  /** Somebody else has taken the film since: a run that has not left a trace yet. */
  readonly isSuperseded: boolean;
}

export class PastRuns {
  readonly #sql: (text: string) => StatementSync;
  /** For messages. */
  readonly #path: string;

  constructor(sql: (text: string) => StatementSync, path: string) {
    this.#sql = sql;
    this.#path = path;
  }

  /** Newest first. @param profile `all`: of the film in whichever profile it was run; otherwise of just this one. */
  of(film: string, profile: 'all' | 'this'): readonly PastRun[] {
    const { from, to } = profilesOf(film);
    const rows = this.#sql(
      `SELECT run, film, body, EXISTS (SELECT 1 FROM run_plan p JOIN lease l ON l.film = s.film WHERE p.run = s.run AND p.token <> l.token) AS superseded FROM event s
       WHERE type = 'run_started' AND (film = ?1 OR film BETWEEN ?2 AND ?3) ORDER BY id DESC`,
    ).all(...(profile === 'all' ? [realFilm(film), from, to] : [film, '', '']));
    const seen = new Set<string>();
    return rows.flatMap(row => {
      const started = this.#read<PastRun['started']>(row, 'run_started');
      const isNewest = !seen.has(String(row.film));
      seen.add(String(row.film));
      if (!started) return [];
      const run = String(row.run) as RunId;
      const isSuperseded = row.superseded === 1;
      const end = this.#endOf(run);
      const last = end.finished?.at ?? this.#lastOf(run);
      return { run, film: String(row.film), started, isNewest, isSuperseded, ...end, last };
    });
  }

  /** Films that have been run in this project, by the name that the journal has for them. */
  films(): readonly string[] {
    return this.#sql("SELECT DISTINCT film FROM event INDEXED BY run_of_film WHERE type = 'run_started' ORDER BY film")
      .all()
      .map(({ film }) => String(film));
  }

  /** What this film has sent and does not own yet, oldest first. */
  openOf(film: string): readonly Submission[] {
    return this.#sql("SELECT body FROM submission WHERE film = ? AND state <> 'closed' ORDER BY rowid")
      .all(film)
      .flatMap(row => this.#read<Submission>(row) ?? []);
  }

  /** What was kept of one instance in one run. */
  eventsOf(run: RunId, key: InstanceKey): readonly RecordedEvent[] {
    return this.#sql('SELECT body, asked FROM event WHERE run = ? AND key = ? ORDER BY id')
      .all(run, key)
      .flatMap(row => {
        const event = this.#read<RecordedEvent>(row);
        return event ? withAsked(event, row) : [];
      });
  }

  /** Instances that something was kept of in this run. */
  keysOf(run: RunId): readonly InstanceKey[] {
    return this.#sql('SELECT key FROM event WHERE run = ? AND key IS NOT NULL GROUP BY key ORDER BY min(id)')
      .all(run)
      .map(({ key }) => String(key) as InstanceKey);
  }

  /** `damaged`: rows that cannot be read. */
  events(run: RunId): { readonly events: readonly RecordedEvent[]; readonly damaged: number } {
    const events: RecordedEvent[] = [];
    let damaged = 0;
    for (const row of this.#sql('SELECT body, asked FROM event WHERE run = ? ORDER BY id').iterate(run)) {
      const event = this.#read<RecordedEvent>(row);
      if (event) events.push(withAsked(event, row));
      else damaged += 1;
    }
    return { events, damaged };
  }

  /** What instances were asked for the last time that they were made before that run. */
  askedBefore(run: RunId, film: string): (key: InstanceKey) => Asked | undefined {
    // Looked for once: ten thousand ask.
    const first = Number(this.#sql('SELECT min(id) AS id FROM event WHERE run = ?').get(run)?.id ?? 0);
    return key => this.#askedBefore(first, film, key);
  }

  #askedBefore(first: number, film: string, key: InstanceKey): Asked | undefined {
    const row = this.#sql(
      `SELECT body, asked FROM event WHERE film = ? AND key = ? AND type = 'succeeded' AND asked IS NOT NULL
       AND id < ? ORDER BY id DESC LIMIT 1`,
    ).get(film, key, first);
    const event = row && this.#read<RecordedEvent & { readonly type: 'succeeded' }>(row, 'succeeded');
    return event && row && withAsked(event, row).asked;
  }

  #endOf(run: RunId): Pick<PastRun, 'finished' | 'isDetached'> {
    const rows = this.#sql(
      "SELECT type, body FROM event WHERE run = ? AND key IS NULL AND type IN ('run_finished', 'run_detached') ORDER BY id",
    ).all(run);
    const last = rows.findLast(({ type }) => type === 'run_finished');
    const finished = last && this.#read<RecordedEvent & { readonly type: 'run_finished' }>(last, 'run_finished');
    return {
      finished: finished && { at: finished.at, outcome: finished.outcome, ...moneyOf(finished) },
      isDetached: rows.some(({ type }) => type === 'run_detached'),
    };
  }

  #lastOf(run: RunId): number {
    const row = this.#sql('SELECT at FROM event WHERE id = (SELECT max(id) FROM event WHERE run = ?)').get(run);
    return Number(row?.at ?? 0);
  }

  #read<E>(row: Readonly<Record<string, unknown>>, ...types: readonly RecordedEvent['type'][]): E | undefined {
    try {
      return bodyOf<E>(row, this.#path, ...types);
    } catch (error) {
      if (error instanceof DatabaseRefused) return undefined;
      throw error;
    }
  }
}

/**
 * The table of generations, and the only way their status moves:
 *
 *   queued ──start──▶ processing ──succeed──▶ succeeded
 *     │   ◀─requeue──     │ │
 *     │                   │ └──────fail─────▶ failed
 *     └──────cancel───────┴─────────────────▶ cancelled
 *
 * Every move names the status it starts from, so that a render that ends after a cancel changes nothing.
 * Each method is durable when it returns.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { isTerminal } from '../../../api/queue.ts';
import { inOneTransaction, statementsOf } from '../../../machine/files/database.ts';
import type { MediaFacts } from '../../../model/media/media.ts';
import type { JsonObject } from '../../../model/text/json.ts';

type GenerationStatus = 'queued' | 'processing' | 'succeeded' | 'failed' | 'cancelled';

/** Where a hosted service would file the result; kept and shown, not acted on. */
export interface Target {
  readonly target_namespace: string | null;
  readonly target_repo: string | null;
  readonly target_directory: string | null;
}

export interface NewGeneration extends Target {
  readonly id: string;
  readonly model: string;
  readonly media_type: 'image' | 'video';
  /** The model's own fields as they were sent. */
  readonly request: JsonObject;
  /** Unix seconds. */
  readonly enqueued_at: number;
  /** The name its sender gave the request, and a digest of what was asked under it. */
  readonly idempotency_key: string | null;
  readonly asks: string | null;
}

export interface Generation extends NewGeneration {
  /** Order of arrival. */
  readonly seq: number;
  readonly status: GenerationStatus;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  /** File name in the generation's result folder. */
  readonly file: string | null;
  readonly clean_plate: string | null;
  readonly facts: MediaFacts | null;
  /** US dollars, a decimal. */
  readonly cost: string | null;
  readonly error_message: string | null;
  /** The cause of a failure: the request, which its sender can mend, or the studio itself. */
  readonly blame: 'request' | 'studio' | null;
}

interface Finished {
  readonly file: string;
  readonly clean_plate: string | null;
  readonly facts: MediaFacts;
  readonly cost: string | null;
}

/** A new status, and what is known with it. */
type Move = { readonly status: GenerationStatus } & Readonly<Record<string, string | number | null>>;

/** Equality on columns; an absent filter lets everything through. */
export interface Filters {
  readonly model?: string;
  readonly media_type?: string;
  readonly status?: string;
  readonly target_namespace?: string;
  readonly target_repo?: string;
  readonly target_directory?: string;
}

export class GenerationTable {
  readonly #database: DatabaseSync;
  /** There are as many texts as filters can be combined. */
  readonly #prepare: (sql: string) => StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#prepare = statementsOf(database);
  }

  /** All of them or none. */
  insert(generations: readonly NewGeneration[]): void {
    inOneTransaction(this.#database, () => {
      for (const generation of generations) {
        const row = { ...generation, request: JSON.stringify(generation.request), status: 'queued' };
        const names = Object.keys(row);
        this.#prepare(`INSERT INTO generations (${names.join(', ')}) VALUES (:${names.join(', :')})`).run(row);
      }
    });
  }

  start(id: string, at: number): boolean {
    return this.#move(id, ['queued'], { status: 'processing', started_at: at });
  }

  succeed(id: string, at: number, { facts, ...finished }: Finished): boolean {
    const result = { ...finished, facts: JSON.stringify(facts) };
    return this.#move(id, ['processing'], { status: 'succeeded', completed_at: at, ...result });
  }

  fail(id: string, at: number, error_message: string, blame: 'request' | 'studio'): boolean {
    return this.#move(id, ['processing'], { status: 'failed', completed_at: at, error_message, blame });
  }

  cancel(id: string, at: number, error_message: string): boolean {
    return this.#move(id, ['queued', 'processing'], { status: 'cancelled', completed_at: at, error_message });
  }

  /** False where the generation is in none of these states. */
  #move(id: string, from: readonly GenerationStatus[], to: Move): boolean {
    const columns = Object.keys(to).map(name => `${name} = :${name}`);
    const states = from.map(status => `'${status}'`);
    const sql = `UPDATE generations SET ${columns.join(', ')} WHERE id = :id AND status IN (${states.join(', ')})`;
    return this.#prepare(sql).run({ id, ...to }).changes > 0;
  }

  /** A generation that a killed server left half done waits again, in its old place. */
  requeueInterrupted(): void {
    this.#prepare(`UPDATE generations SET status = 'queued', started_at = NULL WHERE status = 'processing'`).run();
  }

  get(id: string): Generation | undefined {
    const row = this.#prepare('SELECT * FROM generations WHERE id = ?').get(id);
    return row && read(row);
  }

  /** Those that were enqueued under this name, in the order of their takes. */
  byIdempotencyKey(key: string): readonly Generation[] {
    return this.#prepare('SELECT * FROM generations WHERE idempotency_key = ? ORDER BY seq').all(key).map(read);
  }

  /** First come, first served. */
  next(): Generation | undefined {
    const row = this.#prepare(`SELECT * FROM generations WHERE status = 'queued' ORDER BY seq LIMIT 1`).get();
    return row && read(row);
  }

  /** Returns each generation's place in the queue as it is now, 1 is next; null for those that no longer wait. */
  places(): (generation: Generation) => number | null {
    const waiting = this.#prepare(`SELECT seq FROM generations WHERE status = 'queued' ORDER BY seq`).all();
    const places = new Map(waiting.map(({ seq }, index) => [seq, index + 1]));
    return ({ seq }) => places.get(seq) ?? null;
  }

  place({ seq, status }: Generation): number | null {
    if (status !== 'queued') return null;
    const row = this.#prepare(`SELECT count(*) AS n FROM generations WHERE status = 'queued' AND seq <= ?`).get(seq);
    return Number(row?.n);
  }

  /** Oldest first; those still to be finished, unless the filters name a status. */
  queue(filters: Filters): readonly Generation[] {
    const { where, values } = conditions(filters);
    const active = filters.status === undefined ? [`status IN ('queued', 'processing')`] : [];
    const clause = [...active, ...where].join(' AND ');
    return this.#prepare(`SELECT * FROM generations WHERE ${clause} ORDER BY seq`)
      .all(...values)
      .map(read);
  }

  /** Newest first. */
  page(
    filters: Filters,
    size: number,
    number: number,
  ): { readonly total: number; readonly rows: readonly Generation[] } {
    const { where, values } = conditions(filters);
    const clause = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
    const total = this.#prepare(`SELECT count(*) AS n FROM generations ${clause}`).get(...values);
    const rows = this.#prepare(`SELECT * FROM generations ${clause} ORDER BY seq DESC LIMIT ? OFFSET ?`).all(
      ...values,
      size,
      (number - 1) * size,
    );
    return { total: Number(total?.n), rows: rows.map(read) };
  }

  /** What every matching generation cost, one decimal each. */
  costs(filters: Filters): readonly string[] {
    const { where, values } = conditions(filters);
    const clause = ['cost IS NOT NULL', ...where].join(' AND ');
    const rows = this.#prepare(`SELECT cost FROM generations WHERE ${clause}`).all(...values);
    return rows.map(row => String(row.cost));
  }
}

const FILTER_NAMES = ['model', 'media_type', 'status', 'target_namespace', 'target_repo', 'target_directory'] as const;

function conditions(filters: Filters): { readonly where: readonly string[]; readonly values: readonly string[] } {
  const set = FILTER_NAMES.flatMap(name => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  return { where: set.map(([name]) => `${name} = ?`), values: set.map(([, value]) => value) };
}

/** The table is written by this file alone, so its columns are trusted to hold what was put in. */
function read(row: Record<string, SQLOutputValue>): Generation {
  const generation = row as unknown as Omit<Generation, 'request' | 'facts'> & {
    request: string;
    facts: string | null;
  };
  return {
    ...generation,
    request: JSON.parse(generation.request) as JsonObject,
    facts: generation.facts === null ? null : (JSON.parse(generation.facts) as MediaFacts),
  };
}

export const isFinished = (generation: Generation): boolean => isTerminal(generation.status);

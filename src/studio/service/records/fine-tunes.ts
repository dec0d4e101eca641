/**
 * One repository with fine-tunes in several states. Only `created` and what follows from it moves here:
 *
 *   created ──tokenize──▶ tokenizing ──after a while──┬─▶ tokenized
 *                                                     └─▶ failed
 *
 * The document names `created` alone; the other words are the studio's own.
 */
import type { DatabaseSync } from 'node:sqlite';
import { CREATED, type FineTune, type FineTunePlace } from '../../../api/fine-tunes.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { OWNER } from '../custom-models.ts';

const REPOSITORY = 'looks';
/** Milliseconds; in a draft a fifth of it. */
export const TOKENIZING = 8_000;
/** Its tokenization fails. */
const UNREADABLE = 'ft-static';

const SEEDS: readonly (readonly [id: string, base: string, status: string])[] = [
  ['ft-night-train', 'V-T2V-A', CREATED],
  ['ft-harbour', 'I-GEN-A', CREATED],
  [UNREADABLE, 'I-GEN-A', CREATED],
  ['ft-lighthouse', 'I-GEN-A', 'tokenized'],
  ['ft-snow', 'V-T2V-A', 'running'],
  ['ft-fox', 'V-T2V-A', 'succeeded'],
  ['ft-fog', 'I-GEN-A', 'failed'],
];

interface Row {
  readonly id: string;
  readonly base_model: string;
  readonly status: string;
  /** Unix milliseconds of its last move. */
  readonly since: number;
}

export class FineTunes {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #takes: number;

  /** @param takes milliseconds that a tokenization takes. */
  constructor(database: DatabaseSync, clock: Clock, takes = TOKENIZING) {
    this.#takes = takes;
    this.#database = database;
    this.#clock = clock;
    const insert = database.prepare('INSERT OR IGNORE INTO fine_tunes VALUES (?, ?, ?, ?, ?, ?)');
    for (const [id, base, status] of SEEDS) insert.run(OWNER, REPOSITORY, id, base, status, clock.now());
  }

  get(place: FineTunePlace): FineTune | undefined {
    const row = this.#database
      .prepare('SELECT * FROM fine_tunes WHERE namespace = ? AND repo = ? AND id = ?')
      .get(place.namespace, place.repo, place.id) as unknown as Row | undefined;
    if (row === undefined) return undefined;
    const { id, base_model, status, since } = row;
    if (status !== 'tokenizing') return { id, status, base_model };
    const progress = (this.#clock.now() - since) / this.#takes;
    if (progress < 1) return { id, status, base_model, progress: Math.max(0, Math.round(progress * 100) / 100) };
    return id === UNREADABLE
      ? { id, status: 'failed', base_model, error_message: 'the third of its pictures cannot be read' }
      : { id, status: 'tokenized', base_model };
  }

  /** True when it was in the state that can be tokenized. Durable when it returns. */
  tokenize({ namespace, repo, id }: FineTunePlace): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE fine_tunes SET status = 'tokenizing', since = ? WHERE namespace = ? AND repo = ? AND id = ? AND status = '${CREATED}'`,
      )
      .run(this.#clock.now(), namespace, repo, id);
    return changes > 0;
  }
}

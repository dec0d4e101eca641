/**
 * A request with an idempotency key is carried out once, however often and however quickly it is sent again. A generation carries its
 * name on record; a chat's answer is kept for a day. In memory is only what is being carried out.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../machine/time/clock.ts';
import type { ChatReply } from '../../writer/index.ts';
import { AnswerRelay, type StoredAnswer } from '../answer-relay.ts';
import { type IdempotencyKey, refuseReuse } from '../http/idempotency-key.ts';
import type { GenerationTable } from './generations.ts';

/** Milliseconds for which a chat's answer is kept. */
const KEPT = 24 * 60 * 60_000;
/** Answers that are kept at most: the oldest go first. */
const MOST = 10_000;

export class IdempotentCalls {
  readonly #table: GenerationTable;
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #underway = new Map<string, { readonly asks: string; readonly result: Promise<unknown> }>();
  readonly #closing = new AbortController();

  constructor({ table, database, clock }: { table: GenerationTable; database: DatabaseSync; clock: Clock }) {
    this.#table = table;
    this.#database = database;
    this.#clock = clock;
  }

  /** The ids of what was enqueued under this name before, or is now. */
  async generations(
    key: IdempotencyKey | undefined,
    enqueue: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    if (key === undefined) return enqueue();
    return this.#once(key, async () => {
      const known = this.#table.byIdempotencyKey(key.value);
      if (known[0]) refuseReuse(key, known[0].asks);
      else refuseReuse(key, this.#chatAnswer(key.value)?.asks ?? key.digest);
      return known.length > 0 ? known.map(({ id }) => id) : enqueue();
    });
  }

  /**
   * What was answered under this name, or is now. With a name an answer is written to its end although the requester has hung up:
   * they will ask again.
   */
  async chat(
    key: IdempotencyKey | undefined,
    gone: AbortSignal,
    answer: (gone: AbortSignal) => Promise<ChatReply>,
  ): Promise<ChatReply> {
    if (key === undefined) return answer(gone);
    return this.#once(key, async keepUnderway => {
      const known = this.#chatAnswer(key.value);
      refuseReuse(key, known?.asks ?? this.#table.byIdempotencyKey(key.value)[0]?.asks ?? key.digest);
      if (known) return AnswerRelay.of(known.stored).reply;
      const reply = await answer(this.#closing.signal);
      if (!('stream' in reply)) {
        this.#store(key, { json: reply });
        return reply;
      }
      const relay = new AnswerRelay();
      keepUnderway(relay.stored.then(stored => this.#store(key, stored)));
      void Promise.resolve(reply.stream(relay)).catch(error => relay.destroy(error as Error));
      return relay.reply;
    });
  }

  close(): void {
    this.#closing.abort();
  }

  /** @param work may tell until when it is still being carried out, beyond its own end. */
  #once<T>(key: IdempotencyKey, work: (keepUnderway: (until: Promise<unknown>) => void) => Promise<T>): Promise<T> {
    const before = this.#underway.get(key.value);
    if (before) {
      refuseReuse(key, before.asks);
      return before.result as Promise<T>;
    }
    let until: Promise<unknown> = Promise.resolve();
    const result = work(longer => {
      until = longer;
    });
    this.#underway.set(key.value, { asks: key.digest, result });
    const over = () => this.#underway.delete(key.value);
    void result.then(() => until).then(over, over);
    return result;
  }

  #chatAnswer(key: string): { readonly asks: string; readonly stored: StoredAnswer } | undefined {
    const row = this.#database
      .prepare('SELECT asks, answer FROM chat_answers WHERE idempotency_key = ? AND at > ?')
      .get(key, this.#clock.now() - KEPT);
    return row && { asks: String(row.asks), stored: JSON.parse(String(row.answer)) as StoredAnswer };
  }

  #store(key: IdempotencyKey, stored: StoredAnswer): void {
    if (this.#closing.signal.aborted) return;
    this.#database
      .prepare(
        'DELETE FROM chat_answers WHERE at <= ? OR at <= (SELECT at FROM chat_answers ORDER BY at DESC LIMIT 1 OFFSET ?)',
      )
      .run(this.#clock.now() - KEPT, MOST - 1);
    this.#database
      .prepare('INSERT OR REPLACE INTO chat_answers (idempotency_key, asks, at, answer) VALUES (?, ?, ?, ?)')
      .run(key.value, key.digest, this.#clock.now(), JSON.stringify(stored));
  }
}

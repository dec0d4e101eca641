/**
 * What requests with a name come to: carried out once, however often and however quickly they are sent again. A generation carries its
 * name on record; what a chat said is kept for a day. In memory is only what is being carried out.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../host/clock.ts';
import type { ChatReply } from '../../writer/chat-backend.ts';
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
    named: IdempotencyKey | undefined,
    enqueue: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    if (named === undefined) return enqueue();
    return this.#once(named, async () => {
      const known = this.#table.byIdempotencyKey(named.key);
      if (known[0]) refuseReuse(named, known[0].asks);
      else refuseReuse(named, this.#chatAnswer(named.key)?.asks ?? named.digest);
      return known.length > 0 ? known.map(({ id }) => id) : enqueue();
    });
  }

  /**
   * What was answered under this name, or is now. With a name an answer is written to its end although whoever asked has hung up:
   * they will ask again.
   */
  async chat(
    named: IdempotencyKey | undefined,
    gone: AbortSignal,
    answer: (gone: AbortSignal) => Promise<ChatReply>,
  ): Promise<ChatReply> {
    if (named === undefined) return answer(gone);
    return this.#once(named, async keepUnderway => {
      const known = this.#chatAnswer(named.key);
      refuseReuse(named, known?.asks ?? this.#table.byIdempotencyKey(named.key)[0]?.asks ?? named.digest);
      if (known) return AnswerRelay.of(known.said).reply;
      const reply = await answer(this.#closing.signal);
      if (!('stream' in reply)) {
        this.#keep(named, { json: reply });
        return reply;
      }
      const relay = new AnswerRelay();
      keepUnderway(relay.stored.then(said => this.#keep(named, said)));
      void Promise.resolve(reply.stream(relay)).catch(error => relay.destroy(error as Error));
      return relay.reply;
    });
  }

  close(): void {
    this.#closing.abort();
  }

  /** @param work may tell until when it is still being carried out, beyond its own end. */
  #once<T>(named: IdempotencyKey, work: (keepUnderway: (until: Promise<unknown>) => void) => Promise<T>): Promise<T> {
    const before = this.#underway.get(named.key);
    if (before) {
      refuseReuse(named, before.asks);
      return before.result as Promise<T>;
    }
    let until: Promise<unknown> = Promise.resolve();
    const result = work(longer => {
      until = longer;
    });
    this.#underway.set(named.key, { asks: named.digest, result });
    const over = () => this.#underway.delete(named.key);
    void result.then(() => until).then(over, over);
    return result;
  }

  #chatAnswer(key: string): { readonly asks: string; readonly said: StoredAnswer } | undefined {
    const row = this.#database
      .prepare('SELECT asks, answer FROM chat_answers WHERE idempotency_key = ? AND at > ?')
      .get(key, this.#clock.now() - KEPT);
    return row && { asks: String(row.asks), said: JSON.parse(String(row.answer)) as StoredAnswer };
  }

  #keep(named: IdempotencyKey, said: StoredAnswer): void {
    if (this.#closing.signal.aborted) return;
    this.#database
      .prepare(
        'DELETE FROM chat_answers WHERE at <= ? OR at <= (SELECT at FROM chat_answers ORDER BY at DESC LIMIT 1 OFFSET ?)',
      )
      .run(this.#clock.now() - KEPT, MOST - 1);
    this.#database
      .prepare('INSERT OR REPLACE INTO chat_answers (idempotency_key, asks, at, answer) VALUES (?, ?, ?, ?)')
      .run(named.key, named.digest, this.#clock.now(), JSON.stringify(said));
  }
}

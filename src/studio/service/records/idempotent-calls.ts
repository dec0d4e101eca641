/**
 * A request with an idempotency key is carried out once, however often and however quickly it is sent again. A generation carries its
 * name on record; a chat's answer is kept for a day. In memory is only what is being carried out.
 */
import type { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import type { Clock } from '../../../machine/time/clock.ts';
import { EVENT_STREAM_HEADERS, type Listener } from '../../shared/event-stream.ts';
import type { JsonReply } from '../../shared/http-refusal.ts';
import type { ChatReply } from '../../writer/index.ts';
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
      if (known) return replyOf(known.stored);
      const reply = await answer(this.#closing.signal);
      if (!('stream' in reply)) {
        this.#store(key, { json: reply });
        return reply;
      }
      const relay = new AnswerRelay();
      keepUnderway(relay.stored.then(stored => this.#store(key, stored)));
      void Promise.resolve(reply.stream(relay)).catch(error => relay.destroy(error as Error));
      return { stream: listener => relay.replay(listener) };
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

/** An answer as it is kept: in one piece, or the text of a stream. */
type StoredAnswer = { readonly json: JsonReply } | { readonly stream: string };

function replyOf(stored: StoredAnswer): ChatReply {
  if ('json' in stored) return stored.json;
  return {
    stream: listener => {
      listener.writeHead(200, EVENT_STREAM_HEADERS);
      listener.end(stored.stream);
    },
  };
}

/** Bytes. */
const LARGEST = 32 * 1024 * 1024;

/** A streamed answer that is written once and sent to every listener from its beginning, while it is written and afterwards. */
class AnswerRelay extends Writable implements Listener {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Readonly<Record<string, string>> = {};
  /** Rejects when the answer breaks off. */
  readonly stored: Promise<StoredAnswer>;

  constructor() {
    super();
    this.setMaxListeners(0);
    this.stored = new Promise((resolve, reject) => {
      this.on('finish', () => resolve({ stream: Buffer.concat(this.#chunks).toString('utf8') }));
      this.on('close', () => reject(new Error('the answer broke off')));
    });
    // It need not be waited for.
    this.stored.catch(() => {});
    this.on('error', () => {});
  }

  writeHead(_status: number, headers: Readonly<Record<string, string>>): this {
    this.#head = headers;
    return this;
  }

  flushHeaders(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LARGEST) return void done(new Error(`the answer is longer than ${LARGEST} bytes`));
    this.#chunks.push(chunk);
    this.emit('chunk', chunk);
    done();
  }

  /** Ends the listener with the answer, or destroys it: it must not take half an answer for a whole one. */
  replay(listener: Listener): void {
    const write = (chunk: Buffer) => listener.write(chunk);
    listener.writeHead(200, this.#head);
    listener.flushHeaders();
    this.#chunks.forEach(write);
    this.on('chunk', write);
    listener.on('close', () => this.off('chunk', write));
    void this.stored.then(
      () => listener.end(),
      () => listener.destroy(),
    );
  }
}

/** A streamed answer that is written once and sent to everybody who asks for it, from its beginning, while it is written and afterwards. */
import { Writable } from 'node:stream';
import { EVENT_STREAM_HEADERS, type Listener } from '../shared/event-stream.ts';
import type { JsonReply } from '../shared/reply.ts';
import type { ChatReply } from '../writer/index.ts';

/** An answer as it is kept: in one piece, or the text of a stream. */
export type StoredAnswer = { readonly json: JsonReply } | { readonly stream: string };

/** Bytes. */
const LARGEST = 32 * 1024 * 1024;

export class AnswerRelay extends Writable implements Listener {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Readonly<Record<string, string>> = {};
  readonly #listeners = new Set<Listener>();
  /** Rejects when the answer breaks off. */
  readonly stored: Promise<StoredAnswer>;

  /** One that was sent to its end. */
  static of(said: StoredAnswer): { readonly reply: ChatReply } {
    if ('json' in said) return { reply: said.json };
    return {
      reply: {
        stream: listener => {
          listener.writeHead(200, EVENT_STREAM_HEADERS);
          listener.end(said.stream);
        },
      },
    };
  }

  constructor() {
    super();
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

  get reply(): ChatReply {
    return { stream: listener => this.#replay(listener) };
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes > LARGEST) return void done(new Error(`the answer is longer than ${LARGEST} bytes`));
    this.#chunks.push(chunk);
    for (const listener of this.#listeners) listener.write(chunk);
    done();
  }

  override _final(done: () => void): void {
    for (const listener of this.#listeners) listener.end();
    done();
  }

  /** A listener must not take half an answer for a whole one. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) for (const listener of this.#listeners) listener.destroy();
    this.#listeners.clear();
    done(error);
  }

  #replay(listener: Listener): void {
    listener.writeHead(200, this.#head);
    listener.flushHeaders();
    for (const chunk of this.#chunks) listener.write(chunk);
    if (this.writableFinished) return void listener.end();
    if (this.destroyed) return void listener.destroy();
    this.#listeners.add(listener);
    listener.on('close', () => this.#listeners.delete(listener));
  }
}

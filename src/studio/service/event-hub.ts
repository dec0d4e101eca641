/**
 * The event stream: what happened, sent to all listeners. Nothing is replayed; records are the truth. All events of one turn of the event loop are
 * sent in one piece: a thousand listeners cost a thousand writes, however many events there were.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../machine/time/clock.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { beginEventStream } from '../shared/event-stream.ts';

/** Milliseconds between comments that keep proxies and watchdogs content. */
const KEEPALIVE = 15_000;
/** A client that does not read is cut off, or it would fill this process's memory. */
const MOST_BUFFERED = 1024 * 1024;
const LONGEST_STALL = 30_000;

export class EventHub {
  readonly #clock: Clock;
  readonly #worded: (frame: string) => string;
  /** Since when (Unix ms) each listener has not read; null while it keeps up. */
  readonly #listeners = new Map<ServerResponse, number | null>();
  readonly #closed = new AbortController();
  #waiting = '';

  /** @param worded the text that is really sent for a frame; nothing is sent for an empty one. */
  constructor(clock: Clock, worded: (frame: string) => string = frame => frame) {
    this.#clock = clock;
    this.#worded = worded;
    void this.#keepAlive();
  }

  add(response: ServerResponse): void {
    if (this.#closed.signal.aborted) return void response.destroy();
    // The events that wait happened before this listener came.
    this.#flush();
    beginEventStream(response);
    this.#listeners.set(response, null);
    response.on('drain', () => this.#listeners.set(response, null));
    response.on('close', () => this.#listeners.delete(response));
    response.on('error', () => this.#listeners.delete(response));
    this.#write(response, Buffer.from(this.#worded(': listening\n\n')));
  }

  publish(event: string, data: JsonObject): void {
    this.#push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    this.#flush();
    this.#closed.abort();
    for (const response of this.#listeners.keys()) response.end();
    this.#listeners.clear();
  }

  async #keepAlive(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      await this.#clock.sleep(KEEPALIVE, this.#closed.signal);
      if (!this.#closed.signal.aborted) this.#push(': still here\n\n');
    }
  }

  #push(frame: string): void {
    const text = this.#worded(frame);
    if (text === '') return;
    if (this.#waiting === '') setImmediate(() => this.#flush());
    this.#waiting += text;
  }

  #flush(): void {
    if (this.#waiting === '') return;
    // One piece of memory for all of them, however slowly some of them read.
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    for (const response of [...this.#listeners.keys()]) this.#write(response, bytes);
  }

  #write(response: ServerResponse, bytes: Buffer): void {
    const stalledSince = this.#listeners.get(response) ?? null;
    const tooLong = stalledSince !== null && this.#clock.now() - stalledSince >= LONGEST_STALL;
    if (tooLong || response.writableLength + bytes.length > MOST_BUFFERED) {
      this.#listeners.delete(response);
      response.destroy();
      return;
    }
    const keepsUp = response.write(bytes);
    if (!keepsUp && stalledSince === null) this.#listeners.set(response, this.#clock.now());
  }
}

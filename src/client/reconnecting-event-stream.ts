/**
 * One event stream, shared by everybody who listens, opened for the first and closed after the last.
 *
 *   closed ──listen──▶ opening ──200, text/event-stream──▶ up
 *                        ▲  │ any status, any error          │ end, error, silence, a line without end
 *                        │  ▼                                ▼
 *                        └─ waiting ◀────────────────────────┘
 *
 * `eventsource` reads the format, one object for each connection: its own reopening gives up for good at the first answer that is
 * not 200, has no watchdog, and runs on a clock of its own. So each of its `error` events ends the object, and what follows is ours.
 */
import { EventSource, type FetchLikeResponse } from 'eventsource';
import { COMPLETED, routes } from '../api/routes.ts';
import type { StreamListener } from '../api/service.ts';
import { networkErrorText } from '../machine/network-error.ts';
import { backoff } from '../machine/time/backoff.ts';
import { type Watchdog, watchdog } from '../machine/time/deadline.ts';
import type { HttpResponse, Transport } from './transport.ts';
import { completedId } from './wire/decode-generation.ts';
import { retryAfter } from './wire/response-body.ts';

/** Milliseconds without a byte, comments included, after which a stream is dead. */
const MAX_SILENCE = 45_000;
/** Milliseconds after which a connection counts as a good one: the wait after it is the shortest again. */
const HEALTHY_AFTER = 10_000;
/** Characters of one line, or of one event. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

/** Waits before the next opening: the first, and the longest. A refused key or a missing stream rarely heal in seconds. */
const RECONNECT_DELAYS = {
  trouble: [500, 30_000],
  refused: [30_000, 300_000],
  absent: [300_000, 300_000],
} as const;

/** How a connection came to its end. */
interface End {
  readonly reason: string;
  readonly wait: keyof typeof RECONNECT_DELAYS;
  readonly retryAfter?: number | undefined;
}

export class ReconnectingEventStream {
  readonly #transport: Transport;
  readonly #random: () => number;
  readonly #listeners = new Set<StreamListener>();
  #state: { readonly is: 'unknown' } | { readonly is: 'up' } | { readonly is: 'down'; readonly reason: string } = {
    is: 'unknown',
  };
  #stop: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #lastEventId = '';

  constructor(transport: Transport, random: () => number) {
    this.#transport = transport;
    this.#random = random;
  }

  /** A listener that joins late gets the present state, though never from inside this call. */
  listen(listener: StreamListener): () => void {
    // A fresh object for each call: the same listener may listen twice, and each leaves by itself.
    const mine: StreamListener = {
      completed: id => listener.completed(id),
      up: () => listener.up(),
      down: reason => listener.down(reason),
    };
    this.#listeners.add(mine);
    if (this.#stop === undefined) this.#open();
    else queueMicrotask(() => this.#notify(mine));
    return () => {
      this.#listeners.delete(mine);
      if (this.#listeners.size === 0) this.#shut();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#shut();
    await this.#running;
  }

  #open(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#state = { is: 'unknown' };
    // Connections are made one at a time: the last one is gone before the next is made.
    this.#running = this.#running.then(() => this.#keepOpen(stop.signal));
  }

  #shut(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #keepOpen(stop: AbortSignal): Promise<void> {
    const { clock } = this.#transport;
    let failures = 0;
    while (!stop.aborted) {
      const begun = clock.now();
      const end = await this.#connection(stop);
      if (stop.aborted) return;
      const wasGood = this.#state.is === 'up' && clock.now() - begun >= HEALTHY_AFTER;
      this.#change({ is: 'down', reason: end.reason });
      failures = wasGood ? 1 : failures + 1;
      await clock.sleep(this.#wait(end, failures), stop);
    }
  }

  /** Doubles with each failure and spreads over the upper half, so that many runners do not come back in step. */
  #wait(end: End, failures: number): number {
    const [first, longest] = RECONNECT_DELAYS[end.wait];
    const spread = backoff(failures - 1, { first, longest }) * (0.5 + this.#random() / 2);
    return Math.round(Math.max(spread, Math.min(end.retryAfter ?? 0, RECONNECT_DELAYS.absent[1])));
  }

  /** One connection, from its opening to its end, whichever way that comes first. */
  #connection(stop: AbortSignal): Promise<End> {
    const { base, clock } = this.#transport;
    const over = new AbortController();
    const cut = AbortSignal.any([stop, over.signal]);
    const quiet = watchdog(MAX_SILENCE, { clock, reason: new Error(`nothing heard for ${MAX_SILENCE / 1000} s`) });

    return new Promise(resolve => {
      const finish = (end: End) => {
        over.abort();
        quiet.clear();
        source.close();
        resolve(end);
      };
      const source = new EventSource(base.origin + base.prefix + routes.events, {
        maxBufferSize: MAX_EVENT_CHARACTERS,
        fetch: (_url, init) => this.#fetch(init.headers.Accept, cut, quiet, finish),
      });
      source.addEventListener('open', () => this.#change({ is: 'up' }));
      source.addEventListener(COMPLETED, event => this.#completed(event, cut));
      source.addEventListener('error', event => {
        finish({ reason: this.#transport.clean(inOurWords(event.message)), wait: 'trouble' });
      });
      stop.addEventListener('abort', () => finish({ reason: 'closed', wait: 'trouble' }), {
        once: true,
        signal: over.signal,
      });
      quiet.signal.addEventListener('abort', () => finish({ reason: quiet.signal.reason.message, wait: 'trouble' }));
    });
  }

  #completed(event: MessageEvent, cut: AbortSignal): void {
    this.#lastEventId = event.lastEventId;
    const id = completedId(this.#transport.redactor.parse(String(event.data)));
    if (id === undefined || cut.aborted) return;
    for (const listener of [...this.#listeners]) listener.completed(id);
  }

  /** The `fetch` of `eventsource`: adds the key, feeds the watchdog with every byte, and words why an answer is no stream. */
  async #fetch(
    accept: string,
    cut: AbortSignal,
    quiet: Watchdog,
    finish: (end: End) => void,
  ): Promise<FetchLikeResponse> {
    const { base, clock } = this.#transport;
    const headers = { accept, 'cache-control': 'no-store', ...lastEvent(this.#lastEventId) };
    const response = await this.#transport
      .request({ method: 'GET', path: routes.events, headers, signal: cut })
      .catch(error => {
        throw new Error(this.#transport.clean(`${base.host}: ${networkErrorText(error)}`));
      });
    quiet.feed();
    const type = String(response.headers['content-type'] ?? '');
    const end = whyNoStream(response, type, clock.now());
    if (end !== undefined) {
      response.body.destroy();
      finish({ ...end, reason: `${base.host} ${end.reason}` });
      throw new Error(end.reason);
    }
    const chunks = response.body[Symbol.asyncIterator]();
    const read = async (): Promise<{ done: false; value: Uint8Array } | { done: true }> => {
      const next = await chunks.next().catch(error => {
        throw new Error(networkErrorText(error));
      });
      quiet.feed();
      return next.done ? { done: true } : { done: false, value: next.value };
    };
    return {
      status: response.status,
      url: base.origin,
      redirected: false,
      headers: { get: name => (name.toLowerCase() === 'content-type' ? type : null) },
      body: { getReader: () => ({ read, cancel: async () => void response.body.destroy() }) },
    };
  }

  #change(state: { readonly is: 'up' } | { readonly is: 'down'; readonly reason: string }): void {
    if (this.#state.is === state.is) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) this.#notify(listener);
  }

  #notify(listener: StreamListener): void {
    if (!this.#listeners.has(listener)) return;
    if (this.#state.is === 'up') listener.up();
    if (this.#state.is === 'down') listener.down(this.#state.reason);
  }
}

function whyNoStream(response: HttpResponse, type: string, now: number): End | undefined {
  const wait = { retryAfter: retryAfter(response.headers['retry-after'], now) };
  switch (response.status) {
    case 200:
      if (/^\s*text\/event-stream\s*(;|$)/i.test(type)) return undefined;
      return { reason: 'answered the event stream with something else', wait: 'refused' };
    case 404:
    case 405:
      return { reason: 'offers no event stream', wait: 'absent' };
    case 401:
    case 403:
      return { reason: `refuses the key at the event stream (${response.status})`, wait: 'refused', ...wait };
    case 204:
      return { reason: 'has closed the event stream (204)', wait: 'refused', ...wait };
    default:
      return { reason: `answered the event stream with ${response.status}`, wait: 'trouble', ...wait };
  }
}

const inOurWords = (message = 'the stream ended'): string =>
  message.includes('max buffer size') ? 'a line of the stream is longer than 1 MiB' : message;

/** "encoded as UTF-8": a header holds bytes. An id that could not stand in one, or is suspiciously long, is not sent. */
const lastEvent = (id: string): Record<string, string> =>
  id === '' || id.length > 1024 || /[\x00-\x1f\x7f]/.test(id)
    ? {}
    : { 'last-event-id': Buffer.from(id).toString('latin1') };

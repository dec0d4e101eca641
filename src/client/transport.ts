/**
 * The connection to one service. Everything that knows the key is here: it goes into one header, of requests to one
 * origin, and is taken out of every text that comes back.
 */

import { createHash } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import { abortable } from '../host/abortable.ts';
import type { Clock } from '../host/clock.ts';
import { type BaseUrl, checkKey, parseBaseUrl } from './base-url.ts';
import { oneLine, shortened } from './error-text.ts';
import { KeyRedactor } from './key-redactor.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export interface HttpRequest {
  readonly method: 'GET' | 'DELETE';
  /** A path of `api/routes.ts`, perhaps with a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface PostRequest {
  readonly path: string;
  /** Null sends no body at all. */
  readonly body: string | null;
  /** Sent as `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): who does not know it ignores it. */
  readonly nonce?: string;
  /** `application/json` unless a stream is asked for. */
  readonly accept?: string;
  readonly signal: AbortSignal;
  readonly onConnect: () => void;
}

/** One POST over a connection of its own. */
export interface SentPost {
  /** Rejects with what the network throws, or with the signal's reason. */
  readonly response: Promise<HttpResponse>;
  /** True from the moment a connection stands: before it, provably nothing was sent. */
  readonly connected: boolean;
  end(): Promise<void>;
}

/** Deadlines are ours: undici's own would end a quiet event stream after five minutes. HTTP/1.1 keeps "sent or not" a plain fact. */
const CALM = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;
/** Milliseconds after which a connection that nobody waits for any more is given up. */
const CONNECT = 30_000;
const HOPS = 3;
/**
 * Characters of the shortest key that is taken out of data. `local` is the key of many a studio, and a prompt that holds the word must
 * come back as it was sent: a row of the history that is not recognised is paid for again. Messages may lose such a word.
 */
const WORD = 8;
const SYLLABLE = 4;
/** An answer may take half an hour without a byte: the system asks now and then whether the other end is still there. */
const ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 } as const;

export class Transport {
  readonly base: BaseUrl;
  readonly clock: Clock;
  /** The address and a digest of the key: tells accounts apart, and nobody reads a key out of it. */
  readonly account: string;
  /** Takes the key out of what is read from the service, before it goes anywhere. */
  readonly redactor: KeyRedactor;
  readonly #key: string;
  readonly #words: KeyRedactor;
  readonly #agent: Agent;

  constructor(options: { readonly baseUrl: string; readonly key: string; readonly clock: Clock }) {
    checkKey(options.key);
    this.base = parseBaseUrl(options.baseUrl);
    this.clock = options.clock;
    this.#key = options.key;
    this.redactor = new KeyRedactor(options.key, WORD);
    this.#words = new KeyRedactor(options.key, SYLLABLE);
    const digest = createHash('sha256').update(options.key).digest('hex').slice(0, 16);
    this.account = `${this.base.origin}${this.base.prefix} ${digest}`;
    this.#agent = new Agent({ ...CALM, connect: { timeout: CONNECT, allowH2: false } });
  }

  /** Asks over a kept connection. Follows redirects only while they stay at this origin. Throws what the network throws. */
  async request({ method, path, headers, signal }: HttpRequest): Promise<HttpResponse> {
    let at = new URL(this.base.origin + this.base.prefix + path);
    for (let hop = 0; ; hop++) {
      const request = { origin: this.base.origin, path: at.pathname + at.search, method, signal };
      const asked = this.#agent.request({ ...request, headers: { ...headers, ...this.#credentials() } });
      const reply = await abortable(asked.then(replyOf), signal);
      const { location } = reply.headers;
      if (reply.status < 300 || reply.status > 399 || typeof location !== 'string') return reply;
      reply.body.destroy();
      at = this.#next(at, location);
      if (hop === HOPS) throw new Error('it redirects round and round; check the base address');
    }
  }

  /** A POST that cannot be sent twice: its client makes one connection in its whole life. */
  post({ path, body, nonce, accept = 'application/json', signal, onConnect }: PostRequest): SentPost {
    const { origin, prefix } = this.base;
    let socket: Socket | undefined;
    let connected = false;
    const client = new Client(origin, {
      ...CALM,
      connect: (options, callback) => {
        if (socket !== undefined || signal.aborted) return callback(new Error('the connection was cut'), null);
        const dialled = dial(options);
        socket = dialled;
        dialled.once('error', error => connected || callback(error, null));
        dialled.once(options.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          connected = true;
          onConnect();
          callback(null, dialled);
        });
      },
    });
    // undici looks at a signal again only when it has a connection. Until then the socket is ours to end, and nothing can be sent.
    const off = () => void (connected || socket?.destroy());
    signal.addEventListener('abort', off, { once: true });
    const type = body === null ? {} : { 'content-type': 'application/json' };
    const once = nonce === undefined ? {} : { 'idempotency-key': nonce };
    const headers = { ...type, accept, ...once, ...this.#credentials() };
    const reply = client.request({ method: 'POST', path: prefix + path, headers, body, signal });
    return {
      response: abortable(reply.then(replyOf), signal),
      get connected() {
        return connected;
      },
      end: () => {
        signal.removeEventListener('abort', off);
        return client.destroy();
      },
    };
  }

  /** One short, clean line without the key in it, wherever the text came from. */
  clean(text: string): string {
    // Before it is cut, or half a key could be left.
    return shortened(this.#words.redact(oneLine(text)));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #credentials(): Record<string, string> {
    return this.#key === '' ? {} : { authorization: `Bearer ${this.#key}` };
  }

  #next(from: URL, location: string): URL {
    const next = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
    if (next?.origin === this.base.origin) return next;
    const where = next === undefined ? 'an address that cannot be read' : next.origin;
    throw new Error(
      `it redirects to ${where}, and the key is not sent there; set the base address to where the service is`,
    );
  }
}

/** A body may break before anybody reads it, or after nobody wants to: whoever reads it is told, and nobody else. */
function replyOf({ statusCode, headers, body }: Dispatcher.ResponseData): HttpResponse {
  body.on('error', () => {});
  return { status: statusCode, headers, body };
}

/** A plain or a TLS connection; over HTTP/1.1, one request at a time makes "sent or not" a plain fact. */
function dial({ protocol, hostname, port }: buildConnector.Options): Socket {
  if (protocol !== 'https:') return connectTcp({ host: hostname, port: Number(port || 80), ...ALIVE });
  // An address is no server name (RFC 6066, 3).
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  return connectTls({
    host: hostname,
    port: Number(port || 443),
    ALPNProtocols: ['http/1.1'],
    ...ALIVE,
    ...servername,
  });
}

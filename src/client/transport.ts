/**
 * The connection to one service. Everything that knows the key is here: it goes into one header, of requests to one
 * origin, and is taken out of every text that comes back.
 */

import { createHash } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import type { Clock } from '../machine/time/clock.ts';
import { abortable } from '../machine/time/deadline.ts';
import { type BaseUrl, checkKey, parseBaseUrl } from './base-url.ts';
import { oneLine, shortened } from './wire/json-fields.ts';
import { KeyRedactor } from './wire/key-redactor.ts';

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

interface PostRequest {
  readonly path: string;
  /** Null sends no body at all. */
  readonly body: string | null;
  /** Sent as `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a service that does not know it ignores it. */
  readonly nonce?: string;
  /** `application/json` unless a stream is asked for. */
  readonly accept?: string;
  readonly signal: AbortSignal;
  readonly onConnect: () => void;
  /** Milliseconds of the clock after which a connection comes too late: nothing is sent over it, and it counts as none. */
  readonly connectWithin: number;
}

/** One POST over a connection of its own. */
export interface SentPost {
  /** Rejects with what the network throws, or with the signal's reason. */
  readonly response: Promise<HttpResponse>;
  /** True from the moment that the connection is established. Nothing can have been sent before. */
  readonly connected: boolean;
  end(): Promise<void>;
}

/** Deadlines are ours: undici's own would end a quiet event stream after five minutes. HTTP/1.1 keeps "sent or not" a plain fact. */
const NO_UNDICI_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;
/** Milliseconds after which connecting is given up, though no caller may be waiting any more. */
const CONNECT_TIMEOUT = 30_000;
const MAX_REDIRECTS = 3;
/**
 * Characters of the shortest key that is taken out of data. `local` is the key of many a studio, and a prompt that holds the word must
 * come back as it was sent: a row of the history that is not recognised is paid for again. Messages may lose such a word.
 */
const SHORTEST_IN_DATA = 8;
const SHORTEST_IN_MESSAGES = 4;
/** An answer may take half an hour without a byte: the system asks now and then whether the other end is still there. */
const TCP_KEEPALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 } as const;

export class Transport {
  readonly base: BaseUrl;
  readonly clock: Clock;
  /** The address and a digest of the key: distinguishes accounts, and the key cannot be read out of it. */
  readonly account: string;
  /** Takes the key out of everything that is read from the service, before it goes anywhere. */
  readonly redactor: KeyRedactor;
  readonly #key: string;
  readonly #messageRedactor: KeyRedactor;
  readonly #agent: Agent;

  constructor(options: { readonly baseUrl: string; readonly key: string; readonly clock: Clock }) {
    checkKey(options.key);
    this.base = parseBaseUrl(options.baseUrl);
    this.clock = options.clock;
    this.#key = options.key;
    this.redactor = new KeyRedactor(options.key, SHORTEST_IN_DATA);
    this.#messageRedactor = new KeyRedactor(options.key, SHORTEST_IN_MESSAGES);
    const digest = createHash('sha256').update(options.key).digest('hex').slice(0, 16);
    this.account = `${this.base.origin}${this.base.prefix} ${digest}`;
    this.#agent = new Agent({ ...NO_UNDICI_TIMEOUTS, connect: { timeout: CONNECT_TIMEOUT, allowH2: false } });
  }

  /** Asks over a kept connection. Follows redirects only while they stay at this origin. Throws what the network throws. */
  async request({ method, path, headers, signal }: HttpRequest): Promise<HttpResponse> {
    let at = new URL(this.base.origin + this.base.prefix + path);
    for (let hop = 0; ; hop++) {
      const request = { origin: this.base.origin, path: at.pathname + at.search, method, signal };
      const asked = this.#agent.request({ ...request, headers: { ...headers, ...this.#credentials() } });
      const response = await abortable(asked.then(responseOf), signal);
      const { location } = response.headers;
      if (response.status < 300 || response.status > 399 || typeof location !== 'string') return response;
      response.body.destroy();
      at = this.#next(at, location);
      if (hop === MAX_REDIRECTS) throw new Error('it redirects round and round; check the base address');
    }
  }

  /** A POST that cannot be sent twice: its client makes one connection in its whole life. */
  post({ path, body, nonce, accept = 'application/json', signal, onConnect, connectWithin }: PostRequest): SentPost {
    const { origin, prefix } = this.base;
    let socket: Socket | undefined;
    let connected = false;
    const begun = this.clock.now();
    const client = new Client(origin, {
      ...NO_UNDICI_TIMEOUTS,
      connect: (options, callback) => {
        if (socket !== undefined || signal.aborted) return callback(new Error('the connection was cut'), null);
        const dialled = dial(options);
        socket = dialled;
        dialled.once('error', error => connected || callback(error, null));
        dialled.once(options.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          // A process that was stopped meanwhile, as on a sleeping machine, hears of the connection before the timers of its deadlines: by now
          // another one may have shown that nothing was sent, and have sent it.
          if (this.clock.now() - begun > connectWithin) {
            dialled.destroy();
            return callback(
              new Error(`it was connected later than ${connectWithin / 1000} s, and nothing was sent`),
              null,
            );
          }
          connected = true;
          onConnect();
          callback(null, dialled);
        });
      },
    });
    // undici looks at a signal again only when it has a connection. Until then we end the socket, and nothing can be sent.
    const off = () => void (connected || socket?.destroy());
    signal.addEventListener('abort', off, { once: true });
    const type = body === null ? {} : { 'content-type': 'application/json' };
    const once = nonce === undefined ? {} : { 'idempotency-key': nonce };
    const headers = { ...type, accept, ...once, ...this.#credentials() };
    const response = client.request({ method: 'POST', path: prefix + path, headers, body, signal });
    return {
      response: abortable(response.then(responseOf), signal),
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
    // The key is taken out before the text is shortened, or half of it could be left.
    return shortened(this.#messageRedactor.redact(oneLine(text)));
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

/** A body may break before it is read, or after its last reader has left. Only a reader gets the error. */
function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData): HttpResponse {
  body.on('error', () => {});
  return { status: statusCode, headers, body };
}

/** A plain or a TLS connection; over HTTP/1.1, one request at a time makes "sent or not" a plain fact. */
function dial({ protocol, hostname, port }: buildConnector.Options): Socket {
  if (protocol !== 'https:') return connectTcp({ host: hostname, port: Number(port || 80), ...TCP_KEEPALIVE });
  // An IP address is no server name (RFC 6066, 3).
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  return connectTls({
    host: hostname,
    port: Number(port || 443),
    ALPNProtocols: ['http/1.1'],
    ...TCP_KEEPALIVE,
    ...servername,
  });
}

/**
 * One service at the other end of a wire. Everything that knows the key is here: it goes into one header, of requests to one
 * origin, and is taken out of every text that comes back.
 */
import type { Readable } from 'node:stream';
import { Agent, buildConnector, Client } from 'undici';
import type { Clock } from '../host/clock.ts';
import { type Address, checkKey, parseAddress } from './address.ts';
import { oneLine } from './words.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export interface Ask {
  readonly method: 'GET' | 'DELETE';
  /** A path of `api/routes.ts`, perhaps with a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One POST over a connection of its own. */
export interface OnePost {
  /** True from the moment a connection stands: before it, provably nothing was sent. */
  readonly connected: boolean;
  send(path: string, body: string, signal: AbortSignal): Promise<Reply>;
  /** Called once, when the connection stands. */
  onConnect: () => void;
  end(): Promise<void>;
}

/** Deadlines are ours: undici's own would end a quiet event stream after five minutes. HTTP/1.1 keeps "sent or not" a plain fact. */
const CALM = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;
const HOPS = 3;

export class Wire {
  readonly address: Address;
  readonly clock: Clock;
  readonly #key: string;
  readonly #agent: Agent;

  constructor(options: { readonly baseUrl: string; readonly key: string; readonly clock: Clock }) {
    checkKey(options.key);
    this.address = parseAddress(options.baseUrl);
    this.clock = options.clock;
    this.#key = options.key;
    this.#agent = new Agent({ ...CALM, connect: { timeout: 0, allowH2: false } });
  }

  /** Asks over a kept connection. Follows redirects only while they stay at this origin. Throws what the network throws. */
  async ask({ method, path, headers, signal }: Ask): Promise<Reply> {
    let at = new URL(this.address.origin + this.address.prefix + path);
    for (let hop = 0; ; hop++) {
      const reply = await this.#agent.request({
        origin: this.address.origin,
        path: at.pathname + at.search,
        method,
        headers: { ...headers, ...this.#credentials() },
        signal,
      });
      const location = reply.headers.location;
      if (reply.statusCode < 300 || reply.statusCode > 399 || typeof location !== 'string') {
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      }
      // Nobody reads it, and a destroyed body reports an abort of its own.
      reply.body.on('error', () => {}).destroy();
      at = this.#next(at, location);
      if (hop === HOPS) throw new Error('it redirects round and round; check the base address');
    }
  }

  /** A POST that cannot be sent twice: its client makes one connection in its whole life. */
  post(): OnePost {
    const dial = buildConnector({ timeout: 0, allowH2: false });
    const credentials = this.#credentials();
    const prefix = this.address.prefix;
    let dialled = false;
    let connected = false;
    const client = new Client(this.address.origin, {
      ...CALM,
      connect: (options, callback) => {
        if (dialled) return callback(new Error('the connection was cut'), null);
        dialled = true;
        dial(options, (error, socket) => {
          if (error !== null) return callback(error, null);
          connected = true;
          one.onConnect();
          callback(null, socket);
        });
      },
    });
    const one = {
      get connected() {
        return connected;
      },
      onConnect: () => {},
      async send(path: string, body: string, signal: AbortSignal): Promise<Reply> {
        const headers = { 'content-type': 'application/json', accept: 'application/json', ...credentials };
        const reply = await client.request({ method: 'POST', path: prefix + path, headers, body, signal });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      },
      end: () => client.destroy(),
    };
    return one;
  }

  /** One clean line without the key in it, wherever the text came from. */
  clean(text: string): string {
    // Of a shorter "key" nothing could be kept secret, and every text would be torn.
    return oneLine(this.#key.length < 4 ? text : text.replaceAll(this.#key, '(key)'));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #credentials(): Record<string, string> {
    return this.#key === '' ? {} : { authorization: `Bearer ${this.#key}` };
  }

  #next(from: URL, location: string): URL {
    const next = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
    if (next?.origin === this.address.origin) return next;
    const where = next === undefined ? 'an address that cannot be read' : next.origin;
    throw new Error(
      `it redirects to ${where}, and the key is not sent there; set the base address to where the service is`,
    );
  }
}

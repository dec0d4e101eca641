/** The HTTP server: who may come in, which route answers, and one way to refuse. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isAllowedHost } from '../../../machine/net/url-guard.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { errorBody, HttpRefusal, methodNotAllowed, routeNotFound, unauthenticated } from '../../shared/http-refusal.ts';
import { stateFailure } from '../records/studio-database.ts';
import type { Handler, Route, Services } from '../route.ts';
import type { Rate } from '../studio-options.ts';
import { readJson } from './body.ts';
import type { Call, Reply } from './call.ts';

interface HttpServerOptions {
  readonly key: string;
  /** The address it listens on. */
  readonly host: string;
  readonly routes: readonly Route[];
  readonly version: string;
  readonly log: (line: string) => void;
  /** Refuses what comes too fast. */
  readonly rateLimit: () => void;
  /** Known once the server listens. */
  readonly services: () => Services;
}

/** Milliseconds. A client must not find its kept-alive connection closed under a POST: it could not tell whether it was taken. */
const TIMES = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
};

export function httpServer(door: HttpServerOptions): Server {
  // A missing Host is refused below, in our own words.
  const server = createServer({ ...TIMES, requireHostHeader: false }, (request, response) => {
    void answer(request, response, door);
  });
  server.on('clientError', refuseGarbage);
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, door: HttpServerOptions): Promise<void> {
  response.setHeader('server', `shotlist-studio/${door.version}`);
  response.setHeader('x-content-type-options', 'nosniff');
  response.on('error', () => response.destroy());
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const { call, handler } = admit(request, door, gone.signal);
    await send(response, await handler(call, door.services()));
  } catch (error) {
    await send(response, refusalReply(error, door.log)).catch(() => response.destroy());
  }
}

/** Everything that is checked before a route sees the request. */
function admit(request: IncomingMessage, door: HttpServerOptions, gone: AbortSignal): { call: Call; handler: Handler } {
  if (!isAllowedHost(request.headers.host, door.host)) {
    throw new HttpRefusal(421, 'wrong_host', 'the studio answers on this machine only: use http://127.0.0.1');
  }
  const [path = '', query = ''] = split(request.url ?? '');
  const found = match(door.routes, path, door.services().strict);
  if (!found?.routes[0]?.open) checkKey(request.headers.authorization, door.key);
  if (!found?.routes[0]?.open) door.rateLimit();
  if (!found) throw routeNotFound(path);
  const route = found.routes.find(({ method }) => method === request.method);
  if (!route)
    throw methodNotAllowed(
      request.method ?? '',
      path,
      found.routes.map(({ method }) => method),
    );
  return { handler: route.answer, call: { ...callOf(request, found.params, query), gone } };
}

/** In constant time, whatever the length of what was sent. */
function checkKey(authorization: string | undefined, key: string): void {
  const [, sent = ''] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(sent), digest(key))) throw unauthenticated();
}

interface Match {
  /** One for each method of the path; at least one. */
  readonly routes: readonly Route[];
  readonly params: ReadonlyMap<string, string>;
}

function match(routes: readonly Route[], path: string, strict: boolean): Match | undefined {
  for (const route of routes) {
    const params = strict && route.observed ? undefined : matchPath(route.path, path);
    if (params) return { routes: routes.filter(one => one.path === route.path && !(strict && one.observed)), params };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, segment] of wanted.entries()) {
    const value = decode(given[index] ?? '');
    if (value === undefined) return undefined;
    if (segment.startsWith('{')) params.set(segment.slice(1, -1), value);
    else if (segment !== value) return undefined;
  }
  return params;
}

function callOf(request: IncomingMessage, params: ReadonlyMap<string, string>, query: string): Omit<Call, 'gone'> {
  return {
    request,
    query: new URLSearchParams(query),
    json: largest => readJson(request, largest),
    param: name => {
      const value = params.get(name);
      if (value === undefined) throw new Error(`the route has no {${name}} in its path`);
      return value;
    },
  };
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if ('stream' in reply) return reply.stream(response);
  if (response.headersSent) return void response.destroy();
  const text = Buffer.from(`${JSON.stringify(reply.body)}\n`);
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': text.length,
    'cache-control': 'no-store',
    ...reply.headers,
  });
  response.end(text);
}

function refusalReply(error: unknown, log: (line: string) => void): Reply {
  if (error instanceof HttpRefusal) return { status: error.status, body: errorBody(error), headers: error.headers };
  const failure = stateFailure(error);
  if (failure !== undefined) {
    log(`a request was refused: ${failure}`);
    return { status: 503, body: errorBody(new HttpRefusal(503, 'storage_failed', failure)) };
  }
  log(`a request could not be answered: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return {
    status: 500,
    body: errorBody(new HttpRefusal(500, 'internal', 'the studio made a mistake; its own log says which')),
  };
}

const GARBAGE: { readonly [code: string]: readonly [status: number, type: string, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'the headers are larger than 16 KiB'],
};

/** Bytes that are not HTTP are answered in JSON too, if the socket is still open. */
function refuseGarbage(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, type, message] = GARBAGE[error.code ?? ''] ?? [400, 'bad_request', 'this is not an HTTP request'];
  const body = `${JSON.stringify(errorBody(new HttpRefusal(status, type, message)))}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** By hand: `URL` would read `//host/path` as another host and fold `..` away. */
function split(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** @throws {HttpRefusal} from the function it gives: 429 with whole seconds in `Retry-After` */
export function rateLimiter({ perSecond }: Rate, clock: Clock): () => void {
  const most = Math.max(1, perSecond);
  let left = most;
  let filled = clock.now();
  return () => {
    const now = clock.now();
    left = Math.min(most, left + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (left >= 1) {
      left -= 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((1 - left) / perSecond));
    throw new HttpRefusal(429, 'rate_limited', `too many requests: try again in ${seconds} s`, {
      headers: { 'retry-after': String(seconds) },
    });
  };
}

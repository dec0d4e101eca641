import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One way of answering; most of those here are ways of being bad. Called once the request's body is there. */
export type Way = (response: ServerResponse, request: IncomingMessage) => void;

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Stub {
  readonly url: string;
  readonly host: string;
  /** Every request that arrived whole, in order. */
  readonly seen: readonly Seen[];
  /** Connections ever taken. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Takes effect with the next request. */
  answer(way: Way): void;
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A real server on loopback that answers every request in the way it is told to. Stops with the test. */
export async function stubServer(way: Way): Promise<Stub> {
  const seen: Seen[] = [];
  const watching = new Set<() => void>();
  let current = way;
  let connections = 0;
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    response.on('error', () => {});
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    for (const look of [...watching]) look();
    current(response, request);
  });
  const sockets = new Set<object>();
  server.on('connection', socket => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    seen,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    answer: next => {
      current = next;
    },
    arrived: count =>
      new Promise(resolve => {
        const look = () => {
          if (seen.length < count) return;
          watching.delete(look);
          resolve();
        };
        watching.add(look);
        look();
      }),
    stop,
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Way =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Way =>
  response =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);

export const redirect =
  (status: number, location: string): Way =>
  response =>
    response.writeHead(status, { location }).end();

/** The request is read, then the connection is torn down without a word. */
export const resetAfterRequest: Way = (_response, request) => request.socket.resetAndDestroy();

/** The headers promise more than ever comes. */
export const halfABody: Way = response => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"generations": [{"gen', () => response.destroy());
};

/** No is no, even when its reason breaks off. */
export const brokenRefusal: Way = response => {
  response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"error": "promp', () => response.destroy());
};

/** Takes the request and never says anything. */
export const silent: Way = () => {};

/** Headers, then blanks for ever. */
export const endless: Way = response => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    if (!response.destroyed) response.write(' '.repeat(64 * 1024), more);
  };
  more();
};

export const htmlPage =
  (status: number): Way =>
  response =>
    response
      .writeHead(status, { 'content-type': 'text/html' })
      .end('<!doctype html><html><title>502</title><script>alert(1)</script></html>');

/** An event stream; the test writes into it. */
export const stream =
  (onOpen: (response: ServerResponse) => void): Way =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    onOpen(response);
  };

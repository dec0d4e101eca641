/** A server that asks another one and tells what passes. Addresses of the other become its own, so that results come this way too. */
import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One event, as it passes; `n` counts requests from 1. */
export type ProxyEvent =
  | {
      readonly is: 'asked';
      readonly n: number;
      readonly method: string;
      readonly path: string;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  /** The whole answer, or the head of an event stream. */
  | {
      readonly is: 'answered';
      readonly n: number;
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
    }
  /** A whole frame of an event stream, without the empty line that ends it. */
  | { readonly is: 'told'; readonly n: number; readonly frame: string }
  /** An event stream came to its end: the service ended it. */
  | { readonly is: 'ended'; readonly n: number };

export type Tell = (passed: ProxyEvent) => void;

export interface ObservingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function observingProxy(to: string, tell: Tell): Promise<ObservingProxy> {
  let count = 0;
  let own = '';
  const server = createServer(async (incoming, outgoing) => {
    const n = ++count;
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = (await readAll(incoming)).toString('utf8');
    tell({ is: 'asked', n, method, path, headers, body });
    const sent = Buffer.from(body.replaceAll(own, to));
    const length = headers['content-length'] === undefined ? {} : { 'content-length': sent.length };
    const onward = forward(to + path, { method, headers: { ...headers, ...length } }, response => {
      void answer(response, outgoing, n).catch(() => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end(sent);
  });

  async function answer(response: IncomingMessage, outgoing: ServerResponse, n: number): Promise<void> {
    const { statusCode: status = 0, headers } = response;
    if (headers['content-type']?.startsWith('text/event-stream')) {
      outgoing.writeHead(status, headers).flushHeaders();
      tell({ is: 'answered', n, status, headers, body: Buffer.alloc(0) });
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        const frames = (rest + (chunk as string)).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          tell({ is: 'told', n, frame: frame.replaceAll(to, own) });
          outgoing.write(`${frame.replaceAll(to, own)}\n\n`);
        }
      }
      tell({ is: 'ended', n });
      return void outgoing.end();
    }
    const body = await readAll(response);
    const isJson = headers['content-type']?.startsWith('application/json');
    const passed = isJson ? Buffer.from(body.toString('utf8').replaceAll(to, own)) : body;
    tell({ is: 'answered', n, status, headers, body: passed });
    const { 'transfer-encoding': _, ...kept } = headers;
    // The length in the answer to a HEAD is not that of its own body.
    const length = body.length > 0 ? { 'content-length': passed.length } : {};
    outgoing.writeHead(status, { ...kept, ...length }).end(passed);
  }

  own = await listen(server);
  return { url: own, close: () => closeServer(server) };
}

export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}

export async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

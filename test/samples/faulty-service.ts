/** A service before another one: it loses answers, refuses, and answers chats from a list. What is not named here goes through. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** By a word of the prompt. `lost`: taken, and the connection is cut. `silent`: taken, and never answered. `vanished`: not taken, cut. */
export type Fault = 'lost' | 'silent' | 'vanished' | 'busy';

interface FaultyService {
  readonly url: string;
  /** What the next POST whose body holds the word meets; `busy`: every one. */
  readonly faults: Map<string, Fault>;
  /** Of the next chats, in order. */
  readonly chats: string[];
  /** Its history cannot be read. */
  hidesHistory: boolean;
  /** What its history says that each generation has cost. */
  bill: string | undefined;
  close(): Promise<void>;
}

export async function faultyService(target: string): Promise<FaultyService> {
  const { port, hostname } = new URL(target);
  const faults = new Map<string, Fault>();
  const chats: string[] = [];
  const pass = (request: IncomingMessage, body: Buffer, answer: (upstream: IncomingMessage) => void) => {
    const { method, url: path, headers } = request;
    send({ hostname, port, method, path, headers }, answer).end(body);
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const through = () =>
      pass(request, body, upstream => {
        response.writeHead(upstream.statusCode ?? 500, upstream.headers);
        upstream.pipe(response);
      });
    const isHistory = request.method === 'GET' && /generations(\?|$)/.test(request.url ?? '');
    if (isHistory && service.hidesHistory) {
      response.writeHead(503).end();
      return;
    }
    if (isHistory && service.bill !== undefined)
      return pass(request, body, async upstream => {
        const pieces = await upstream.setEncoding('utf8').toArray();
        response.setHeader('content-type', 'application/json');
        response.end(pieces.join('').replace(/"cost": ?"?[\d.]+"?/g, `"cost":"${service.bill}"`));
      });
    if (request.method !== 'POST') return through();
    const chat = request.url?.includes('chat') ? chats.shift() : undefined;
    if (chat !== undefined) return answerChat(response, chat);
    const [word, fault] = [...faults].find(([word]) => body.includes(word)) ?? [];
    if (word === undefined || fault === undefined) return through();
    if (fault === 'busy') {
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'application/json' });
      response.end('{"error":"too many requests"}');
    } else {
      faults.delete(word);
      if (fault === 'vanished') request.socket.destroy();
      else
        pass(request, body, upstream => {
          upstream.resume();
          if (fault === 'lost') request.socket.destroy();
        });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const service: FaultyService = {
    ...{
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      faults,
      chats,
      hidesHistory: false,
      bill: undefined,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

function answerChat(response: ServerResponse, content: string): void {
  response.setHeader('content-type', 'application/json');
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'C-D', choices, usage }));
}

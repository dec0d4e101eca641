/** A queue as the interface document has it, that takes its time and renders nothing: for measuring who waits on it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface QueueStub {
  readonly url: string;
  /** Requests to the service itself, by what they ask for. Fetching results is not counted. */
  readonly requests: Readonly<Record<string, number>>;
  /** When the first generation was submitted, by `performance.now()`. */
  readonly firstSubmit: number | undefined;
  stop(): Promise<void>;
}

export interface QueueStubOptions {
  /** Generations rendered at once; the others wait in order of arrival. */
  readonly slots: number;
  /** Milliseconds each takes, in order of arrival. */
  readonly durations: readonly number[];
  /** Milliseconds that each one after those takes. Default: 0. */
  readonly takes?: number;
  /** Whether `/api/events` is offered. */
  readonly events: boolean;
  /** A service is known by its address: the same port is the same service. Absent: any that is free. */
  readonly port?: number;
}

interface Generation {
  readonly generation_id: string;
  readonly ms: number;
  status: 'queued' | 'processing' | 'succeeded';
}

/** The smallest picture. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

export async function queueStub({
  slots,
  durations,
  takes = 0,
  events,
  port = 0,
}: QueueStubOptions): Promise<QueueStub> {
  const generations = new Map<string, Generation>();
  const waiting: Generation[] = [];
  const listeners = new Set<ServerResponse>();
  const requests: Record<string, number> = {};
  let busy = 0;
  let firstSubmit: number | undefined;

  const startNext = () => {
    while (busy < slots) {
      const next = waiting.shift();
      if (next === undefined) return;
      busy += 1;
      next.status = 'processing';
      setTimeout(() => {
        busy -= 1;
        next.status = 'succeeded';
        const data = JSON.stringify({ generation_id: next.generation_id });
        for (const listener of listeners) listener.write(`event: media_generation_completed\ndata: ${data}\n\n`);
        startNext();
      }, next.ms);
    }
  };

  const enqueue = (response: ServerResponse) => {
    firstSubmit ??= performance.now();
    const number = generations.size;
    const generation: Generation = {
      generation_id: `gen-${number + 1}`,
      ms: durations[number] ?? takes,
      status: 'queued',
    };
    generations.set(generation.generation_id, generation);
    waiting.push(generation);
    startNext();
    json(response, 200, { generations: [{ generation_id: generation.generation_id, status: 'queued' }] });
  };

  const record = (id: string, response: ServerResponse, request: IncomingMessage) => {
    const found = generations.get(id);
    if (found === undefined) return json(response, 404, { error: { message: 'no such generation' } });
    const { generation_id, status } = found;
    const result_url = status === 'succeeded' ? `http://${request.headers.host}/results/${id}.png` : null;
    json(response, 200, { generation_id, status, result_url });
  };

  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    // A body must be read before the connection can be used again.
    for await (const _ of request);
    if (path.startsWith('/results/')) {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': PNG.length });
      return void response.end(PNG);
    }
    const [what, answer] = ask(request.method ?? '', path);
    requests[what] = (requests[what] ?? 0) + 1;
    answer(response, request);
  });

  type Way = (response: ServerResponse, request: IncomingMessage) => void;
  const ask = (method: string, path: string): readonly [string, Way] => {
    if (method === 'POST' && path === '/api/ai/queue') return ['submit', enqueue];
    if (path.startsWith('/api/ai/queue/'))
      return ['read', (response, request) => record(path.slice('/api/ai/queue/'.length), response, request)];
    if (path === '/api/events' && events) {
      return [
        'events',
        response => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(': hello\n\n');
          listeners.add(response);
          response.on('close', () => listeners.delete(response));
        },
      ];
    }
    if (path === '/api/ai/models') return ['models', response => json(response, 200, { object: 'list', data: [] })];
    return [`${method} ${path}`, response => json(response, 404, { error: { message: 'not offered here' } })];
  };

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get firstSubmit() {
      return firstSubmit;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Milliseconds from the first start to the last end when `slots` always take the next in order, with no gap between. */
export function listSchedule(durations: readonly number[], slots: number): number {
  const free = new Array<number>(slots).fill(0);
  for (const duration of durations) {
    const first = free.indexOf(Math.min(...free));
    free[first] = (free[first] ?? 0) + duration;
  }
  return Math.max(...free);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

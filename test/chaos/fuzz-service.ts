/** A service that answers the real client with whatever it is told: bytes, lies, half a stream. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import type { Clock } from '../../src/machine/time/clock.ts';
import type { Json } from '../../src/model/text/json.ts';
import type { Dice } from '../simulate/dice.ts';
import { anything, mutateBytes, mutateJson } from './mutate.ts';
import { slipShown } from './sentences.ts';

/** Waits take no time: what is looked for is what an answer does, not when it is asked for again. */
const hurried: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => {
    // A deadline is not a wait: one that never comes is as good as one that comes late.
    if (ms > 5_000) return new Promise(resolve => signal?.addEventListener('abort', () => resolve(), { once: true }));
    return new Promise(resolve => setImmediate(resolve));
  },
};

export class FuzzService {
  readonly #server: Server;
  #way: (response: ServerResponse) => void = response => response.destroy();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<FuzzService> {
    const server = createServer((request, response) => {
      response.on('error', () => {});
      request.on('error', () => {});
      request.resume().on('end', () => service.#way(response));
    });
    const service = new FuzzService(server);
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  answer(status: number, body: Json): void {
    this.give(status, 'application/json', Buffer.from(JSON.stringify(body)));
  }

  /** The bytes in pieces; a length that is a lie leaves the connection to end it. */
  give(status: number, type: string, bytes: Buffer, length?: number): void {
    this.#way = response => {
      response.writeHead(status, { 'content-type': type, ...(length !== undefined && { 'content-length': length }) });
      for (let at = 0; at < bytes.length; at += 1024) response.write(bytes.subarray(at, at + 1024));
      if (length === undefined) response.end();
      else setImmediate(() => response.destroy());
    };
  }

  connect(): Service {
    return connect({ name: 'hostile', baseUrl: this.url, key: 'fuzz-key-1234', clock: hurried, random: () => 0.5 });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const EVENTS = [
  ': hello\n\nevent: media_generation_completed\nid: 7\ndata: {"generation_id":"gen-1"}\n\n',
  'retry: 500\nevent: media_generation_completed\ndata: {"generation_id":\ndata: "gen-2"}\n\n',
  'event: other\ndata: {}\n\ndata: just text\n\n: ping\n\n',
].join('');

/** What is heard are ids, and the end is a sentence. */
export async function hostileStream(dice: Dice, server: FuzzService): Promise<string | undefined> {
  const bytes = mutateBytes(Buffer.from(EVENTS.repeat(1 + dice.below(50))), dice);
  server.give(
    dice.chance(0.9) ? 200 : dice.pick([204, 301, 404, 500]),
    'text/event-stream',
    bytes,
    dice.chance(0.2) ? bytes.length + 9 : undefined,
  );
  const service = server.connect();
  let wrong: string | undefined;
  const given = bytes.toString();
  await new Promise<void>(over => {
    service.listen({
      completed: id => {
        if (typeof id !== 'string' || id === '') wrong = `an id that is none: ${JSON.stringify(id)}`;
      },
      up: () => {},
      down: reason => {
        wrong ??= reason === '' ? 'the stream ended without a word' : slipShown(reason, given);
        over();
      },
    });
  });
  await service.close();
  return wrong;
}

const RECORD = {
  generation_id: 'gen-1',
  status: 'succeeded',
  model: 'I-GEN-A',
  model_name: 'I-GEN-A',
  media_type: 'image',
  progress: 0.5,
  position: 3,
  result_url: 'https://results.example/gen-1.png',
  error_message: null,
  enqueued_at: 1_700_000_000,
  cost: '0.01',
  prompt: 'a fox',
};
type Question = (service: Service, signal: AbortSignal) => Promise<{ readonly is: string; readonly message?: string }>;
const QUESTIONS: readonly (readonly [answer: Json, ask: Question])[] = [
  [RECORD, (service, signal) => service.generation('gen-1', signal)],
  [
    { generations: [RECORD, { ...RECORD, generation_id: 'gen-2' }], page: 1, total_pages: 1, total_entries: 2 },
    (service, signal) => service.history(signal),
  ],
  [
    { generations: [{ generation_id: 'gen-1', status: 'queued' }] },
    (service, signal) => service.enqueue({ model: 'I-GEN-A', prompt: 'a fox' }, signal, 'nonce'),
  ],
  [
    { data: [{ id: 'I-GEN-A', name: 'fast', pricing: { method: 'per_image', cost_per_image: 0.01 } }] },
    (service, signal) => service.models(signal),
  ],
  [
    { images: [{ url: 'https://results.example/a.png' }], data: [{ url: 'https://results.example/b.png' }] },
    (service, signal) =>
      service.generateNow('/images/generate', { model: 'I-GEN-A', prompt: 'a fox' }, signal, 'nonce'),
  ],
  [
    {
      choices: [{ message: { role: 'assistant', content: 'a fox' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    },
    (service, signal) =>
      service.chat({ model: 'C-A', messages: [{ role: 'user', content: 'a' }] }, signal, undefined, 'n'),
  ],
];

/** Whatever comes back, the client gives one of its answers, and each says in a sentence what is the matter. */
export async function hostileAnswer(dice: Dice, server: FuzzService): Promise<string | undefined> {
  const [answer, ask] = dice.pick(QUESTIONS);
  const json = JSON.stringify(dice.chance(0.1) ? anything(dice, 3) : mutateJson(answer, dice));
  const bytes = dice.chance(0.3) ? mutateBytes(Buffer.from(json), dice) : Buffer.from(json);
  const status = dice.chance(0.7)
    ? 200
    : dice.pick([200, 201, 204, 302, 400, 401, 404, 408, 409, 418, 429, 500, 502, 504, 599]);
  const type = dice.chance(0.9)
    ? 'application/json'
    : dice.pick(['text/html', 'text/plain', 'application/json; charset=utf-7']);
  server.give(status, type, bytes, dice.chance(0.1) ? bytes.length + 9 : undefined);
  const service = server.connect();
  try {
    const { is, message } = await ask(service, AbortSignal.timeout(10_000));
    if (message !== undefined && message.trim() === '') return `“${is}” without a word for ${status} ${json}`;
    return message === undefined ? undefined : slipShown(message, bytes.toString());
  } finally {
    await service.close();
  }
}

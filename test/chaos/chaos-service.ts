/**
 * A hosted service of the test's own, over HTTP: it takes what it is sent, now at once and now shortly before it answers, whatever has
 * become of whoever sent it. It knows no idempotency keys, its history is whole, and it writes down what it sees at its door.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { check, type DoorRow } from '../checker/check.ts';
import { Dice } from '../simulate/dice.ts';

export const CHAOS_KEY = 'chaos-key';

interface Generation {
  readonly id: string;
  readonly request: { readonly model: string; readonly prompt: string; readonly seed?: number };
  /** Unix milliseconds. */
  readonly at: number;
  status: 'processing' | 'succeeded';
}

/** What is made of a request: nothing but its model, its prompt and its seed decides it. */
export function pictureFor(model: string, prompt: string, seed?: number): Buffer {
  const digest = createHash('sha256')
    .update([model, prompt, ...(seed === undefined ? [] : [seed])].join('\n'))
    .digest();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.of(0), digest.subarray(0, SIDE * 3)]);
  const rows = Buffer.concat(Array.from({ length: SIDE }, () => row));
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** Pixels. */
const SIDE = 8;

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

export class ChaosService {
  readonly #dice: Dice;
  readonly #isPrompt: boolean;
  readonly #server = createServer((request, response) => void this.#answer(request, response).catch(() => {}));
  readonly #generations = new Map<string, Generation>();
  readonly #streams = new Set<ServerResponse>();
  /** For the checker. */
  readonly door: DoorRow[] = [];
  #held: Promise<void> = Promise.resolve();
  /** Milliseconds, from any moment on. */
  now = () => performance.now();
  /** Milliseconds that a generation takes: least and most. */
  making: readonly [least: number, most: number] = [200, 2_000];
  /** The share of requests, 0 to 1, that it takes without ever answering: it closes the connection. */
  losesAnswers = 0;
  /** False: it has no history. */
  listsHistory = true;
  /** Milliseconds after which its history lists what it took. Above 0, others use the key too: every ten seconds. */
  lag = 0;
  readonly #openedAt = Date.now();
  /** What was asked of the deployment of `fox-look`, and carried out, in order. */
  readonly deployed: ('activate' | 'deactivate')[] = [];

  private constructor(seed: number, isPrompt: boolean) {
    this.#dice = new Dice(seed);
    this.#isPrompt = isPrompt;
  }

  /** @param isPrompt it answers at once, and makes what it takes at once. */
  static async open(seed: number, { isPrompt = false } = {}): Promise<ChaosService> {
    const service = new ChaosService(seed, isPrompt);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Generations, each of which is paid for. */
  get submits(): number {
    return this.#generations.size;
  }

  /** Requests that were taken more than once. */
  get doubles(): readonly string[] {
    return check(this.door, {}).map(({ what }) => what);
  }

  /** Of these models, in the order in which they were taken. */
  generations(model: string): readonly string[] {
    return [...this.#generations.values()].filter(({ request }) => request.model === model).map(({ id }) => id);
  }

  /** Nothing that it makes is done before the function that this returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const url = new URL(request.url ?? '/', 'http://service');
    const picture = /^\/results\/([\w-]+)\.png$/.exec(url.pathname)?.[1];
    if (picture !== undefined) return this.#picture(picture, response);
    if (request.headers.authorization !== `Bearer ${CHAOS_KEY}`)
      return tell(response, 401, { error: 'unauthenticated' });
    const at = `${request.method} ${url.pathname}`;
    if (at === 'POST /api/ai/queue') return this.#enqueue(request, response);
    if (at === 'GET /api/ai/models') return tell(response, 200, { object: 'list', data: this.#models() });
    const model = /^(GET|POST) \/api\/ai\/models\/([\w-]+)(?:\/(activate|deactivate))?$/.exec(at);
    if (model) return this.#model(model[2] ?? '', model[3] as (typeof this.deployed)[number] | undefined, response);
    if (at === 'GET /api/ai/generations' && !this.listsHistory) return tell(response, 404, { error: 'not found' });
    if (at === 'GET /api/ai/generations') return tell(response, 200, this.#history(url.searchParams));
    if (at === 'GET /api/events') return this.#stream(response);
    const asked = /^GET \/api\/ai\/queue\/([\w-]+)$/.exec(at)?.[1];
    const found = this.#generations.get(asked ?? '');
    return found ? tell(response, 200, this.#record(found)) : tell(response, 404, { error: 'not found' });
  }

  #models() {
    return MODELS.map(([id, endpoint]) => {
      const isUp = this.deployed.at(-1) === 'activate';
      return id === CUSTOM
        ? { ...modelOf(id, endpoint), model_type: 'custom', deployments: [{ status: isUp ? 'active' : 'inactive' }] }
        : modelOf(id, endpoint);
    });
  }

  #model(id: string, verb: (typeof this.deployed)[number] | undefined, response: ServerResponse): void {
    const isUp = this.deployed.at(-1) === 'activate';
    const isRefused = verb !== undefined && (id !== CUSTOM || isUp === (verb === 'activate'));
    if (verb && !isRefused) {
      this.deployed.push(verb);
      this.door.push({ is: verb === 'activate' ? 'up' : 'down', at: this.now(), model: id });
    }
    const found = isRefused ? undefined : this.#models().find(model => model.id === id);
    tell(response, isRefused ? 409 : found ? 200 : 404, found ?? { error: 'not possible' });
  }

  async #enqueue(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const [least, most] = this.making;
    const [answered, made] = this.#isPrompt ? [0, 0] : [this.#dice.between(50, 400), this.#dice.between(least, most)];
    // Whoever sent it may be dead by the time that it is taken.
    const takenLate = this.#dice.chance(0.3);
    const body = JSON.parse(text) as Generation['request'];
    this.door.push({ is: 'asked', at: this.now(), model: body.model });
    if (takenLate) await sleep(answered);
    if (body.model === CUSTOM && this.deployed.at(-1) !== 'activate')
      return tell(response, 409, { error: 'its deployment is not active' });
    const generation = this.#take(body);
    // A test may be over before this is made.
    void sleep(made, undefined, { ref: false })
      .then(() => this.#held)
      .then(() => this.#end(generation));
    if (!takenLate) await sleep(answered);
    if (this.losesAnswers > 0 && this.#dice.chance(this.losesAnswers)) return void response.destroy();
    tell(response, 200, { generations: [{ generation_id: generation.id, status: 'queued' }] });
  }

  #take(request: Generation['request']): Generation {
    const { model, prompt, seed } = request;
    const id = `gen-${this.#generations.size + 1}`;
    // No two steps of its films share a prompt.
    const content = `${model}: ${prompt}${seed === undefined ? '' : `, seed ${seed}`}`;
    this.door.push({ is: 'taken', at: this.now(), id, from: CHAOS_KEY, model, content, usd: PRICE });
    const generation: Generation = { id, request, at: Date.now(), status: 'processing' };
    this.#generations.set(id, generation);
    return generation;
  }

  #end(generation: Generation): void {
    generation.status = 'succeeded';
    this.door.push({ is: 'ended', at: this.now(), id: generation.id, gave: 'a result' });
    const data = JSON.stringify({ generation_id: generation.id });
    for (const stream of this.#streams) stream.write(`event: media_generation_completed\ndata: ${data}\n\n`);
  }

  #record({ id, request, at, status }: Generation) {
    const enqueued = Math.floor(at / 1_000);
    const made = status === 'succeeded' ? { result_url: `${this.url}/results/${id}.png` } : {};
    return {
      generation_id: id,
      model_name: request.model,
      media_type: 'image',
      status,
      enqueued_at: enqueued,
      ...made,
    };
  }

  #history(asked: URLSearchParams) {
    const [page, size] = [Number(asked.get('page') ?? 1), Number(asked.get('page_size') ?? 100)];
    const all = [...this.#generations.values(), ...this.#ofOthers()]
      .filter(({ at }) => at <= Date.now() - this.lag)
      .sort((a, b) => b.at - a.at);
    const rows = all.slice((page - 1) * size, page * size);
    const generations = rows.map(one => ({ ...one.request, ...this.#record(one), cost: String(PRICE) }));
    const pages = Math.max(1, Math.ceil(all.length / size));
    return { page_number: page, page_size: size, total_pages: pages, total_entries: all.length, generations };
  }

  #ofOthers(): readonly Generation[] {
    if (this.lag === 0) return [];
    const many = Math.floor((Date.now() - this.#openedAt) / 10_000);
    const request = { model: 'I-GEN-A', prompt: 'a whale of others', num_inference_steps: 1, output_format: 'png' };
    return Array.from({ length: many }, (_, n) => ({
      ...{ id: `other-${n}`, request, at: this.#openedAt + n * 10_000, status: 'succeeded' },
    }));
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #picture(id: string, response: ServerResponse): void {
    const made = this.#generations.get(id);
    if (made?.status !== 'succeeded') {
      tell(response, 404, { error: 'not found' });
      return;
    }
    const bytes = pictureFor(made.request.model, made.request.prompt, made.request.seed);
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length }).end(bytes);
  }
}

/** US dollars. */
const PRICE = 0.01;
const MODELS = [
  ['I-GEN-A', '/images/generate'],
  ['I-EDIT-A', '/images/edit'],
  ['fox-look', '/images/generate'],
] as const;
const CUSTOM = 'fox-look';

const modelOf = (id: string, endpoint: string) => ({
  ...{ id, object: 'model', created: 0, owned_by: 'house', display_name: id, model_type: 'base', endpoint },
  ...{ capabilities: { input: ['text'], output: ['image'] }, deployments: [] },
  pricing: { method: 'per_image', cost_per_image: PRICE },
});

function tell(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

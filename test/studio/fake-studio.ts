/** A studio whose renderer writes a small file and waits for the test; everything else is real. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probe } from '../../src/media/probe.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { RenderJob, RenderResult } from '../../src/studio/animatic/job.ts';
import { coloursIn } from '../../src/studio/animatic/process/picture-colours.ts';
import type { Renderer, RenderHooks, Swatch } from '../../src/studio/animatic/renderer.ts';
import { type StudioParts, serveStudio } from '../../src/studio/service/serve.ts';
import type { Studio, StudioOptions } from '../../src/studio/service/studio-options.ts';
import { FakeClock } from '../support/fake-clock.ts';

export const KEY = 'test-key';

/** 3 × 1 pixels, losslessly: a whole valid WebP file. */
export const WEBP = Buffer.from('UklGRhwAAABXRUJQVlA4TA8AAAAvAgAAAAcQ/Y/+ByKi/wEA', 'base64');

/** A render that has begun and ends when the test says how. */
export interface Begun {
  readonly job: RenderJob;
  readonly hooks: RenderHooks;
  finish(result?: Partial<RenderResult>): Promise<void>;
  fail(error: Error): void;
}

export class FakeRenderer implements Renderer {
  readonly begun: Begun[] = [];
  closed = false;
  #waiting: ((begun: Begun) => void)[] = [];
  #taken = 0;

  render(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
    return new Promise((resolve, reject) => {
      hooks.signal.addEventListener('abort', () => reject(hooks.signal.reason));
      this.begun.push({
        job,
        hooks,
        fail: reject,
        finish: async result => {
          await writeFile(join(job.folder, 'result.webp'), WEBP);
          const facts = { kind: 'image', format: 'webp', width: 3, height: 1 } as const;
          resolve({ file: 'result.webp', facts, ...result });
        },
      });
      this.#deal();
    });
  }

  /** The next render that begins, in order, each given out once. */
  next(): Promise<Begun> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#deal();
    });
  }

  probe(path: string): Promise<MediaFacts> {
    return probe(path);
  }

  colours(path: string): Promise<readonly Swatch[]> {
    return coloursIn(path);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  #deal(): void {
    while (this.#waiting.length > 0 && this.#taken < this.begun.length) {
      this.#waiting.shift()?.(this.begun[this.#taken++] as Begun);
    }
  }
}

export interface TestStudio extends Studio, AsyncDisposable {
  readonly folder: string;
  readonly renderer: FakeRenderer;
  readonly clock: FakeClock;
  readonly log: string[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: Json | Buffer, headers?: Record<string, string>): Promise<Answer>;
  /** Posts JSON, and gives the answer as it comes. */
  send(path: string, body: Json, init?: RequestInit): Promise<Response>;
  delete(path: string): Promise<Answer>;
  /** Enqueues a request that must be accepted, and gives its id. */
  enqueue(body: JsonObject): Promise<string>;
  /** Resolves with the record when it has the status. */
  until(id: string, status: string): Promise<JsonObject>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** The record of a generation that was enqueued when the clock began, and what is particular to it. */
export const recordOf = (id: string, more: JsonObject = {}): JsonObject => ({
  ...{ generation_id: id, model_name: 'I-GEN-A', media_type: 'image', status: 'succeeded' },
  ...{ enqueued_at: 1_700_000_000, started_at: 1_700_000_000, completed_at: 1_700_000_000 },
  ...{ result_url: null, error_message: null, idempotency_key: null, position: null, progress: 1 },
  ...{ target_namespace: null, target_repo: null, target_directory: null },
  ...more,
});

/** Ids count up: `gen-1`, `gen-2`, … */
export async function testStudio(options: Partial<StudioOptions & StudioParts> = {}): Promise<TestStudio> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'studio-')));
  const renderer = new FakeRenderer();
  const clock = new FakeClock(1_700_000_000_000);
  const log: string[] = [];
  let count = 0;
  const newId = () => `gen-${++count}`;
  const studio = await serveStudio({
    folder,
    key: KEY,
    speed: 'draft',
    workers: 1,
    renderer,
    clock,
    newId,
    version: '1.2.3',
    log: line => log.push(line),
    ...options,
  });
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${KEY}`, ...init.headers };
    const response = await fetch(studio.url + path, { method, ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as Json),
    };
  };
  const send = (path: string, body: Json, { headers, ...init }: RequestInit = {}) =>
    fetch(studio.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...init,
    });
  const get = (path: string, headers = {}) => call('GET', path, { headers });
  const post = (path: string, body: Json | Buffer, headers = {}) =>
    call('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body),
    });
  return {
    ...studio,
    folder,
    renderer,
    clock,
    log,
    get,
    post,
    send,
    delete: path => call('DELETE', path),
    enqueue: async body => {
      const { status, body: answer } = await post('/api/ai/queue', body);
      if (status !== 200) throw new Error(`refused: ${JSON.stringify(answer)}`);
      return (answer as { generations: { generation_id: string }[] }).generations[0]?.generation_id ?? '';
    },
    until: async (id, status) => {
      for (;;) {
        const record = (await get(`/api/ai/queue/${id}`)).body as JsonObject;
        if (record.status === status) return record;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await studio.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

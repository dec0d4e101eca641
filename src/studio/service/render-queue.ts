/**
 * First come, first served, as many at once as there are workers. The table is the truth: this file only moves generations
 * through it, and notifies the event hub afterwards. A failure in one generation fails that one alone.
 */

import { EventEmitter } from 'node:events';
import { COMPLETED } from '../../api/routes.ts';
import { withDefaults } from '../../api/validate-request.ts';
import { stackOf } from '../../machine/error-code.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Model, ModelLibrary } from '../../model/model.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { type Renderer, RenderRefusal, type RenderResult } from '../animatic/index.ts';
import { drawnAs } from './custom-models.ts';
import type { EventHub } from './event-hub.ts';
import { costOf } from './generation-cost.ts';
import type { IdempotencyKey } from './http/idempotency-key.ts';
import type { InputFiles } from './inputs/input-files.ts';
import {
  type Generation,
  type GenerationTable,
  isFinished,
  type NewGeneration,
  type Target,
} from './records/generations.ts';
import type { ResultStore } from './records/result-store.ts';

export interface RenderQueueParts {
  readonly table: GenerationTable;
  readonly results: ResultStore;
  readonly inputs: InputFiles;
  readonly renderer: Renderer;
  readonly eventHub: EventHub;
  readonly library: ModelLibrary;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: (line: string) => void;
  readonly speed: 'full' | 'draft';
  /** How many are rendered at once. */
  readonly workers: number;
  /** The document promises the event for successes only. */
  readonly strict: boolean;
}

/** One request, until it is on disk. */
interface Arrival {
  readonly rows: readonly NewGeneration[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  fraction: number;
}

export class RenderQueue {
  readonly #parts: RenderQueueParts;
  readonly #running = new Map<string, Running>();
  /** An event for each end of a generation, by its id. */
  readonly #ends = new EventEmitter().setMaxListeners(0);
  #arriving: Arrival[] = [];
  #open = false;

  constructor(parts: RenderQueueParts) {
    this.#parts = parts;
  }

  /** Takes up what an earlier server left. */
  async start(): Promise<void> {
    const { table, results } = this.#parts;
    table.requeueInterrupted();
    await results.open(id => table.get(id)?.status === 'succeeded');
    this.#open = true;
    this.#startWaiting();
  }

  /**
   * One generation for each request, all of them or none, by their ids. Durable when it resolves: what arrives in one turn of the event
   * loop shares one sync of the disk.
   */
  enqueue(
    requests: readonly JsonObject[],
    model: Model,
    target: Target,
    key: IdempotencyKey | undefined,
  ): Promise<readonly string[]> {
    const common = {
      model: model.label,
      media_type: model.produces === 'image' ? 'image' : 'video',
      ...target,
      enqueued_at: this.#now(),
      idempotency_key: key?.value ?? null,
      asks: key?.digest ?? null,
    } as const;
    const rows = requests.map(request => ({ id: this.#parts.newId(), request, ...common }));
    return new Promise((resolve, reject) => {
      if (this.#arriving.length === 0) setImmediate(() => this.#insertArrived());
      this.#arriving.push({ rows, resolve: () => resolve(rows.map(({ id }) => id)), reject });
    });
  }

  /** The generation after it was cancelled, or as it is when it had already finished; undefined when it is unknown. */
  cancel(id: string): Generation | undefined {
    const { table, eventHub, strict } = this.#parts;
    if (table.cancel(id, this.#now(), 'cancelled on request')) {
      this.#running.get(id)?.stop.abort();
      if (!strict) eventHub.publish(COMPLETED, { generation_id: id });
      this.#ends.emit(id);
    }
    return table.get(id);
  }

  /** The generation when it has ended; undefined when the studio closes first. */
  async ended(id: string): Promise<Generation | undefined> {
    if (this.#open && !isFinished(this.#known(id))) await new Promise<void>(resolve => this.#ends.once(id, resolve));
    const generation = this.#known(id);
    return isFinished(generation) ? generation : undefined;
  }

  /** Nothing new begins, and waits end. */
  dismiss(): void {
    this.#open = false;
    for (const id of this.#ends.eventNames()) this.#ends.emit(id);
  }

  /** 0 to 1 while it is rendered; null otherwise. */
  progress(generation: Generation): number | null {
    if (generation.status === 'succeeded') return 1;
    return generation.status === 'processing' ? (this.#running.get(generation.id)?.fraction ?? 0) : null;
  }

  /** Stops at once. A generation that was being rendered stays `processing` in the table: the next server renders it again. */
  async close(): Promise<void> {
    this.dismiss();
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ done }) => done));
  }

  #insertArrived(): void {
    const arrived = this.#arriving;
    this.#arriving = [];
    this.#insert(arrived);
    // After the acknowledgement's turn: nothing that goes wrong here is the requester's.
    setImmediate(() => this.#startWaiting());
  }

  /** One bad request must not fail the others: each is inserted once more by itself. */
  #insert(arrived: readonly Arrival[]): void {
    try {
      this.#parts.table.insert(arrived.flatMap(({ rows }) => rows));
      for (const { resolve } of arrived) resolve();
    } catch (error) {
      if (arrived.length === 1) arrived[0]?.reject(error);
      else for (const one of arrived) this.#insert([one]);
    }
  }

  #startWaiting(): void {
    const { table, workers, log } = this.#parts;
    try {
      while (this.#open && this.#running.size < workers) {
        const next = table.next();
        if (next === undefined) return;
        table.start(next.id, this.#now());
        this.#startOne(next);
      }
    } catch (error) {
      // A full disk, most likely. Waiting generations are durable, and are tried again when anything ends or arrives.
      log(`the queue has stopped: ${stackOf(error)}`);
    }
  }

  #startOne(generation: Generation): void {
    const { id } = generation;
    const stop = new AbortController();
    const done = this.#execute(generation, stop.signal)
      .catch(error => this.#parts.log(`${id}: its end could not be recorded: ${stackOf(error)}`))
      .finally(() => {
        this.#running.delete(id);
        this.#startWaiting();
      });
    this.#running.set(id, { stop, done, fraction: 0 });
  }

  async #execute(generation: Generation, signal: AbortSignal): Promise<void> {
    const { table, results, log } = this.#parts;
    const { id } = generation;
    try {
      const finished = await this.#render(generation, signal);
      if (table.succeed(id, this.#now(), finished)) this.#announce(id);
      else await results.remove(id);
    } catch (error) {
      // Cancelled, or the studio is closing: the table is right already.
      if (signal.aborted) return;
      if (!(error instanceof RenderRefusal)) log(`${id} ${generation.model}: ${stackOf(error)}`);
      const blame = error instanceof RenderRefusal ? 'request' : 'studio';
      if (table.fail(id, this.#now(), sentence(error), blame)) this.#announce(id);
    } finally {
      await results.discard(id).catch(error => log(`${id}: scratch files stay behind: ${stackOf(error)}`));
    }
  }

  async #render(generation: Generation, signal: AbortSignal) {
    const { results, inputs, renderer, library, speed, clock } = this.#parts;
    const { id } = generation;
    const model = library.get(generation.model);
    if (!model)
      throw new RenderRefusal(
        `this version of the studio has no model ${generation.model}: send it again with another`,
      );
    const started = clock.now();
    const scratch = await results.clear(id);
    const request = withDefaults(model, generation.request);
    const found = await inputs.gather(model, request, scratch.inputs, signal);
    signal.throwIfAborted();
    const result = await renderer.render(
      { id, label: drawnAs(model), kind: model.kind, request, inputs: found, folder: scratch.render, speed },
      { signal, progress: fraction => this.#advance(id, fraction) },
    );
    signal.throwIfAborted();
    await results.save(id, scratch, result);
    return record(model, request, result, (clock.now() - started) / 1000);
  }

  /** Only ever forwards. */
  #advance(id: string, fraction: number): void {
    const running = this.#running.get(id);
    if (running) running.fraction = Math.max(running.fraction, Math.min(1, fraction));
  }

  #announce(id: string): void {
    const { eventHub, strict, log } = this.#parts;
    const generation = this.#known(id);
    log(
      `${id} ${generation.model}: ${generation.status}${generation.error_message ? `, ${generation.error_message}` : ''}`,
    );
    if (isFinished(generation) && (!strict || generation.status === 'succeeded')) {
      eventHub.publish(COMPLETED, { generation_id: id });
    }
    this.#ends.emit(id);
  }

  #known(id: string): Generation {
    const generation = this.#parts.table.get(id);
    if (!generation) throw new Error(`generation ${id} was recorded and is not in the table`);
    return generation;
  }

  #now(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }
}

const record = (model: Model, request: JsonObject, result: RenderResult, processing: number) => ({
  file: result.file,
  clean_plate: result.cleanPlate ?? null,
  facts: result.facts,
  cost: costOf(model, request, result.facts, processing),
});

const sentence = (error: unknown): string =>
  error instanceof RenderRefusal
    ? error.message
    : "the studio could not render this; its own log says why (that is the studio's bug)";

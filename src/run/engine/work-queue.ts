/**
 * The one queue of a run: p-queue runs its generations, commands, cuts and downloads. This file adds a table of limits and an order. Work
 * names the pools that it takes a place in, and starts when all of them have room; of the work that could start, the longest remaining path
 * goes first. Work keeps its places until it has really stopped. An instance that waits, for a dependency, a person, a retry or a rate, holds
 * none. Whether a request may be sent at all is decided by admission.
 *
 * Three options of p-queue are not used. `concurrency` is one limit, and work here has several. `interval` counts the starts of one process;
 * rates count the intents of all processes, in the journal. An aborted `signal`, and a `timeout`, would free a place while the work still runs.
 */
import PQueue, { PriorityQueue, type QueueAddOptions, type RunFunction } from 'p-queue';
import type { Clock } from '../../machine/time/clock.ts';
import type { Pipeline, Step } from '../../model/pipeline.ts';
import type { ServiceRates } from '../../model/request-rates.ts';
import type { Executor } from '../ports/executor.ts';
import type { Limits } from './limits.ts';

interface WorkQueueOptions {
  readonly limits: Omit<Limits, 'attempts' | 'submits_per_second'>;
  /** Commands and cuts at once, where others carry them out. Absent: the limits of this machine. */
  readonly most?: Executor['most'];
  readonly rates?: ServiceRates | undefined;
  readonly pipeline: Pick<Pipeline, 'steps'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Aborts when nothing new begins any more. All gates are open from then on, so that the work behind them ends. */
  readonly signal: AbortSignal;
}

interface Worker {
  readonly step: Pick<Step, 'concurrency'>;
  /** Seconds of the longest path that begins with it. */
  readonly remaining: number;
}

/** The work starts when all of `pools` have room and none of `gates` is closed. */
interface Needs {
  /** Names of limits. */
  readonly pools: readonly string[];
  readonly gates?: readonly string[];
}

/** `worker`: its work that comes back goes before all that has arrived since with the same priority. */
type Place = Needs & QueueAddOptions & { readonly worker?: Worker };

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #queue: PQueue<WaitingLines, Place>;
  /** Places, by pool. */
  readonly #limits = new Map<string, number>();
  /** Places taken, by pool. */
  readonly #taken = new Map<string, number>();
  /** Until when each gate is closed: Unix milliseconds. */
  readonly #closedUntil = new Map<string, number>();
  readonly #closed = new AbortController();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    const { limits, rates, pipeline } = options;
    this.#limit('service', Math.min(limits.in_flight, rates?.in_flight ?? limits.in_flight));
    for (const [model, { in_flight = limits.per_model }] of Object.entries(rates?.models ?? {}))
      this.#limit(`model ${model}`, Math.min(limits.per_model, in_flight));
    this.#limit('command', limits.commands);
    this.#limit('cut', 1);
    this.#limit('download', limits.downloads);
    for (const step of pipeline.steps) this.#groupOf({ step });
    const hasRoom = ({ pools, gates = [] }: Needs) =>
      pools.every(pool => this.#takenOf(pool) < (this.#mostNow(pool) ?? this.#limits.get(pool) ?? limits.per_model)) &&
      !gates.some(gate => this.#closedUntil.has(gate));
    this.#queue = new PQueue({
      queueClass: class extends WaitingLines {
        constructor() {
          super(hasRoom);
        }
      },
    });
  }

  /**
   * Runs one generation, from its POST to its final status.
   * @param isNew whether it is still to be sent: then it also waits while the service takes nothing.
   */
  atService<T>(worker: Worker, model: string, isNew: boolean, work: () => Promise<T>): Promise<T> {
    const pools = ['service', `model ${model}`, ...this.#groupOf(worker)];
    const gates = isNew ? [gateOf(), gateOf(model), placesOf(model)] : [];
    return this.#add({ pools, gates, priority: worker.remaining, worker }, work);
  }

  /** Runs a command or a cut, which uses this machine unless others carry it out. */
  onThisMachine<T>(worker: Worker, what: 'command' | 'cut', work: () => Promise<T>): Promise<T> {
    return this.#add({ pools: [what, ...this.#groupOf(worker)], priority: worker.remaining }, work);
  }

  /** Runs one try of a download. @param remaining seconds of the longest path that begins with the instance that needs it. */
  download<T>(remaining: number, work: () => Promise<T>): Promise<T> {
    return this.#add({ pools: ['download'], priority: remaining }, work);
  }

  /**
   * Keeps the group of `worker` for so many milliseconds more. Called while it holds its place there, while the service may still work on its
   * request. Its place at the service is kept by admission. Resolves when the group is free again.
   */
  async staysInGroup(worker: Worker, ms: number): Promise<void> {
    const pools = this.#groupOf(worker);
    if (pools.length === 0 || ms <= 0) return;
    // Before all others that wait: it takes the place that is about to be given back.
    const first = { pools, priority: Number.POSITIVE_INFINITY };
    const until = AbortSignal.any([this.#options.signal, this.#closed.signal]);
    await this.#add(first, () => this.#options.clock.sleep(ms, until));
  }

  /**
   * Sends nothing new to the service, or to one model of it, before `until` (Unix milliseconds). A later time holds. Returns whether the gate
   * was open before.
   */
  closeUntil(until: number, model?: string): boolean {
    if (this.#options.signal.aborted) return false;
    const gate = gateOf(model);
    const before = this.#closedUntil.get(gate);
    this.#closedUntil.set(gate, Math.max(until, before ?? 0));
    if (before !== undefined) return false;
    void this.#openLater(gate);
    return true;
  }

  /** Sends nothing new to a model before `over` resolves: others hold all places there. */
  closeWhile(over: Promise<void>, model: string): void {
    const gate = placesOf(model);
    if (this.#closedUntil.has(gate)) return;
    this.#closedUntil.set(gate, Number.POSITIVE_INFINITY);
    const open = () => this.#open(gate);
    void over.then(open, open);
  }

  /** Milliseconds until something new may be sent to this model; 0: now. */
  closedFor(model: string): number {
    if (this.#options.signal.aborted) return 0;
    const until = Math.max(this.#closedUntil.get(gateOf()) ?? 0, this.#closedUntil.get(gateOf(model)) ?? 0);
    return Math.max(0, until - this.#options.clock.now());
  }

  /** Ends all sleeps of `staysInGroup`: the run is over. */
  close(): void {
    this.#closed.abort();
  }

  #add<T>(place: Place, work: () => Promise<T>): Promise<Awaited<T>> {
    return this.#queue.add(async () => {
      this.#take(place, 1);
      try {
        return await work();
      } finally {
        // Here, because p-queue looks for the next before `add` settles.
        this.#take(place, -1);
      }
    }, place);
  }

  #take({ pools }: Place, places: 1 | -1): void {
    for (const pool of pools) this.#taken.set(pool, this.#takenOf(pool) + places);
  }

  /** Workers of a team come and go while the queue runs. */
  #mostNow(pool: string): number | undefined {
    const { most } = this.#options;
    return pool === 'command' ? most?.commands : pool === 'cut' ? most?.cuts : undefined;
  }

  #takenOf(pool: string): number {
    return this.#taken.get(pool) ?? 0;
  }

  async #openLater(gate: string): Promise<void> {
    const { clock, signal } = this.#options;
    for (let until = Number.NaN; until !== this.#closedUntil.get(gate) && !signal.aborted; ) {
      until = this.#closedUntil.get(gate) ?? 0;
      // Slept through, it is over, wherever the clock was set meanwhile.
      await clock.sleep(Math.max(1, until - clock.now()), signal);
    }
    this.#open(gate);
  }

  #open(gate: string): void {
    this.#closedUntil.delete(gate);
    // Set again, it makes p-queue look for the next.
    this.#queue.concurrency = Number.POSITIVE_INFINITY;
  }

  #groupOf({ step: { concurrency } }: Pick<Worker, 'step'>): readonly string[] {
    if (!concurrency) return [];
    const pool = `group ${concurrency.name}`;
    this.#limit(pool, concurrency.limit);
    return [pool];
  }

  /** Where several files give one group a number, the smallest holds. */
  #limit(pool: string, places: number): void {
    this.#limits.set(pool, Math.min(places, this.#limits.get(pool) ?? places));
  }
}

interface Waiting {
  readonly priority: number;
  readonly number: number;
  readonly run: RunFunction;
}

interface Line {
  readonly place: Needs;
  readonly waiting: Waiting[];
}

/**
 * Waiting work in the order in which p-queue starts it. `size` is 0 while nothing that waits has room. Work with equal needs waits in one
 * line, so that the next is found by a look at the heads of a few lines, however many wait.
 */
class WaitingLines extends PriorityQueue {
  readonly #hasRoom: (needs: Needs) => boolean;
  readonly #lines = new Map<string, Line>();
  readonly #numbers = new WeakMap<Worker, number>();
  #arrived = 0;

  constructor(hasRoom: (needs: Needs) => boolean) {
    super();
    this.#hasRoom = hasRoom;
  }

  override enqueue(run: RunFunction, { pools = [], gates = [], priority = 0, worker }: Partial<Place> = {}): void {
    const name = JSON.stringify([pools, gates]);
    const { waiting } = this.#lines.get(name) ?? { waiting: [] };
    this.#lines.set(name, { place: { pools, gates }, waiting });
    const number = (worker && this.#numbers.get(worker)) ?? ++this.#arrived;
    if (worker) this.#numbers.set(worker, number);
    const arrival = { priority, number, run };
    waiting.splice(waiting.findLastIndex(other => isBefore(other, arrival)) + 1, 0, arrival);
  }

  override dequeue(): RunFunction | undefined {
    return this.#next()?.waiting.shift()?.run;
  }

  override get size(): number {
    return this.#next() ? 1 : 0;
  }

  #next(): Line | undefined {
    let best: { readonly line: Line; readonly head: Waiting } | undefined;
    for (const [name, line] of this.#lines) {
      const [head] = line.waiting;
      if (!head) this.#lines.delete(name);
      else if ((!best || isBefore(head, best.head)) && this.#hasRoom(line.place)) best = { line, head };
    }
    return best?.line;
  }
}

const isBefore = (one: Waiting, other: Waiting): boolean =>
  one.priority === other.priority ? one.number < other.number : one.priority > other.priority;

/** Absent: of the whole service. */
const gateOf = (model?: string): string => (model === undefined ? 'to the service' : `to ${model}`);
/** Closed while others hold all places at the model. */
const placesOf = (model: string): string => `places at ${model}`;

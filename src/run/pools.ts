/**
 * Who of this run goes first, and how many at once on this machine: p-queue holds them back, and no more. Whether a request may be sent
 * is admission's question. A step owns its signal and its deadline, and its slot is free when its work
 * has really stopped. Waiting for a dependency or a person holds none.
 */
import PQueue from 'p-queue';

export interface Limits {
  /** Generations at the service at once, queued ones included: submitting ahead hides the round trip. */
  readonly in_flight: number;
  /** Generations of one model at once. */
  readonly per_model: number;
  /** POSTs started in any one second. */
  readonly submits_per_second: number;
  /** How often a request is sent in its life when its answers are lost and it provably never arrived. */
  readonly attempts: number;
  /** Local commands at once. */
  readonly commands: number;
  /** Downloads at once. */
  readonly downloads: number;
}

export const DEFAULT_LIMITS: Limits = {
  in_flight: 32,
  per_model: 32,
  submits_per_second: 50,
  attempts: 3,
  commands: 8,
  downloads: 6,
};

export class Pools {
  readonly #limits: Limits;
  readonly #service: PQueue;
  readonly #models = new Map<string, PQueue>();
  readonly #commands: PQueue;
  readonly #downloads: PQueue;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#service = new PQueue({ concurrency: limits.in_flight });
    this.#commands = new PQueue({ concurrency: limits.commands });
    this.#downloads = new PQueue({ concurrency: limits.downloads });
  }

  /** One generation, from its POST to its last word. Longest remaining path (`priority`, seconds) first. */
  generation<T>(model: string, priority: number, work: () => Promise<T>): Promise<T> {
    // The model's own limit first: a slot of it waits for nobody but generations of the same model.
    return this.#model(model).add(() => this.#service.add(work, { priority }), { priority });
  }

  command<T>(priority: number, work: () => Promise<T>): Promise<T> {
    return this.#commands.add(work, { priority });
  }

  download<T>(work: () => Promise<T>): Promise<T> {
    return this.#downloads.add(work);
  }

  #model(model: string): PQueue {
    const known = this.#models.get(model);
    if (known) return known;
    const queue = new PQueue({ concurrency: this.#limits.per_model });
    this.#models.set(model, queue);
    return queue;
  }
}

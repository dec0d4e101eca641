/**
 * Orders this run's generations and limits how many are at the service at once, with p-queue. Whether a request may be sent at all is
 * decided by admission. A slot is released when its work has really stopped; an instance that waits for a dependency or a person holds
 * none.
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

export class GenerationSlots {
  readonly #perModel: number;
  readonly #service: PQueue;
  readonly #models = new Map<string, PQueue>();

  constructor({ in_flight, per_model }: Pick<Limits, 'in_flight' | 'per_model'>) {
    this.#perModel = per_model;
    this.#service = new PQueue({ concurrency: in_flight });
  }

  /** Holds a slot for one generation, from its POST to its final status. The longest remaining path (`priority`, seconds) goes first. */
  hold<T>(model: string, priority: number, work: () => Promise<T>): Promise<T> {
    // The model's own limit comes first: its queue waits only for generations of the same model.
    return this.#model(model).add(() => this.#service.add(work, { priority }), { priority });
  }

  #model(model: string): PQueue {
    const known = this.#models.get(model);
    if (known) return known;
    const queue = new PQueue({ concurrency: this.#perModel });
    this.#models.set(model, queue);
    return queue;
  }
}

/**
 * Orders this run's work and limits how much of it is done at once: generations at the service, commands and cuts on this machine, and
 * what an author has put into one group. Whether a request may be sent at all is decided by admission. An instance that waits, for a
 * dependency, a person, a retry or a rate, holds nothing.
 */
import type { ConcurrencyGroup, Pipeline, Step } from '../domain/pipeline.ts';
import type { ServiceRates } from '../domain/request-rates.ts';
import type { Clock } from '../host/clock.ts';
import type { Limits } from './limits.ts';
import { type Pool, Pools } from './pools.ts';
import type { Hands } from './ports/hands.ts';

interface Needs {
  readonly limits: Limits;
  /** Of commands and cuts at once, where others do them; absent: the limits of this machine. */
  readonly most?: Hands['most'];
  readonly rates?: ServiceRates | undefined;
  readonly pipeline: Pick<Pipeline, 'steps'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Nothing new begins any more: whoever waits for a gate is let through, and told so. */
  readonly signal: AbortSignal;
}

/** What the place is taken for. */
interface Worker {
  readonly step: Pick<Step, 'concurrency'>;
  /** Seconds of the longest path that begins with it: the longest goes first. */
  readonly remaining: number;
}

export class WorkSlots {
  readonly #needs: Needs;
  readonly #pools = new Pools();
  readonly #groups: ReadonlyMap<string, number>;
  /** Until when each gate is closed: Unix milliseconds. */
  readonly #closedUntil = new Map<string, number>();

  readonly #closed = new AbortController();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#groups = limitsOfGroups(needs.pipeline.steps.flatMap(({ concurrency }) => concurrency ?? []));
  }

  /**
   * Holds a place for one generation, from its POST to its final status. `isNew`: it is still to be sent, and waits while the service
   * takes nothing.
   */
  atService<T>(worker: Worker, model: string, isNew: boolean, work: () => Promise<T>): Promise<T> {
    const { limits, rates } = this.#needs;
    const ofModel = Math.min(limits.per_model, ownRate(model, rates) ?? limits.per_model);
    const pools = [
      { name: 'service', limit: Math.min(limits.in_flight, rates?.in_flight ?? limits.in_flight) },
      { name: `model ${model}`, limit: ofModel },
      ...this.#groupOf(worker),
    ];
    const gates = isNew ? [SERVICE_GATE, gateOf(model)] : [];
    return this.#pools.hold({ pools, gates, priority: worker.remaining }, work);
  }

  /**
   * Called while it holds its place: its group is held for so many milliseconds more, for the service may still be at what nobody knows the end
   * of. Its place at the service is admission's to hold.
   */
  staysInGroup(worker: Worker, ms: number): void {
    const pools = this.#groupOf(worker);
    if (pools.length === 0 || ms <= 0) return;
    // Before any other that waits: it takes the place that is about to be given back.
    const first = { pools, priority: Number.POSITIVE_INFINITY };
    const until = AbortSignal.any([this.#needs.signal, this.#closed.signal]);
    void this.#pools.hold(first, () => this.#needs.clock.sleep(ms, until));
  }

  /** The same for a command or a cut, which uses this machine unless others do it. */
  onThisMachine<T>(worker: Worker, what: 'command' | 'cut', work: () => Promise<T>): Promise<T> {
    const { limits, most } = this.#needs;
    const limit = what === 'cut' ? (most?.cuts ?? 1) : (most?.commands ?? limits.commands);
    return this.#pools.hold(
      { pools: [{ name: what, limit }, ...this.#groupOf(worker)], priority: worker.remaining },
      work,
    );
  }

  /**
   * Nothing new is sent to the service, or to one model of it, before `until` (Unix milliseconds). A later time holds. True where nothing
   * had closed it before.
   */
  closeUntil(until: number, model?: string): boolean {
    if (this.#needs.signal.aborted) return false;
    const gate = model === undefined ? SERVICE_GATE : gateOf(model);
    const before = this.#closedUntil.get(gate);
    this.#closedUntil.set(gate, Math.max(until, before ?? 0));
    if (before !== undefined) return false;
    this.#pools.close(gate);
    void this.#openLater(gate);
    return true;
  }

  /** Milliseconds until something new may be sent to this model; 0: now. */
  closedFor(model: string): number {
    if (this.#needs.signal.aborted) return 0;
    const until = Math.max(this.#closedUntil.get(SERVICE_GATE) ?? 0, this.#closedUntil.get(gateOf(model)) ?? 0);
    return Math.max(0, until - this.#needs.clock.now());
  }

  async #openLater(gate: string): Promise<void> {
    const { clock, signal } = this.#needs;
    for (let until = Number.NaN; until !== this.#closedUntil.get(gate) && !signal.aborted; ) {
      until = this.#closedUntil.get(gate) ?? 0;
      // Slept through, it is over, wherever the clock was set meanwhile.
      await clock.sleep(Math.max(1, until - clock.now()), signal);
    }
    this.#closedUntil.delete(gate);
    this.#pools.open(gate);
  }

  /** Nobody waits any more. */
  close(): void {
    this.#closed.abort();
  }

  #groupOf({ step: { concurrency } }: Worker): readonly Pool[] {
    return concurrency
      ? [{ name: `group ${concurrency.name}`, limit: this.#groups.get(concurrency.name) ?? concurrency.limit }]
      : [];
  }
}

const SERVICE_GATE = 'to the service';
const gateOf = (model: string): string => `to ${model}`;

const ownRate = (model: string, rates: ServiceRates | undefined): number | undefined =>
  rates?.models && Object.hasOwn(rates.models, model) ? rates.models[model]?.in_flight : undefined;

/** Where several files give one group a number, the smallest holds. */
function limitsOfGroups(groups: readonly ConcurrencyGroup[]): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, limit } of groups) limits.set(name, Math.min(limit, limits.get(name) ?? limit));
  return limits;
}

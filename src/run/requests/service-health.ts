/** Whether the service answers, said once when it changes, and how long we are patient with it. */
import type { Context } from '../context.ts';

export class ServiceHealth {
  readonly #context: Context;
  /** Ends with the trouble. `isLong`: it has outlasted the patience, in time that this machine was awake. */
  #trouble: { readonly over: AbortController; isLong: boolean } | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  well(): void {
    if (this.#trouble === undefined) return;
    this.#trouble.over.abort();
    this.#trouble = undefined;
    this.#context.emit({ type: 'service_changed', reachable: true, reason: 'the service answers again' });
  }

  /** The run gives up when trouble outlasts the patience; what is open at the service stays open. */
  trouble(reason: string): void {
    if (this.#trouble?.isLong) this.#context.stop({ is: 'unreachable', reason });
    if (this.#trouble !== undefined) return;
    const trouble = { over: new AbortController(), isLong: false };
    this.#trouble = trouble;
    this.#context.emit({ type: 'service_changed', reachable: false, reason });
    const { clock, settings } = this.#context.world;
    const over = AbortSignal.any([trouble.over.signal, this.#context.signal]);
    void clock.sleep(settings.patience, over, 'in the background').then(() => {
      trouble.isLong = true;
    });
  }

  refused(reason: string): void {
    this.#context.stop({ is: 'unreachable', reason: `the key is refused (${reason}); give one that may do this` });
  }
}

/** Milliseconds to wait before try number `attempt` (0 is the first repeat): doubling from a quarter second to ten seconds. */
export const backoff = (attempt: number): number => Math.min(10_000, 250 * 2 ** attempt);

/** The same, and never less than a service asks for: one that says "at once" again and again is not asked fifty times a second. */
export const pause = (asked: number | undefined, attempt: number): number => Math.max(asked ?? 0, backoff(attempt));

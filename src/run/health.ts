/** Whether the service answers, said once when it changes, and how long we are patient with it. */
import type { Context } from './context.ts';

export class Health {
  readonly #context: Context;
  #troubleSince: number | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  well(): void {
    if (this.#troubleSince === undefined) return;
    this.#troubleSince = undefined;
    this.#context.emit({ type: 'service_changed', reachable: true, reason: 'the service answers again' });
  }

  /** The run gives up when trouble outlasts the patience; what is open at the service stays open. */
  trouble(reason: string): void {
    const now = this.#context.world.clock.now();
    if (this.#troubleSince === undefined) {
      this.#troubleSince = now;
      this.#context.emit({ type: 'service_changed', reachable: false, reason });
    } else if (now - this.#troubleSince > this.#context.world.settings.patience) {
      this.#context.stop({ is: 'unreachable', reason });
    }
  }

  refused(reason: string): void {
    this.#context.stop({ is: 'unreachable', reason: `the key is refused (${reason}); give one that may do this` });
  }
}

/** Milliseconds to wait before try number `attempt` (0 is the first repeat): doubling from a quarter second to ten seconds. */
export const backoff = (attempt: number): number => Math.min(10_000, 250 * 2 ** attempt);

/** The same, and never less than a service asks for: one that says "at once" again and again is not asked fifty times a second. */
export const pause = (asked: number | undefined, attempt: number): number => Math.max(asked ?? 0, backoff(attempt));

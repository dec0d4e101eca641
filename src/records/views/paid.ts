/** What an instance has cost in a run: the engine's sum, the screen's and the report's. What is made is spent, whether or not it comes home. */

import { addUsd } from '../../model/money.ts';
import type { InstanceEvent } from '../../model/run/event.ts';
import type { InstanceState } from './instance-state.ts';

export class Paid {
  /** US dollars, as far as is known. */
  paidUsd = 0;
  /** US dollars of it that an earlier run has counted: it was made then, and could not be downloaded. */
  earlierUsd = 0;
  /** Something of it has a price that is not known. */
  isUnpriced = false;
  /** Parts of `paidUsd`: answers that did not fit, and the newest generation. */
  #unfitUsd = 0;
  #made: { readonly id: string | null; readonly usd: number } | null = null;
  /** The generation that an earlier run has counted. */
  #counted: { readonly id: string | null } | null = null;

  /** What it has cost in this run and in earlier ones. */
  get wholeUsd(): number {
    return addUsd(this.paidUsd, this.earlierUsd);
  }

  /**
   * Counts one event, and returns what it has cost.
   * @param now the instance's state after the event
   * @param price US dollars that are expected where the service does not tell; null: not known
   */
  count(event: InstanceEvent, now: InstanceState, price: number | null): number {
    if (!mayCost(event)) return 0;
    const before = this.paidUsd;
    this.paidUsd = addUsd(before, this.#costOf(event, now, price));
    return addUsd(this.paidUsd, -before);
  }

  #costOf(event: CostlyEvent, now: InstanceState, price: number | null): number {
    switch (event.type) {
      case 'taken_up':
        if (event.made) this.#counted = { id: event.generation_id };
        return 0;
      case 'answer_unfit':
        this.#unfitUsd += event.cost ?? 0;
        return event.cost ?? 0;
      case 'generated': {
        const [before, usd] = [this.#made, event.cost ?? price ?? 0];
        if (this.#isCounted(event.generation_id)) {
          this.earlierUsd = usd;
          return 0;
        }
        if (event.cost === null && price === null) this.isUnpriced = true;
        this.#made = { id: event.generation_id, usd };
        // Another generation than before is paid for as well.
        return before?.id === event.generation_id ? usd - before.usd : usd;
      }
      case 'succeeded': {
        const cost = 'cost' in event.result ? event.result.cost : undefined;
        if (cost !== undefined) this.isUnpriced = cost === null;
        if (event.result.is === 'media' && this.#isCounted(event.result.generation_id)) return 0;
        if (cost === undefined || cost === null) return 0;
        // A text's cost is that of all its calls.
        return this.#made ? cost - this.#unfitUsd - this.#made.usd : Math.max(0, cost - this.#unfitUsd);
      }
      case 'billed':
        this.isUnpriced = false;
        // A result of an earlier run is no expense of this run, even if this run learns its cost.
        return now.is === 'reused' || this.#isCounted(event.generation_id) ? 0 : event.cost - (event.estimate ?? 0);
    }
  }

  #isCounted(id: string | null): boolean {
    return this.#counted !== null && this.#counted.id === id;
  }
}

type CostlyEvent = Extract<
  InstanceEvent,
  { readonly type: 'taken_up' | 'answer_unfit' | 'generated' | 'succeeded' | 'billed' }
>;

/** Most events cost nothing, and need no account. */
export const mayCost = (event: InstanceEvent): event is CostlyEvent =>
  event.type === 'taken_up' ||
  event.type === 'answer_unfit' ||
  event.type === 'generated' ||
  event.type === 'succeeded' ||
  event.type === 'billed';

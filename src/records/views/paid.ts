/** What an instance has cost in a run: the engine's sum, the screen's and the report's. What is made is spent, whether or not it comes home. */

import type { InstanceEvent } from '../../domain/event.ts';
import { addUsd } from '../../domain/money.ts';
import type { InstanceState } from './instance-state.ts';

export interface Paid {
  /** US dollars, as far as is known. */
  paidUsd: number;
  /** Something of it has a price that is not known. */
  isUnpriced: boolean;
  /** Parts of `paidUsd`: answers that did not fit, and the newest generation. */
  unfitUsd: number;
  made: { readonly id: string | null; readonly usd: number } | null;
}

/** Most events cost nothing, and need no account. */
export const mayCost = ({ type }: InstanceEvent): boolean =>
  type === 'answer_unfit' || type === 'generated' || type === 'succeeded' || type === 'billed';

export const unpaid = (): Paid => ({ paidUsd: 0, isUnpriced: false, unfitUsd: 0, made: null });

/**
 * @param now the instance's state after the event
 * @param price US dollars that are expected where the service does not tell; null: not known
 */
export function countPaid(paid: Paid, event: InstanceEvent, now: InstanceState, price: number | null): void {
  const add = (usd: number) => {
    paid.paidUsd = addUsd(paid.paidUsd, usd);
  };
  switch (event.type) {
    case 'answer_unfit':
      paid.unfitUsd += event.cost ?? 0;
      add(event.cost ?? 0);
      break;
    case 'generated': {
      const usd = event.cost ?? price ?? 0;
      if (event.cost === null && price === null) paid.isUnpriced = true;
      // Another generation than before is paid for as well.
      add(paid.made?.id === event.generation_id ? usd - paid.made.usd : usd);
      paid.made = { id: event.generation_id, usd };
      break;
    }
    case 'succeeded': {
      if (!('cost' in event.result)) break;
      const { cost } = event.result;
      paid.isUnpriced = cost === null;
      // A text's cost is that of all its calls.
      if (cost !== null) add(paid.made ? cost - paid.unfitUsd - paid.made.usd : Math.max(0, cost - paid.unfitUsd));
      break;
    }
    case 'billed':
      paid.isUnpriced = false;
      // A result of an earlier run is no expense of this run, even if this run learns its cost.
      if (now.is !== 'reused') add(event.cost - (event.estimate ?? 0));
  }
}

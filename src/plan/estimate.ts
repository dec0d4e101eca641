/** What a plan is still to pay, in one number and one phrase: of plans, of a run's first line and of its screen. */
import { counted, formatUsd } from '../domain/format.ts';
import { addUsd } from '../domain/money.ts';
import type { Plan } from '../domain/plan.ts';
import { atListPrice, isFree } from '../domain/run-money.ts';

export interface Estimate {
  /** US dollars at list price, of open steps the most that they can come to. Null: nothing has a price. */
  readonly usd: number | null;
  /** It may turn out to be less. */
  readonly at_most?: true;
  /** Instances, and open steps, whose price is not known; absent: none. */
  readonly unpriced?: number;
  readonly open_unpriced?: number;
}

export function estimateOf({ totals, demand }: Pick<Plan, 'totals' | 'demand'>): Estimate {
  const { usd, openUsd, openUnpriced, unpriced, maybe } = totals;
  const all = addUsd(usd, openUsd);
  const isAtMost = maybe > 0 || openUsd > 0 || demand.certain.usd.known < demand.most.usd.known;
  return {
    // An unknown price is not a price of zero.
    usd: all === 0 && unpriced + openUnpriced > 0 ? null : all,
    ...(isAtMost && all > 0 && { at_most: true }),
    ...(unpriced > 0 && { unpriced }),
    ...(openUnpriced > 0 && { open_unpriced: openUnpriced }),
  };
}

/** `about $2.40`, `up to $14.20, and 2 instances without a known price`, `free (up to $7.76 at list price)`, `nothing to pay`. */
export function estimateText(
  { usd, at_most, unpriced = 0, open_unpriced: open = 0 }: Estimate,
  from: { readonly service: string },
): string {
  const rest = [
    ...(unpriced > 0 ? [`${counted(unpriced, 'instance')} without a known price`] : []),
    ...(open > 0 ? [`what ${counted(open, 'open step')} will come to`] : []),
  ];
  if (isFree(from)) {
    if (!usd) return 'free';
    return `free (${[`${at_most ? 'up to ' : ''}${atListPrice(usd)}`, ...rest].join(', and ')})`;
  }
  if (usd === 0 && rest.length === 0) return 'nothing to pay';
  const known = usd === null ? [] : [`${at_most ? 'up to' : 'about'} ${formatUsd(usd)}`];
  return [...known, ...rest].join(', and ');
}

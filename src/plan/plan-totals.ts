/** A plan in numbers. */
import { addDemand, certainOf, NO_AMOUNTS, UNKNOWN_DEMAND } from '../domain/budget.ts';
import { addUsd } from '../domain/money.ts';
import { type Instance, isPart, type OpenStep, type Plan, shownAs } from '../domain/plan.ts';

export function totalsOf(instances: Iterable<Instance>, open: readonly OpenStep[]): Plan['totals'] {
  const counts = { hit: 0, fetch: 0, sent: 0, run: 0, maybe: 0, skip: 0, left_out: 0 };
  let all = 0;
  let usd = 0;
  let unpriced = 0;
  let paid = 0;
  let perhaps = 0;
  for (const { decision, price } of instances) {
    all += 1;
    counts[shownAs(decision)] += 1;
    if (decision.is === 'sent') {
      const before = decision.sent.usd ?? 0;
      if (decision.sent.is === 'lost') perhaps = addUsd(perhaps, before);
      else paid = addUsd(paid, before);
    }
    if (decision.is !== 'run' && decision.is !== 'maybe') continue;
    if (price === null) unpriced += 1;
    else usd = addUsd(usd, price);
  }
  const part = open.filter(isPart);
  counts.left_out += open.length - part.length;
  const openUsd = part.reduce((sum, { usd: most }) => addUsd(sum, most ?? 0), 0);
  const openUnpriced = part.filter(({ usd: most }) => most === null).length;
  return { instances: all, ...counts, open: part.length, openUsd, openUnpriced, usd, unpriced, paid, perhaps };
}

export function demandOf(instances: Iterable<Instance>, open: readonly OpenStep[]): Plan['demand'] {
  let [certain, most] = [NO_AMOUNTS, NO_AMOUNTS];
  for (const { decision, demand } of instances) {
    // Most instances of a large film are free, or owned.
    if (demand.generations === 0 || (decision.is !== 'run' && decision.is !== 'maybe')) continue;
    most = addDemand(most, demand);
    if (decision.is === 'run') certain = addDemand(certain, certainOf(demand));
  }
  for (const { demand, most: times } of open) {
    if (demand.generations === 0) continue;
    // Of a step of which nobody knows how many instances it will have, nobody knows what it comes to.
    most = times === undefined ? addDemand(most, UNKNOWN_DEMAND) : addDemand(most, demand, times);
  }
  return { certain, most };
}

/** What `retry` may come to beside what a plan costs: each attempt that asks for another request may be paid for again. */
import type { Demand } from '../domain/budget.ts';
import { formatUsd } from '../domain/format.ts';
import { addUsd } from '../domain/money.ts';
import type { Step } from '../domain/pipeline.ts';
import { isPart, type Plan } from '../domain/plan.ts';
import { paidAgain } from '../domain/retry.ts';
import { counted } from './plan-page.ts';

export interface RetryCost {
  /** Requests beside the first of each, at most. */
  readonly requests: number;
  /** US dollars for those that have a price. */
  readonly usd: number;
  /** How many of them have none. */
  readonly unpriced: number;
  /** Open steps of which nobody can tell how many requests they make. */
  readonly open_steps: number;
}

/** Undefined where no retry costs anything. */
export function retryCost({
  instances,
  open,
  pipeline,
}: Pick<Plan, 'instances' | 'open' | 'pipeline'>): RetryCost | undefined {
  let [requests, usd, unpriced, openSteps] = [0, 0, 0, 0];
  /** Of so many instances that come to so much together. */
  const add = ({ same, mends }: Again, times: number, price: number | null) => {
    requests += (same + mends) * times;
    if (price === null) unpriced += same * times;
    else usd = addUsd(usd, same * price);
    // An answer is sent back with the whole conversation, which is longer than what was planned.
    unpriced += mends * times;
  };
  for (const { step, decision, demand, price } of instances) {
    if (!step.retry || demand.generations === 0 || (decision.is !== 'run' && decision.is !== 'maybe')) continue;
    add(againOf(step, demand), 1, price);
  }
  for (const one of open) {
    const step = pipeline.steps.find(({ name }) => name === one.step);
    if (!step?.retry || !isPart(one) || one.isOff || one.demand.generations === 0) continue;
    const again = againOf(step, one.demand);
    if (one.most !== undefined) add(again, one.most, one.usd);
    else if (again.same + again.mends > 0) openSteps += 1;
  }
  return requests + openSteps === 0 ? undefined : { requests, usd, unpriced, open_steps: openSteps };
}

/** How often one request is made again at most: as it was, and with an answer that did not fit. */
interface Again {
  readonly same: number;
  readonly mends: number;
}

function againOf(step: Step, demand: Demand): Again {
  const { retry } = step;
  if (!retry) return { same: 0, mends: 0 };
  const isChat = demand.tokens !== 0;
  const isChecked = isChat && 'schema' in step && step.schema !== undefined;
  return {
    same: paidAgain(retry, { isChat }),
    mends: isChecked && retry.on.includes('invalid') ? retry.attempts - 1 : 0,
  };
}

/** `up to $4.20 more, for 6 requests that are made again`. */
export function retryCostText({ requests, usd, unpriced, open_steps: open }: RetryCost): string {
  const unknown = [
    ...(unpriced > 0 ? [`${counted(unpriced, 'request')} without a known price`] : []),
    ...(open > 0 ? [`what ${counted(open, 'open step')} ${open === 1 ? 'asks' : 'ask'} for again`] : []),
  ];
  const priced = requests - unpriced;
  const known = priced > 0 ? [`${formatUsd(usd)} more, for ${counted(priced, 'request')} that may be made again`] : [];
  return `up to ${[...known, ...unknown].join(', and ')}`;
}

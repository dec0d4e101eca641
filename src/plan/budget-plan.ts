/** A plan held against its budgets: what it comes to with what is spent and reserved, and whether it certainly does not fit. */
import type { BudgetStatus } from '../domain/budget.ts';
import { addUsd } from '../domain/money.ts';
import type { Plan } from '../domain/plan.ts';
import { amountText, leavesText, ofLimitText, remedyText, WHOSE, WHOSE_SHORT } from './budget-text.ts';
import { isPaid } from './kinds/index.ts';
import { counted } from './plan-page.ts';

export interface HeldAgainst extends BudgetStatus {
  /** With what is spent and reserved: in any case, and at most. */
  readonly certain: number;
  readonly at_most: number;
  /** Requests that are not sent, for nobody can tell what they come to: certainly, and perhaps. */
  readonly unpriced: number;
  readonly maybe_unpriced: number;
}

type Demanding = Pick<Plan, 'demand' | 'deployments' | 'instances'>;

/** But for what a team lets its key cost in a day: what that leaves grows while a film is made. */
export const heldAgainst = (plan: Demanding, budget: readonly BudgetStatus[]): readonly HeldAgainst[] =>
  budget.filter(({ of }) => of !== 'team_day').map(status => held(plan, status));

/** Where a team's day leaves less than all of it, and some waits; undefined: it does not. */
export function heldByDay(plan: Demanding, day: BudgetStatus | undefined): HeldAgainst | undefined {
  const found = day && held(plan, day);
  const { at_most: most = 0, limit = 0, spent = 0, in_flight = 0 } = found ?? {};
  return most > limit && most > addUsd(spent, in_flight) ? found : undefined;
}

/** `up to $30.00 of $20.00 in a day, $2.00 of it spent: the rest is sent as hours go by`. */
export function heldByDayText(one: HeldAgainst): string {
  const { spent, in_flight, certain, at_most } = one;
  const before = addUsd(spent, in_flight);
  const has = before === 0 ? '' : `, ${amountText('usd', before)} of it spent or reserved`;
  return `${certain < at_most ? 'up to ' : ''}${ofLimitText(one, at_most)} that the team allows in a day${has}: what does not fit is sent as hours go by`;
}

function held({ demand, deployments }: Demanding, status: BudgetStatus): HeldAgainst {
  const { measure, spent, in_flight, allows_unpriced: allows } = status;
  const [certain, most] = [demand.certain[measure], demand.most[measure]];
  const before = addUsd(spent, in_flight);
  // A model that is brought up bills by the second, and nobody can tell for how many.
  const activated = measure === 'usd' ? deployments.length : 0;
  return {
    ...status,
    certain: addUsd(before, certain.known),
    at_most: addUsd(before, most.known),
    unpriced: allows ? 0 : certain.unknown,
    maybe_unpriced: allows ? 0 : most.unknown - certain.unknown + activated,
  };
}

/** `up to $14.20 of $25.00, $2.00 of it spent`, `4 of 40 images`: one for each number. */
export function heldTexts(plan: Demanding, budget: readonly BudgetStatus[]): readonly string[] {
  const fresh = isFresh(plan);
  return heldAgainst(plan, budget).map(one => heldText(one, fresh));
}

function heldText(one: HeldAgainst, isFresh: boolean): string {
  const { measure, of, spent, in_flight, limit, certain, at_most, unpriced, maybe_unpriced } = one;
  const before = addUsd(spent, in_flight);
  const how = in_flight === 0 ? 'spent' : 'spent or reserved';
  const has = before === 0 ? '' : `, ${amountText(measure, before)} of it ${how}`;
  const unknown = unpriced + maybe_unpriced;
  const verdict =
    isFresh && certain > limit && certain > before
      ? ', which does not fit'
      : at_most > limit && at_most > before
        ? ', and what does not fit is not sent'
        : '';
  const missing =
    unknown === 0
      ? ''
      : `, and ${counted(unknown, 'request')} of which nobody can tell: ${remedyText({ why: 'unpriced', measure, of })}`;
  return `${WHOSE_SHORT[of]}${certain < at_most ? 'up to ' : ''}${ofLimitText(one, at_most)}${has}${verdict}${missing}`;
}

/** Nothing that it pays for was made or sent before. */
const isFresh = ({ instances }: Demanding): boolean =>
  ![...instances].some(({ step, decision }) => isPaid(step) && ['hit', 'fetch', 'sent'].includes(decision.is));

/**
 * Why nothing of it is begun; undefined where all of it may fit. Half a film is worth less than none, so that a fresh one which certainly does
 * not fit is not begun; one that goes on brings home what is paid for, and makes what fits.
 */
export function overBudgetText(plan: Demanding, budget: readonly BudgetStatus[]): string | undefined {
  const over = heldAgainst(plan, budget).flatMap(one => {
    const { measure, of, limit, spent, in_flight, certain, unpriced } = one;
    const before = addUsd(spent, in_flight);
    // What is spent beyond a budget that was lowered since is no reason to hold back what is free.
    if (certain > limit && certain > before) {
      const comes = amountText(measure, addUsd(certain, -before));
      return `what is to be made comes to ${comes}, and ${leavesText(one)}; ${remedyText({ why: 'exceeds', measure, of })}`;
    }
    if (unpriced > 0)
      return `nobody can tell what ${counted(unpriced, 'request')} will come to, and a budget bounds ${WHOSE[of]} ${measure === 'usd' ? 'dollars' : measure.replace('_', ' ')}; ${remedyText({ why: 'unpriced', measure, of })}`;
    return [];
  });
  return over.length === 0 || !isFresh(plan) ? undefined : `over budget, nothing was begun: ${over.join('; ')}`;
}

/**
 * A plan held against its budgets: what it comes to with what is spent and reserved, and whether it certainly does not fit. What `retry` may
 * add to that, and where the service's rates let less through at once than there is to be sent.
 */
import { type BudgetStatus, certainOf, type Demand, type Measure } from '../../model/budget.ts';
import { addUsd } from '../../model/money.ts';
import type { Step } from '../../model/pipeline.ts';
import { isKnown, isPart, isToBeMade, type Plan } from '../../model/plan.ts';
import { type RateInUse, type RateName, type RateReached, rateText, sendingTime } from '../../model/request-rates.ts';
import { paidAgain } from '../../model/run/retry-policy.ts';
import { atListPrice, isFree } from '../../model/run/run-money.ts';
import { counted, formatUsd, number } from '../../model/text/format.ts';
import { stepsByModel } from '../graph/plan-graph.ts';
import { isPaid, modelOf } from '../kinds/index.ts';
import { amountText, BUDGETS, leavesText, ofLimitText, remedyText, UNITS } from './budget-text.ts';

interface HeldAgainst extends BudgetStatus {
  /** With what is spent and reserved: in any case, and at most. */
  readonly certain: number;
  readonly at_most: number;
  /** Requests that are not sent, because their price is unknown: certainly, and perhaps. */
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

/** `up to $30.00 of $20.00 in a day, $2.00 of it spent: what does not fit is not sent; resume the run as hours go by`. */
export function heldByDayText(one: HeldAgainst): string {
  const { spent, in_flight, certain, at_most } = one;
  const before = addUsd(spent, in_flight);
  const has = before === 0 ? '' : `, ${amountText('usd', before)} of it spent or reserved`;
  return `${certain < at_most ? 'up to ' : ''}${ofLimitText(one, at_most)} that the team allows in a day${has}: what does not fit is not sent; resume the run as hours go by`;
}

function held({ demand, deployments }: Demanding, status: BudgetStatus): HeldAgainst {
  const { measure, spent, in_flight, allows_unpriced: allows } = status;
  const [certain, most] = [demand.certain[measure], demand.most[measure]];
  const before = addUsd(spent, in_flight);
  // A model that is brought up bills by the second, an unknown number of them.
  const activated = measure === 'usd' ? deployments.length : 0;
  return {
    ...status,
    certain: addUsd(before, certain.known),
    at_most: addUsd(before, most.known),
    unpriced: allows ? 0 : certain.unknown,
    maybe_unpriced: allows ? 0 : most.unknown - certain.unknown + activated,
  };
}

/** A plan beside its budgets, as a table: its head, a row for each number, and below them what does not fit and what can be done. */
interface BudgetTable {
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

export function budgetTable(plan: Demanding, budget: readonly BudgetStatus[]): BudgetTable {
  const fresh = isFresh(plan);
  const all = heldAgainst(plan, budget);
  const rows = all.map(one => {
    const { measure, limit, spent, in_flight, certain, at_most } = one;
    const toCome = addUsd(at_most, -addUsd(spent, in_flight));
    const most = certain < at_most ? 'up to ' : '';
    return [
      measured(one),
      ...[spent, in_flight].map(amount => figure(measure, amount)),
      `${most}${figure(measure, toCome)}`,
      figure(measure, limit),
    ];
  });
  return {
    rows: rows.length === 0 ? [] : [['', 'spent', 'reserved', 'to come', 'limit'], ...rows],
    notes: all.flatMap(one => noteOf(one, fresh).map(note => `${measured(one)}: ${note}`)),
  };
}

/** `dollars`, `images of the profile` */
const measured = ({ of, measure }: BudgetStatus): string =>
  `${measure === 'usd' ? 'dollars' : UNITS[measure][1]} ${BUDGETS[of].short}`.trim();

const figure = (measure: Measure, amount: number): string => (measure === 'usd' ? formatUsd(amount) : number(amount));

function noteOf(one: HeldAgainst, isFresh: boolean): readonly string[] {
  const { measure, of, spent, in_flight, limit, certain, at_most, unpriced, maybe_unpriced } = one;
  const before = addUsd(spent, in_flight);
  const unknown = unpriced + maybe_unpriced;
  return [
    ...(isFresh && certain > limit && certain > before
      ? ['does not fit']
      : at_most > limit && at_most > before
        ? ['what does not fit is not sent']
        : []),
    ...(unknown > 0
      ? [`the price of ${counted(unknown, 'request')} is not known: ${remedyText({ why: 'unpriced', measure, of })}`]
      : []),
  ];
}

/** Nothing that it pays for was made or sent before. */
const isFresh = ({ instances }: Demanding): boolean =>
  ![...instances].some(({ step, decision }) => isPaid(step) && (isKnown(decision) || decision.is === 'sent'));

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
      return `the cost of ${counted(unpriced, 'request')} is unknown, and a budget bounds ${BUDGETS[of].whose} ${measure === 'usd' ? 'dollars' : measure.replace('_', ' ')}; ${remedyText({ why: 'unpriced', measure, of })}`;
    return [];
  });
  return over.length === 0 || !isFresh(plan) ? undefined : `over budget, nothing was begun: ${over.join('; ')}`;
}

interface RetryCost {
  /** Requests beside the first of each, at most. */
  readonly requests: number;
  /** US dollars for those that have a price. */
  readonly usd: number;
  /** How many of them have none. */
  readonly unpriced: number;
  /** Open steps that make an unknown number of requests. */
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
    if (!step.retry || demand.generations === 0 || !isToBeMade(decision)) continue;
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

/** A rate that holds something of the plan back. */
interface RateBound extends RateReached {
  /** What is to be sent: in any case, and at most, as far as that is known. */
  readonly requests: number;
  readonly requests_at_most: number;
  /** Open steps that send to it, an unknown number of times. */
  readonly open_steps: number;
  /** What was sent already within its time, by all runs and films. */
  readonly sent: number;
  /** Until the last of them can be sent; with `in_flight`, of work on all of them. Waits for results are not counted. */
  readonly seconds: number;
  readonly seconds_at_most: number;
}

type Bounded = Pick<Plan, 'instances' | 'open' | 'pipeline'>;

/** Each rate that binds, the one that takes longest first. */
export function rateBounds(plan: Bounded, rates: readonly RateInUse[]): readonly RateBound[] {
  return rates
    .flatMap(one => {
      const bound = boundOf(plan, one);
      return bound.seconds_at_most > 0 ? [bound] : [];
    })
    .sort((a, b) => b.seconds_at_most - a.seconds_at_most);
}

function boundOf(plan: Bounded, inUse: RateInUse): RateBound {
  const { rate, limit, model, by, sentAgo } = inUse;
  const { certain, most, openSteps } = toSend(plan, model);
  const secondsOf = ({ requests, seconds }: Sending): number => {
    if (rate !== 'in_flight') return sendingTime(requests, rate, inUse) / 1000;
    return requests > limit ? seconds / limit : 0;
  };
  return {
    ...{ rate, limit, ...(model !== undefined && { model }), ...(by && { by }) },
    ...{ requests: certain.requests, requests_at_most: most.requests, open_steps: openSteps, sent: sentAgo.length },
    ...{ seconds: secondsOf(certain), seconds_at_most: secondsOf(most) },
  };
}

interface Sending {
  readonly requests: number;
  /** That the service is expected to work on them, one after the other. */
  readonly seconds: number;
}

function toSend({ instances, open, pipeline }: Bounded, model: string | undefined) {
  let [certain, most] = [NOTHING, NOTHING];
  for (const { step, decision, demand, expected } of instances) {
    if (demand.generations === 0 || !isToBeMade(decision)) continue;
    if (model !== undefined && modelOf(step) !== model) continue;
    most = add(most, demand.generations, expected);
    if (decision.is === 'run') certain = add(certain, certainOf(demand).generations, expected);
  }
  let openSteps = 0;
  for (const one of open) {
    const step = pipeline.steps.find(({ name }) => name === one.step);
    if (!step || !isPart(one) || one.demand.generations === 0) continue;
    const models = [step, ...stepsByModel(step).values()].map(modelOf);
    if (model !== undefined && !models.includes(model)) continue;
    if (one.most === undefined) openSteps += 1;
    else most = add(most, one.most * one.demand.generations, 0);
  }
  return { certain, most, openSteps };
}

const NOTHING: Sending = { requests: 0, seconds: 0 };
const add = (sum: Sending, requests: number, seconds: number): Sending => ({
  requests: sum.requests + requests,
  seconds: sum.seconds + seconds,
});

/** `at 2 a minute about 18 min of sending: 38 requests`, of the rate that takes longest. */
export function rateBoundText(bounds: readonly RateBound[]): string | undefined {
  const [longest] = bounds;
  if (!longest) return undefined;
  const { rate, requests, requests_at_most: most, open_steps: open, sent, seconds, seconds_at_most, by } = longest;
  const isSure = requests === most;
  const [with_, of] = rate === 'in_flight' ? ['with', 'work'] : ['at', 'sending'];
  const time = `${seconds < seconds_at_most ? 'up to ' : ''}about ${roughly(seconds_at_most)} of ${of}`;
  const how = `${isSure ? '' : 'up to '}${counted(most, 'request')}${open > 0 ? `, and those of ${counted(open, 'open step')}` : ''}`;
  const before = sent === 0 ? '' : `, behind ${number(sent)} of the last ${LAST[rate]}`;
  const whose = by === 'team' ? ', as the team allows,' : '';
  return `${with_} ${rateText(longest)}${whose} ${time}: ${how}${before}`;
}

const LAST: { readonly [rate in RateName]: string } = {
  per_second: 'second',
  per_minute: 'minute',
  per_hour: 'hour',
  per_day: 'day',
  in_flight: 'moment',
};

/** `40 s`, `18 min`, `5 hours`, `3 days`. */
function roughly(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 36 * 3600
    ? counted(Math.round(seconds / 3600), 'hour')
    : counted(Math.round(seconds / 86_400), 'day');
}

// What a plan is still to pay, in one number and one phrase: of plans, of a run's first line and of its screen.

export interface Estimate {
  /** US dollars at list price, of open steps the most that they can come to. Null: nothing has a price. */
  readonly usd: number | null;
  /** It may turn out to be less. */
  readonly at_most?: true;
  /** Instances, and open steps, of unknown price; absent: none. */
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

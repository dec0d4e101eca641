/** A plan held against the rates of its service: where there is more to be sent than one of them lets through at once, and how long that takes. */
import { certainOf } from '../domain/budget.ts';
import { isPart, type Plan } from '../domain/plan.ts';
import { type RateInUse, type RateName, type RateReached, rateText, sendingTime } from '../domain/request-rates.ts';
import { modelOf } from './kinds/index.ts';
import { stepsByModel } from './plan-graph.ts';
import { counted, number } from './plan-page.ts';

/** A rate that holds something of the plan back. */
export interface RateBound extends RateReached {
  /** What is to be sent: in any case, and at most, as far as that is known. */
  readonly requests: number;
  readonly requests_at_most: number;
  /** Open steps that send to it, and of which nobody can tell how often. */
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
    if (demand.generations === 0 || (decision.is !== 'run' && decision.is !== 'maybe')) continue;
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

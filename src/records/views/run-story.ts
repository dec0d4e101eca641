/** The run afterwards, as reports, the review, `status` and provenance read it: the fold of its events beside what was planned. */
import type { PlannedInstance, RecordedEvent } from '../../model/run/event.ts';
import type { KeptInstance, KeptPlan, KeptStep } from '../../model/run/kept-plan.ts';
import { type InstanceKey, stepOf } from '../../model/run/key.ts';
import { reduce } from './reduce.ts';
import { emptyRunView, InstanceView, type RunView } from './run-view.ts';

export interface RunStory {
  readonly run: RunView;
  /** Unix milliseconds of the first event. */
  readonly began: number;
  readonly isRunning: boolean;
  /** In the order of the plan. */
  readonly instances: ReadonlyMap<InstanceKey, InstanceStory>;
}

export interface InstanceStory {
  readonly planned: KeptInstance;
  readonly step: KeptStep | undefined;
  readonly story: InstanceView;
}

export interface RecordedRun {
  /** In the order in which they happened. */
  readonly events: Iterable<RecordedEvent>;
  /** Undefined: an older version ran it, and kept none. */
  readonly plan: KeptPlan | undefined;
  /** A process is at work on it at this moment. */
  readonly isRunning: boolean;
}

export function runStory({ events, plan, isRunning }: RecordedRun): RunStory {
  const run = emptyRunView();
  const planned = (plan?.instances ?? []).map(asPlanned);
  let began: number | undefined;
  for (const event of steadyTimes(events)) {
    began ??= event.at;
    // The journal keeps the instances of a plan beside the event.
    reduce(run, event.type === 'run_started' ? { ...event, instances: planned } : event);
  }
  const steps = new Map((plan?.steps ?? []).map(step => [step.name, step]));
  const instances = new Map<InstanceKey, InstanceStory>();
  const add = (kept: KeptInstance, story: InstanceView) =>
    instances.set(kept.key, { planned: kept, step: steps.get(kept.step), story });
  for (const [index, kept] of (plan?.instances ?? []).entries())
    add(kept, run.instances.get(kept.key) ?? new InstanceView(asPlanned(kept), index));
  for (const [key, story] of run.instances) if (!instances.has(key)) add(unplanned(story), story);
  return { run, began: began ?? 0, isRunning, instances };
}

const asPlanned = ({ key, model = '', needs = [], price, sentUsd }: KeptInstance): PlannedInstance => ({
  ...{ key, model, needs, price },
  ...(sentUsd !== undefined && { sent_usd: sentUsd }),
});

/** Of an instance that no plan is kept of, what its events tell. */
const unplanned = ({ key, price }: InstanceView): KeptInstance => ({
  ...{ key, step: stepOf(key), decision: 'run', why: '', price },
});

/**
 * Events with times that never go back: a clock that is set back in the middle of a run would make bars of negative length. Later events are shown
 * as much later as the clock was set back.
 */
function* steadyTimes(events: Iterable<RecordedEvent>): Iterable<RecordedEvent> {
  let [last, ahead] = [Number.NEGATIVE_INFINITY, 0];
  for (const event of events) {
    if (event.at + ahead < last) ahead = last - event.at;
    last = event.at + ahead;
    yield ahead === 0 ? event : { ...event, at: last };
  }
}

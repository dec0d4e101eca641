/** A run as a report reads it: the story of each instance, and that of the run as a whole. */
import type { RecordedEvent } from '../../domain/event.ts';
import type { KeptInstance, KeptPlan, KeptStep } from '../../domain/kept-plan.ts';
import { type InstanceKey, type StepName, stepOf } from '../../domain/key.ts';
import { addUsd } from '../../domain/money.ts';
import { isOfInstance } from './instance-state.ts';
import { costOf, InstanceStory } from './instance-story.ts';
import { steadyTimes } from './steady-times.ts';

type Of<T extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: T }>;

export interface RunStory {
  readonly started: Of<'run_started'> | undefined;
  readonly finished: Of<'run_finished'> | undefined;
  readonly detached: Of<'run_detached'> | undefined;
  readonly began: number;
  /** Of the last event. */
  readonly last: number;
  readonly isRunning: boolean;
  /** In the order of the plan. */
  readonly instances: ReadonlyMap<InstanceKey, Told>;
  readonly steps: ReadonlyMap<StepName, KeptStep>;
  readonly failedOutputs: ReadonlyMap<string, string>;
  /** Seconds in which nothing went on but waiting for a person. */
  readonly waitedForPeople: number;
}

export interface Told {
  readonly planned: KeptInstance;
  readonly step: KeptStep | undefined;
  readonly story: InstanceStory;
}

export interface RecordedRun {
  /** In the order in which they happened. */
  readonly events: Iterable<RecordedEvent>;
  /** Undefined: an older version ran it, and kept none. */
  readonly plan: KeptPlan | undefined;
  /** A process is at work on it at this moment. */
  readonly isRunning: boolean;
}

export function runStory({ events: all, plan, isRunning }: RecordedRun): RunStory {
  const events = steadyTimes(all);
  const steps = new Map((plan?.steps ?? []).map(step => [step.name, step]));
  const instances = new Map<InstanceKey, Told>();
  const add = (planned: KeptInstance): Told => {
    const told = { planned, step: steps.get(planned.step), story: new InstanceStory(planned.price) };
    instances.set(planned.key, told);
    return told;
  };
  for (const planned of plan?.instances ?? []) add(planned);
  const failedOutputs = new Map<string, string>();
  const people = new PeopleAwaited(events[0]?.at ?? 0);
  const of = <T extends RecordedEvent['type']>(type: T) =>
    events.findLast((event): event is Extract<RecordedEvent, { readonly type: T }> => event.type === type);
  for (const event of events) {
    if (event.type === 'output_failed') failedOutputs.set(`${event.output} ${event.path}`, event.reason);
    if (!isOfInstance(event) || event.type === 'cancel_failed') continue;
    const told = instances.get(event.key) ?? add(unplanned(event.key, event));
    const before = told.story.attempts.at(-1)?.ended === null;
    told.story.apply(event);
    people.after(event, before, told.story.attempts.at(-1)?.ended === null);
  }
  return {
    ...{ started: of('run_started'), finished: of('run_finished'), detached: of('run_detached') },
    ...{ began: events[0]?.at ?? 0, last: events.at(-1)?.at ?? 0, isRunning, instances, steps, failedOutputs },
    waitedForPeople: people.milliseconds / 1000,
  };
}

/** US dollars that the instances come to; `unpriced`: of how many that is not known. The service says at the end of a run what it really cost. */
export function spentIn({ instances }: Pick<RunStory, 'instances'>): {
  readonly usd: number;
  readonly unpriced: number;
} {
  const costs = [...instances.values()].map(({ story }) => costOf(story));
  const usd = costs.reduce<number>((sum, cost) => addUsd(sum, cost ?? 0), 0);
  return { usd, unpriced: costs.filter(cost => cost === null).length };
}

/** Of an instance that no plan is kept of, what its first event tells. */
const unplanned = (key: InstanceKey, event: RecordedEvent): KeptInstance => ({
  ...{ key, step: stepOf(key), decision: 'run', why: '' },
  price: event.type === 'submit_intended' ? event.price : null,
});

/** Adds up the time in which nobody works and somebody decides then. */
class PeopleAwaited {
  milliseconds = 0;
  #working = 0;
  #idleSince: number;

  constructor(began: number) {
    this.#idleSince = began;
  }

  after(event: RecordedEvent, was: boolean, is: boolean): void {
    if (event.type === 'chosen' && event.choice.by === 'person' && this.#working === 0) {
      this.milliseconds += event.at - this.#idleSince;
      this.#idleSince = event.at;
    }
    if (was !== is) this.#working += is ? 1 : -1;
    if (this.#working === 0 && was) this.#idleSince = event.at;
  }
}

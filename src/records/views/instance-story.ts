/** What is known of one instance of a run: where it is, since when, each try, what it has cost and gave. Read by the screen and by reports. */
import type { Asked } from '../../domain/asked.ts';
import type { Choice } from '../../domain/choice.ts';
import type { RecordedEvent, WaitsFor } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Result } from '../../domain/result.ts';
import { type Attempt, attemptsAfter } from './attempts.ts';
import {
  type InstanceState,
  isOfInstance,
  isOver,
  nextState,
  phase,
  type RecordedInstanceEvent,
  WAITING,
} from './instance-state.ts';
import { Paid } from './paid.ts';

/** What is shown of an instance while its run goes on. Texts in it are not safe to show as they are. */
export class InstanceNow extends Paid {
  state: InstanceState = WAITING;
  /** The last event of the instance where that reported a wait; null after any other. `at`: Unix milliseconds. */
  wait: { readonly what: WaitsFor; readonly reason: string; readonly at: number } | null = null;
  /** Unix milliseconds: when work on it began and ended. */
  since: number | null = null;
  until: number | null = null;
  /** US dollars; null where it has no price. */
  price: number | null;
  /** An earlier run sent it, and this one downloads its result. */
  sentBefore = false;
  /** Its id at the service; null: it has none. */
  generation: string | null = null;
  /** What was sent; null: nothing by this run. */
  request: JsonObject | null = null;

  constructor(price: number | null) {
    super();
    this.price = price;
  }

  /** Brings it on by one event, and returns what that has cost in US dollars. */
  apply(event: RecordedInstanceEvent): number {
    const before = this.state;
    const state = nextState(before, event);
    this.state = state;
    // The words of a growing text are themselves a sign of life.
    const waits = event.type === 'still_waiting' && state.is !== 'writing';
    this.wait = waits ? { what: event.what, reason: event.reason, at: event.at } : null;
    const usd = this.count(event, state, this.price);
    if ('generation_id' in event && event.generation_id !== null) this.generation = event.generation_id;
    if (event.type === 'taken_up') this.sentBefore = true;
    if (event.type === 'submit_intended') {
      this.request = event.request;
      // What the service was to give once more may be gone there: it is made, and has its price.
      if (this.price !== null && event.price !== null) this.price = event.price;
    }
    if (phase(state) === 'under-way') {
      this.since ??= event.at;
      this.until = null;
    }
    if (isOver(state) && before.is !== state.is) this.until = event.at;
    return usd;
  }
}

/** The same with what is asked of it afterwards. */
export class InstanceStory extends InstanceNow {
  attempts: readonly Attempt[] = [];
  /** `seq` of the event that ended it: no clock is needed to say what came last. */
  endedAs = 0;
  /** The model that its request was sent to. */
  sentTo: string | undefined;
  fingerprint: string | undefined;
  asked: Asked | undefined;
  result: Result | undefined;
  choice: Choice | undefined;
  failure: Failure | undefined;

  override apply(event: RecordedInstanceEvent): number {
    const usd = super.apply(event);
    this.attempts = attemptsAfter(this.attempts, event, usd);
    if (isOver(this.state) || event.type === 'chosen') this.endedAs = event.seq;
    if ('fingerprint' in event && event.fingerprint !== '') this.fingerprint = event.fingerprint;
    if (event.type === 'succeeded' || event.type === 'failed') this.asked = event.asked ?? this.asked;
    if ('result' in event) this.result = event.result;
    if (event.type === 'submit_intended') this.sentTo = event.model;
    if (event.type === 'failed') this.failure = event.failure;
    if (event.type === 'chosen') this.choice = event.choice;
    return usd;
  }
}

/** Of one instance's events, in order. */
export function storyOf(events: Iterable<RecordedEvent>): InstanceStory {
  const story = new InstanceStory(null);
  for (const event of events) if (isOfInstance(event)) story.apply(event);
  return story;
}

/** It was worked on in the run, and not only reused. */
export const isWorkedOn = ({ attempts, state }: InstanceStory): boolean =>
  attempts.length > 0 || state.is === 'succeeded' || state.is === 'failed';

/** US dollars that it has cost in the run; null where something of it has a price that is not known. */
export const costOf = ({ isUnpriced, paidUsd }: Pick<Paid, 'isUnpriced' | 'paidUsd'>): number | null =>
  isUnpriced ? null : paidUsd;

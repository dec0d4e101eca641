/** What is known of one instance of a run: where it is, since when, each try, what it has cost and gave. The run as it goes on and the run afterwards are told from it. */
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

/** Texts in it are not safe to show as they are. */
export class InstanceStory extends Paid {
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
  /** What was sent, and the model that it was sent to; null: nothing by this run. */
  request: JsonObject | null = null;
  sentTo: string | null = null;
  attempts: readonly Attempt[] = NONE;
  /** `seq` of the event that ended it: no clock is needed to say what came last. */
  endedAs = 0;
  fingerprint: string | undefined;
  asked: Asked | undefined;
  result: Result | undefined;
  choice: Choice | undefined;

  constructor(price: number | null) {
    super();
    this.price = price;
  }

  /** Its last attempt is not over. */
  get isAtWork(): boolean {
    return this.attempts.at(-1)?.ended === null;
  }

  get failure(): Failure | undefined {
    return this.state.is === 'failed' ? this.state.failure : undefined;
  }

  apply(event: RecordedInstanceEvent): void {
    const before = this.state;
    const state = nextState(before, event);
    this.state = state;
    // The words of a growing text are themselves a sign of life.
    const waits = event.type === 'still_waiting' && state.is !== 'writing';
    this.wait = waits ? { what: event.what, reason: event.reason, at: event.at } : null;
    this.attempts = attemptsAfter(this.attempts, event, this.count(event, state, this.price));
    if ('generation_id' in event && event.generation_id !== null) this.generation = event.generation_id;
    if ('fingerprint' in event && event.fingerprint !== '') this.fingerprint = event.fingerprint;
    if ('result' in event) this.result = event.result;
    if (phase(state) === 'under-way') {
      this.since ??= event.at;
      this.until = null;
    }
    if (isOver(state)) {
      if (before.is !== state.is) this.until = event.at;
      this.endedAs = event.seq;
    }
    switch (event.type) {
      case 'taken_up':
        this.sentBefore = true;
        break;
      case 'submit_intended':
        this.request = event.request;
        this.sentTo = event.model;
        // What the service was to give once more may be gone there: it is made, and has its price.
        if (this.price !== null && event.price !== null) this.price = event.price;
        break;
      case 'chosen':
        this.choice = event.choice;
        this.endedAs = event.seq;
        break;
      case 'succeeded':
      case 'failed':
        this.asked = event.asked ?? this.asked;
    }
  }
}

const NONE: readonly Attempt[] = [];

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

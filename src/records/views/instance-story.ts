/** What is known of one instance of a run: where it is, since when, each try, what it has cost and gave. Read by the screen and by reports. */
import type { Asked } from '../../domain/asked.ts';
import type { Choice } from '../../domain/choice.ts';
import type { RecordedEvent, WaitsFor } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';
import { addUsd } from '../../domain/money.ts';
import type { Result } from '../../domain/result.ts';
import { type Attempt, countAttempt } from './attempts.ts';
import {
  type InstanceState,
  isOfInstance,
  isOver,
  nextState,
  phase,
  type RecordedInstanceEvent,
  WAITING,
} from './instance-state.ts';
import { countPaid, type Paid, unpaid } from './paid.ts';

/** Texts in it are not safe to show as they are. */
export interface InstanceStory extends Paid {
  state: InstanceState;
  /** The last event of the instance where that reported a wait; null after any other. `at`: Unix milliseconds. */
  wait: { readonly what: WaitsFor; readonly reason: string; readonly at: number } | null;
  /** Unix milliseconds: when work on it began and ended. */
  since: number | null;
  until: number | null;
  /** `seq` of the event that ended it: no clock is needed to say what came last. */
  endedAs: number;
  readonly attempts: Attempt[];
  /** US dollars; null where it has no price. */
  price: number | null;
  /** An earlier run sent it, and this one downloads its result. */
  sentBefore: boolean;
  /** Its id at the service; null: it has none. */
  generation: string | null;
  /** What was sent, and to which model; null: nothing by this run. */
  request: JsonObject | null;
  sentTo: string | null;
  fingerprint: string | undefined;
  asked: Asked | undefined;
  result: Result | undefined;
  choice: Choice | undefined;
  failure: Failure | undefined;
}

export const newStory = (price: number | null): InstanceStory => ({
  ...unpaid(),
  ...{ state: WAITING, wait: null, since: null, until: null, endedAs: 0, attempts: [], price },
  ...{ sentBefore: false, generation: null, request: null, sentTo: null },
  ...{ fingerprint: undefined, asked: undefined, result: undefined, choice: undefined, failure: undefined },
});

/** Brings it on by one event, in place. */
export function applyTo(story: InstanceStory, event: RecordedInstanceEvent): void {
  const before = story.state;
  story.state = nextState(before, event);
  const { state } = story;
  // The words of a growing text are themselves a sign of life.
  const waits = event.type === 'still_waiting' && state.is !== 'writing';
  story.wait = waits ? { what: event.what, reason: event.reason, at: event.at } : null;
  const paidBefore = story.paidUsd;
  countPaid(story, event, state, story.price);
  countAttempt(story.attempts, event, addUsd(story.paidUsd, -paidBefore));
  if ('generation_id' in event && event.generation_id !== null) story.generation = event.generation_id;
  if ('fingerprint' in event && event.fingerprint !== '') story.fingerprint = event.fingerprint;
  switch (event.type) {
    case 'taken_up':
      story.sentBefore = true;
      break;
    case 'submit_intended':
      story.request = event.request;
      story.sentTo = event.model;
      // What the service was to give once more may be gone there: it is made, and has its price.
      if (story.price !== null && event.price !== null) story.price = event.price;
      break;
    case 'succeeded':
      story.asked = event.asked ?? story.asked;
      story.result = event.result;
      break;
    case 'reused':
      story.result = event.result;
      break;
    case 'failed':
      story.failure = event.failure;
      story.asked = event.asked ?? story.asked;
      break;
    case 'chosen':
      story.choice = event.choice;
      break;
  }
  if (phase(state) === 'under-way') {
    story.since ??= event.at;
    story.until = null;
  }
  if (isOver(state) && before.is !== state.is) story.until = event.at;
  if (isOver(state) || event.type === 'chosen') story.endedAs = event.seq;
}

/** Of one instance's events, in order. */
export function storyOf(events: Iterable<RecordedEvent>): InstanceStory {
  const story = newStory(null);
  for (const event of events) if (isOfInstance(event)) applyTo(story, event);
  return story;
}

/** It was worked on in the run, and not only reused. */
export const isWorkedOn = ({ attempts, state }: InstanceStory): boolean =>
  attempts.length > 0 || state.is === 'succeeded' || state.is === 'failed';

/** US dollars that it has cost in the run; null where something of it has a price that is not known. */
export const costOf = ({ isUnpriced, paidUsd }: Paid): number | null => (isUnpriced ? null : paidUsd);

/**
 * One instance of a run: where it is, since when, each try, what it has cost and gave. The run in progress and the run afterwards are both made of
 * it.
 */
import { isInQueue } from '../../api/queue.ts';
import { addUsd } from '../../model/money.ts';
import type { Choice } from '../../model/run/choice.ts';
import type { RecordedEvent, WaitsFor } from '../../model/run/event.ts';
import { type Failure, isCancelled } from '../../model/run/failure.ts';
import type { Asked, Result } from '../../model/run/result.ts';
import type { JsonObject } from '../../model/text/json.ts';
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
  /** It was made before this run, and the built-in studio has drawn it again. */
  isDrawnAgain = false;
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

  get isAtWork(): boolean {
    return this.attempts.at(-1)?.ended === null;
  }

  /** Milliseconds from its first work to its end; null: it was not worked on, or has not ended. */
  get took(): number | null {
    return this.since === null || this.until === null ? null : this.until - this.since;
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
      case 'submit_accepted':
        // Found at the service, and not sent by this run: the answer to an earlier one was lost.
        if (this.request === null) this.sentBefore = true;
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
        this.isDrawnAgain = event.drawn_again ?? false;
        this.asked = event.asked ?? this.asked;
        break;
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

/** Times in Unix milliseconds; null: not yet. */
interface Attempt {
  queued: number;
  running: number | null;
  fetching: number | null;
  ended: number | null;
  is: 'made' | 'failed' | 'cancelled' | 'unknown' | 'running';
  cost: number | null;
  generation: string | null;
  reason: string | null;
}

/**
 * The attempts after one more event; the last one is changed in place.
 * @param usd what the event has cost
 */
function attemptsAfter(attempts: readonly Attempt[], event: RecordedInstanceEvent, usd: number): readonly Attempt[] {
  if (usd !== 0) charge(attempts, event, usd);
  const last = attempts.at(-1);
  const open = last?.ended === null ? last : undefined;
  switch (event.type) {
    case 'submit_intended':
      end(open, event.at, 'unknown');
      return [...attempts, begun(event.at, event.via ? event.at : null, null)];
    case 'command_started':
      end(open, event.at, 'unknown');
      return [...attempts, begun(event.at, event.at, null)];
    case 'taken_up':
    case 'submit_accepted':
      if (!open) return [...attempts, begun(event.at, null, event.generation_id)];
      if (event.generation_id !== null)
        Object.assign(open, { generation: event.generation_id, is: 'running', reason: null });
      break;
    case 'submit_refused':
    case 'submit_absent':
    case 'answer_unfit':
      end(open, event.at, 'failed', event.reason);
      break;
    case 'submit_unknown':
      if (open) Object.assign(open, { is: 'unknown', reason: event.reason });
      break;
    case 'progress':
      if (open && !isInQueue(event.status)) open.running ??= event.at;
      break;
    case 'generated':
      if (open) Object.assign(open, { running: open.running ?? open.queued, is: 'running' });
      break;
    case 'download_started':
      if (open) open.fetching ??= event.at;
      break;
    case 'retrying':
    case 'failed':
      end(open, event.at, isCancelled(event.failure) ? 'cancelled' : 'failed', event.failure.message);
      break;
    case 'succeeded':
      end(open, event.at, 'made');
      break;
  }
  return attempts;
}

function charge(attempts: readonly Attempt[], event: RecordedInstanceEvent, usd: number): void {
  const charged = attempts.findLast(
    one => event.type !== 'billed' || one.generation === null || one.generation === event.generation_id,
  );
  if (charged) charged.cost = event.type === 'billed' ? event.cost : addUsd(charged.cost ?? 0, usd);
}

const begun = (queued: number, running: number | null, generation: string | null): Attempt => ({
  queued,
  running,
  fetching: null,
  ended: null,
  is: 'running',
  cost: null,
  generation,
  reason: null,
});

function end(attempt: Attempt | undefined, at: number, is: Attempt['is'], reason?: string): void {
  if (attempt) Object.assign(attempt, { ended: at, is, reason: reason ?? attempt.reason });
}

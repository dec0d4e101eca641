/** The events of one instance, folded into what is told of it: where it is, each try, what it cost, what it gave. */
import { isInQueue } from '../../api/queue.ts';
import type { Asked } from '../../domain/asked.ts';
import type { Choice } from '../../domain/choice.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';
import { addUsd } from '../../domain/money.ts';
import type { Result } from '../../domain/result.ts';
import {
  type InstanceState,
  isOver,
  nextState,
  type RecordedInstanceEvent,
  WAITING,
} from '../../records/views/instance-state.ts';
import { isCancelled } from '../failure-text.ts';
import { messageText } from '../message-text.ts';
import { paidAfter } from '../run-cost.ts';

export interface Attempt {
  queued: number;
  running: number | null;
  fetching: number | null;
  ended: number | null;
  is: 'made' | 'failed' | 'cancelled' | 'unknown' | 'running';
  cost: number | null;
  generation: string | null;
  reason: string | null;
}

export class InstanceStory {
  state: InstanceState = WAITING;
  readonly attempts: Attempt[] = [];
  /** Unix milliseconds of the event that ended it; null while it is not over. */
  ended: number | null = null;
  /** Its place among the events of the run: no clock is needed to say what came last. */
  endedAs = 0;
  paidUsd = 0;
  /** Something of it has a price that nobody knows. */
  isUnpriced = false;
  result: Result | undefined;
  fingerprint: string | undefined;
  asked: Asked | undefined;
  request: JsonObject | undefined;
  model: string | undefined;
  choice: Choice | undefined;
  failure: Failure | undefined;
  readonly price: number | null;

  constructor(price: number | null) {
    this.price = price;
  }

  /** It was worked on in this run. */
  get isWorkedOn(): boolean {
    return this.attempts.length > 0;
  }

  apply(event: RecordedInstanceEvent): void {
    this.state = nextState(this.state, event);
    this.#count(event);
    this.#try(event);
    if ('fingerprint' in event && event.fingerprint !== '') this.fingerprint = event.fingerprint;
    switch (event.type) {
      case 'submit_intended':
        this.request = event.request;
        this.model = event.model;
        break;
      case 'succeeded':
      case 'reused':
        this.result = event.result;
        if (event.type === 'succeeded') this.asked = event.asked ?? this.asked;
        break;
      case 'failed':
        this.failure = event.failure;
        this.asked = event.asked ?? this.asked;
        break;
      case 'chosen':
        this.choice = event.choice;
        break;
    }
    if (isOver(this.state) || event.type === 'chosen') {
      this.ended ??= event.at;
      this.endedAs = event.seq;
    } else this.ended = null;
  }

  #count(event: RecordedInstanceEvent): void {
    const before = this.paidUsd;
    this.paidUsd = paidAfter(this, event);
    if (event.type === 'generated' && event.cost === null && this.price === null) this.isUnpriced = true;
    if (event.type === 'succeeded' && 'cost' in event.result) this.isUnpriced = event.result.cost === null;
    const attempt = this.attempts.findLast(
      one => event.type !== 'billed' || one.generation === null || one.generation === event.generation_id,
    );
    if (event.type === 'billed') this.isUnpriced = false;
    if (attempt && this.paidUsd !== before)
      attempt.cost = event.type === 'billed' ? event.cost : addUsd(attempt.cost ?? 0, addUsd(this.paidUsd, -before));
  }

  #try(event: RecordedInstanceEvent): void {
    const last = this.attempts.at(-1);
    const open = last?.ended === null ? last : undefined;
    switch (event.type) {
      case 'submit_intended':
        if (open) end(open, event.at, 'unknown', null);
        this.#begin(event.at, event.via ? event.at : null);
        break;
      case 'command_started':
        if (open) end(open, event.at, 'unknown', null);
        this.#begin(event.at, event.at);
        break;
      case 'taken_up':
        if (!open) this.#begin(event.at, null);
        this.#generation(event.generation_id);
        break;
      case 'submit_accepted':
        if (!open) this.#begin(event.at, null);
        this.#generation(event.generation_id);
        break;
      case 'submit_refused':
      case 'submit_absent':
        if (open) end(open, event.at, 'failed', event.reason);
        break;
      case 'submit_unknown':
        if (open) Object.assign(open, { is: 'unknown', reason: messageText(event.reason) });
        break;
      case 'progress':
        if (open && !isInQueue(event.status)) open.running ??= event.at;
        break;
      case 'generated':
        if (!open) break;
        open.running ??= open.queued;
        open.is = 'running';
        break;
      case 'download_started':
        if (open) open.fetching ??= event.at;
        break;
      case 'answer_unfit':
        if (open) end(open, event.at, 'failed', event.reason);
        break;
      case 'retrying':
        if (open) end(open, event.at, isCancelled(event.failure) ? 'cancelled' : 'failed', event.failure.message);
        break;
      case 'failed':
        if (open) end(open, event.at, isCancelled(event.failure) ? 'cancelled' : 'failed', event.failure.message);
        break;
      case 'succeeded':
        if (open) end(open, event.at, 'made', null);
        break;
    }
  }

  #begin(queued: number, running: number | null): void {
    this.attempts.push({
      ...{ queued, running, fetching: null, ended: null, is: 'running' },
      ...{ cost: null, generation: null, reason: null },
    });
  }

  #generation(id: string | null): void {
    const last = this.attempts.at(-1);
    if (last && id !== null) Object.assign(last, { generation: id, is: 'running', reason: null });
  }
}

function end(attempt: Attempt, at: number, is: Attempt['is'], reason: string | null): void {
  attempt.ended = at;
  attempt.is = is;
  attempt.reason = reason === null ? attempt.reason : messageText(reason);
}

/**
 * A run over all of its turns, as far as `status` shows it: where each instance is, what was spent, what failed. An instance that is over leaves
 * no more than how it ended, so that the lead of a large run can hold the fold.
 */

import { addUsd } from '../../model/money.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { amountOf } from '../../model/run/run-money.ts';
import type { ReportedState } from '../../model/run/run-report.ts';
import {
  type EndState,
  type InstanceState,
  isOfInstance,
  isOver,
  nextState,
  type RecordedInstanceEvent,
} from './instance-state.ts';
import { InstanceStory } from './instance-story.ts';

/** How an instance has ended. `made before`: in an earlier turn of the run. */
type Ended = Extract<ReportedState, 'made' | 'reused' | 'skipped' | 'left_out' | 'blocked' | 'failed'> | 'made before';

export interface TurnedInstance {
  readonly needs: readonly InstanceKey[];
  readonly model: string;
  readonly price: number | null;
  /** Undefined: nothing has happened to it. */
  is: Ended | InstanceStory | undefined;
  /** Another run has counted what it costs. */
  isCountedElsewhere?: true;
}

/** What is over stays over after events that are only shown. */
const OVER: InstanceState = { is: 'left_out', stage: 'over', why: '' };

/** Takes the events of all turns of a run, oldest first. A later turn begins with its own `run_started`. Times are Unix milliseconds, money US dollars. */
export class AllTurns {
  instances = new Map<InstanceKey, TurnedInstance>();
  readonly failed = new Map<InstanceKey, Failure>();
  began: number | undefined;
  last = 0;
  /** As the newest turn ended; null: it goes on, or was cut off. */
  outcome: string | null = null;
  budget: number | null = null;
  /** At list price where nothing is billed. */
  spent = 0;
  /** Of it, what the service has billed for certain. */
  #billed = 0;
  /** Of earlier turns, and what this turn learnt that they cost besides. */
  #spentBefore = 0;
  /** The turn, by its place, that first spent something on an instance. */
  readonly #firstSpent = new Map<InstanceKey, number>();
  #turn = 0;

  /** How much of `spent` no bill has confirmed. */
  get estimated(): number {
    return addUsd(this.spent, -this.#billed);
  }

  apply(event: RecordedEvent): void {
    this.began ??= event.at;
    this.last = Math.max(this.last, event.at);
    switch (event.type) {
      case 'run_started':
        this.#begin(event);
        break;
      case 'expanded':
        this.#plan(event.instances);
        break;
      case 'run_finished':
        this.outcome = event.outcome;
        this.spent = addUsd(this.#spentBefore, amountOf(event));
        this.#billed = addUsd(this.#billed, addUsd(amountOf(event), -(event.estimated ?? 0)));
        break;
      case 'run_detached':
        this.outcome ??= 'interrupted';
        break;
      default:
        if (isOfInstance(event)) this.#happened(event);
    }
  }

  #begin(event: Extract<RecordedEvent, { readonly type: 'run_started' }>): void {
    const before = this.instances;
    if (before.size === 0)
      this.budget = event.budget?.find(({ of, measure }) => of !== 'project' && measure === 'usd')?.limit ?? null;
    this.instances = new Map();
    this.failed.clear();
    this.outcome = null;
    this.#spentBefore = this.spent;
    this.#turn += 1;
    this.#plan(event.instances);
    for (const [key, one] of before)
      if (one.is === 'made' || one.is === 'made before') {
        const planned = this.instances.get(key) ?? one;
        const { isCountedElsewhere } = one;
        this.instances.set(key, { ...planned, is: 'made before', ...(isCountedElsewhere && { isCountedElsewhere }) });
      }
  }

  #plan(instances: Extract<RecordedEvent, { readonly type: 'run_started' }>['instances']): void {
    for (const { key, needs, model, price } of instances)
      this.instances.set(key, { needs, model, price, is: undefined });
  }

  #happened(event: RecordedInstanceEvent): void {
    const { key } = event;
    // It may be of a generation of an earlier version of the film.
    if (event.type === 'cancel_failed' && !this.instances.has(key)) return;
    const one = this.instances.get(key) ?? { ...{ needs: [], model: '', price: null }, is: undefined };
    this.instances.set(key, one);
    if (typeof one.is === 'string' && this.#stays(one, one.is, event)) return;
    if (event.type === 'chosen') {
      one.is = 'made';
      return;
    }
    const story = one.is instanceof InstanceStory ? one.is : new InstanceStory(one.price);
    const paid = story.paidUsd;
    story.apply(event);
    this.spent = addUsd(this.spent, addUsd(story.paidUsd, -paid));
    if (story.paidUsd !== paid && !this.#firstSpent.has(key)) this.#firstSpent.set(key, this.#turn);
    const ended = isOver(story.state) && endedAs(story.state);
    const isOfEarlierTurn = (this.#firstSpent.get(key) ?? this.#turn) < this.#turn;
    if (story.earlierUsd > 0 && !isOfEarlierTurn) one.isCountedElsewhere = true;
    one.is = ended === 'made' && story.earlierUsd > 0 && isOfEarlierTurn ? 'made before' : ended || story;
    if (story.state.is === 'failed') this.failed.set(key, story.state.failure);
    else this.failed.delete(key);
  }

  /** Whether what has ended so is still over after the event, which may tell its cost. */
  #stays(one: TurnedInstance, ended: Ended, event: RecordedInstanceEvent): boolean {
    if (event.type === 'billed') {
      const usd = ended === 'reused' || one.isCountedElsewhere ? 0 : addUsd(event.cost, -(event.estimate ?? 0));
      this.spent = addUsd(this.spent, usd);
      // The turn's own sum does not know what earlier ones have cost.
      if (ended === 'made before') {
        this.#spentBefore = addUsd(this.#spentBefore, usd);
        this.#billed = addUsd(this.#billed, event.cost);
      }
      return true;
    }
    const wasMade = ended === 'made' || ended === 'made before';
    return (wasMade && event.type === 'reused') || nextState(OVER, event) === OVER;
  }
}

const endedAs = (state: EndState): Ended =>
  state.is === 'succeeded' ? 'made' : state.is === 'skipped' && state.needless ? 'left_out' : state.is;

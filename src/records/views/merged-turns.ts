/**
 * A run with several leads, one after the other, shown as one run: what it did from its first turn to its last. What an earlier turn made is made,
 * also where a later one finds it owned; what an earlier turn could not do was tried again.
 */

import { addUsd } from '../../model/money.ts';
import type { Choice } from '../../model/run/choice.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { KeptInstance, KeptPlan } from '../../model/run/kept-plan.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import { amountOf } from '../../model/run/run-money.ts';
import { isLeftover } from './instance-state.ts';
import { runStory } from './run-story.ts';
import { spentIn } from './run-view.ts';

interface Turn {
  /** In the order in which they happened. */
  readonly events: readonly RecordedEvent[];
  readonly plan: KeptPlan | undefined;
}

/**
 * @param turns oldest first; at least one. @param choices of the film, oldest first: a person's choice between two leads is an answer to this run.
 */
export function asOneRun(turns: readonly Turn[], choices: readonly Choice[]): Turn {
  const [only] = turns;
  if (only && turns.length === 1) return only;
  const made = new Set<InstanceKey>();
  const events: RecordedEvent[] = [];
  for (const [n, turn] of turns.entries()) {
    if (n > 0) events.push(...answersBetween(turns, n, choices));
    const place = n === 0 ? 'first' : n === turns.length - 1 ? 'last' : 'between';
    for (const event of turn.events) {
      const shown = eventOfTurn(event, place, made);
      if (shown) events.push(shown);
      if (event.type === 'succeeded' && !event.leftover) made.add(event.key);
    }
  }
  const numbered = events.map((event, place) => ({ ...event, seq: place + 1 }));
  return { events: withAllMoney(numbered, turns), plan: asOnePlan(turns, made) };
}

/** What the turn before had open, and this one found decided. */
function answersBetween(turns: readonly Turn[], n: number, choices: readonly Choice[]): readonly RecordedEvent[] {
  const isHit = (turn: Turn | undefined) => {
    const decided = new Set((turn?.plan?.instances ?? []).filter(one => one.decision === 'hit').map(one => one.key));
    return (key: InstanceKey) => decided.has(key);
  };
  const [before, now] = [turns[n - 1], turns[n]];
  const [wasDecided, isDecided] = [isHit(before), isHit(now)];
  const chosenBefore = new Set(turns.slice(0, n).flatMap(({ events }) => events.flatMap(chosenKey)));
  const [from, until] = [before?.events.at(-1)?.at ?? 0, now?.events[0]?.at ?? 0];
  const newest = new Map(choices.map(choice => [choice.key, choice]));
  return [...newest.values()].flatMap((choice): readonly RecordedEvent[] => {
    const { key, at, by } = choice;
    if (by !== 'person' || wasDecided(key) || !isDecided(key) || chosenBefore.has(key)) return [];
    return [{ type: 'chosen', seq: 0, at: Math.min(until, Math.max(from, at)), key, choice }];
  });
}

const chosenKey = (event: RecordedEvent): readonly InstanceKey[] => (event.type === 'chosen' ? [event.key] : []);

/** Undefined: no event of the run as a whole. */
function eventOfTurn(
  event: RecordedEvent,
  turn: 'first' | 'between' | 'last',
  made: ReadonlySet<InstanceKey>,
): RecordedEvent | undefined {
  if (event.type === 'run_started') return turn === 'first' ? event : undefined;
  if (event.type === 'reused' && made.has(event.key)) return undefined;
  if (turn === 'last' || isLeftover(event)) return event;
  switch (event.type) {
    case 'run_finished':
    case 'run_detached':
    // An obstacle of then is reported anew where it is still there.
    case 'blocked':
    case 'skipped':
    case 'left_out':
      return undefined;
    case 'failed': {
      const { seq, at, key, failure } = event;
      return { type: 'retrying', seq, at, key, fingerprint: '', failure, attempt: 1, of: 1, until: at };
    }
    default:
      return event;
  }
}

/** A turn that was cut off has spent what its instances came to. */
function withAllMoney(events: readonly RecordedEvent[], turns: readonly Turn[]): readonly RecordedEvent[] {
  const end = events.findLastIndex(({ type }) => type === 'run_finished');
  const last = events[end];
  if (last?.type !== 'run_finished') return events;
  const before = [
    ...turns.slice(0, -1).map(spentInTurn),
    ...turns.flatMap((turn, n) => billedLater(turn, turns.slice(0, n))),
  ];
  const usd = before.reduce((sum, one) => addUsd(sum, one.usd), amountOf(last));
  const finished = {
    ...last,
    ...(last.list_price_usd === undefined ? { usd } : { list_price_usd: usd }),
    estimated: before.reduce((sum, { estimated }) => addUsd(sum, estimated), last.estimated ?? 0),
    unpriced: before.reduce((sum, { unpriced }) => sum + unpriced, last.unpriced ?? 0),
  };
  return events.with(end, finished);
}

interface Spent {
  readonly usd: number;
  readonly estimated: number;
  readonly unpriced: number;
}

/** Costs that a turn learnt of what an earlier turn made: they count for the run, and not for that turn. What another run made counts there. */
function billedLater({ events }: Turn, earlier: readonly Turn[]): readonly Spent[] {
  const paidEarlier = paidIn(earlier);
  const own = new Set(
    events.flatMap(event => (event.type === 'succeeded' || event.type === 'failed' ? [event.key] : [])),
  );
  for (const event of events) if (event.type === 'taken_up' && event.made) own.delete(event.key);
  return events.flatMap(event => {
    if (event.type !== 'billed' || own.has(event.key) || !paidEarlier.has(event.key)) return [];
    const { cost, estimate } = event;
    return [{ usd: addUsd(cost, -(estimate ?? 0)), estimated: -(estimate ?? 0), unpriced: estimate === null ? -1 : 0 }];
  });
}

/** The instances with a generation that these turns had made, and no run before them. */
function paidIn(turns: readonly Turn[]): ReadonlySet<InstanceKey> {
  const paid = new Set<InstanceKey>();
  const counted = new Set<GenerationId | null>();
  for (const { events } of turns)
    for (const event of events) {
      if (event.type === 'taken_up' && event.made) counted.add(event.generation_id);
      if (event.type === 'generated' && !counted.has(event.generation_id)) paid.add(event.key);
    }
  return paid;
}

function spentInTurn({ events, plan }: Turn): Spent {
  const finished = events.findLast(event => event.type === 'run_finished');
  if (finished?.type === 'run_finished') {
    const { estimated = 0, unpriced = 0 } = finished;
    return { usd: amountOf(finished), estimated, unpriced };
  }
  const spent = spentIn(runStory({ events, plan, isRunning: false }).run);
  return { ...spent, estimated: spent.usd };
}

/** As it was planned last; what an earlier turn made, for the reason that it was made for. */
function asOnePlan(turns: readonly Turn[], made: ReadonlySet<InstanceKey>): KeptPlan | undefined {
  const plans = turns.flatMap(({ plan }) => plan ?? []);
  const last = plans.at(-1);
  if (!last) return undefined;
  const first = new Map<InstanceKey, KeptInstance>();
  for (const one of plans.flatMap(({ instances }) => instances)) if (!first.has(one.key)) first.set(one.key, one);
  return {
    ...last,
    instances: last.instances.map(one => {
      const planned = made.has(one.key) ? first.get(one.key) : undefined;
      return planned ? { ...one, decision: planned.decision, why: planned.why, price: planned.price } : one;
    }),
    shots: new Map(plans.flatMap(({ shots }) => [...shots])),
    isWhole: plans.length === turns.length && plans.every(({ isWhole }) => isWhole),
  };
}

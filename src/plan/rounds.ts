/**
 * `until`: the rounds of an instance, `cleaned[beat=3,round=2]`, each behind the one before. All that there may be stand in the plan;
 * those behind one that holds are not needed.
 */
import { groupOf, type InstanceKey, instanceKey } from '../domain/key.ts';
import type { RoundOf } from '../domain/plan.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';

/** `once`: the instance as it would be without `until`. */
export function roundsIn(once: Slot, most: number): readonly Slot[] {
  return Array.from({ length: most }, (_, at) => ({
    ...once,
    key: roundKey(once, at + 1),
    coordinates: { ...once.coordinates, round: at + 1 },
    round: at + 1,
    ...(at > 0 && { previous: roundKey(once, at) }),
  }));
}

export const roundKey = ({ coordinates, key }: Pick<Slot, 'coordinates' | 'key'>, round: number): InstanceKey =>
  instanceKey(groupOf(key), { ...coordinates, round });

/** One round after the other, as far as there are any: none while their step is open. */
export function roundsOfSlot({ instances }: Pick<PlanGraph, 'instances'>, slot: Slot): readonly Slot[] {
  const rounds: Slot[] = [];
  for (let round = 1; ; round++) {
    const next = instances.get(roundKey(slot, round));
    if (!next) return rounds;
    rounds.push(next);
  }
}

/** All rounds of the instance that this is one of. */
export function roundsBeside(graph: Pick<PlanGraph, 'instances'>, { coordinates, ...round }: Slot): readonly Slot[] {
  const { round: _, ...own } = coordinates;
  return roundsOfSlot(graph, { ...round, coordinates: own });
}

/** The rounds that an instance stands in, the outermost first. */
export function roundsAround(slot: Slot): readonly RoundOf[] {
  const around = slot.outer ? roundsAround(slot.outer) : [];
  const { round, ...own } = slot.coordinates;
  if (slot.round === undefined || round === undefined) return around;
  return [...around, { round: slot.key, taken: instanceKey(groupOf(slot.key), own) }];
}

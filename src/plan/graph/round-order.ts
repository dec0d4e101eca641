/**
 * The order in which instances are decided and timed. It is that of their steps, except where a file is used in rounds: all that is inside its
 * second round comes after the whole first one.
 */

import type { Pipeline, Step } from '../../model/pipeline.ts';
import type { RoundOf } from '../../model/plan.ts';
import { groupOf, type InstanceKey, instanceKey, type StepName } from '../../model/run/key.ts';
import { type PlanGraph, type Slot, stepNamed } from './plan-graph.ts';

/** An instance, or a step with unknown instances. */
interface Rounded extends Pick<Slot, 'round' | 'outer'> {
  readonly step: Step;
}

/** @param steps in topological order. */
export const inOrderOfRounds = <One extends Rounded>(
  pipeline: Pipeline,
  steps: readonly Step[],
  of: (step: Step) => readonly One[],
): readonly One[] => ordered(pipeline, steps, of, 0);

/** The step alone, or all steps that are made in its rounds: those are decided together. */
export function madeTogether(pipeline: Pipeline, steps: readonly Step[], step: Step): readonly Step[] {
  const owner = ownerOf(pipeline, step, 0);
  return owner === undefined ? [step] : steps.filter(one => ownerOf(pipeline, one, 0) === owner);
}

/** @param depth how many rounds are around all of them. */
function ordered<One extends Rounded>(
  pipeline: Pipeline,
  steps: readonly Step[],
  of: (step: Step) => readonly One[],
  depth: number,
): readonly One[] {
  const done = new Set<Step>();
  const all: One[] = [];
  for (const step of steps) {
    if (done.has(step)) continue;
    const owner = ownerOf(pipeline, step, depth);
    if (owner === undefined) {
      all.push(...of(step));
      continue;
    }
    const together = steps.filter(one => ownerOf(pipeline, one, depth) === owner);
    for (const one of together) done.add(one);
    for (let round = 1; ; round++) {
      const inRound = new Map(together.map(one => [one, of(one).filter(slot => roundAt(slot, depth) === round)]));
      if (![...inRound.values()].some(slots => slots.length > 0)) break;
      all.push(...ordered(pipeline, together, one => inRound.get(one) ?? [], depth + 1));
    }
    // Steps with unknown instances, each as a whole.
    all.push(...together.flatMap(of).filter(one => roundAt(one, depth) === undefined));
  }
  return all;
}

/** The step with the rounds in which it is made, where that is the one so many levels around it. */
function ownerOf(pipeline: Pipeline, step: Step, depth: number): StepName | undefined {
  const owners: StepName[] = [];
  for (let at: Step | undefined = step; at; at = at.inside && stepNamed(pipeline, at.inside.by))
    if (at.until) owners.unshift(at.name);
  return owners[depth];
}

function roundAt(slot: Rounded, depth: number): number | undefined {
  const rounds: number[] = [];
  for (let at: Rounded | undefined = slot; at; at = at.outer) if (at.round !== undefined) rounds.unshift(at.round);
  return rounds[depth];
}

// `until`: the rounds of an instance, `cleaned[beat=3,round=2]`, each behind the one before. All that there may be stand in the plan; those
// behind one that holds are not needed.

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

const roundKey = ({ coordinates, key }: Pick<Slot, 'coordinates' | 'key'>, round: number): InstanceKey =>
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
export function otherRounds(graph: Pick<PlanGraph, 'instances'>, { coordinates, ...round }: Slot): readonly Slot[] {
  const { round: _, ...own } = coordinates;
  return roundsOfSlot(graph, { ...round, coordinates: own });
}

/** The rounds of an instance, the outermost first. */
export function roundsAround(slot: Slot): readonly RoundOf[] {
  const around = slot.outer ? roundsAround(slot.outer) : [];
  const { round, ...own } = slot.coordinates;
  if (slot.round === undefined || round === undefined) return around;
  return [...around, { round: slot.key, taken: instanceKey(groupOf(slot.key), own) }];
}

/**
 * `previous`: the instance before. Instances stand one behind the other along the last axis of their step (the take, where it
 * has no axis of its own; the last coordinate it inherits, where it has neither), for each combination of the others.
 */
import { canonical } from '../domain/json.ts';
import type { Step } from '../domain/pipeline.ts';
import type { Slot } from './plan-graph.ts';

export function linkPrevious({ fanOut }: Step, slots: readonly Slot[]): readonly Slot[] {
  const last = new Map<string, Slot>();
  return slots.map(slot => {
    const names = Object.keys(slot.coordinates);
    const along = fanOut.matrix.at(-1)?.name ?? fanOut.include[0]?.entries.at(-1)?.name ?? names.at(-1);
    const others = names.filter(name => name !== along);
    const line = canonical(others.map(name => slot.coordinates[name] ?? null));
    const before = last.get(line);
    last.set(line, slot);
    return before ? { ...slot, previous: before.key } : slot;
  });
}

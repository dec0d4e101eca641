/**
 * `each: { still: …, voice: … }`: instances of several steps meet on the coordinates that they share. Each must meet somebody of every
 * other step; where nothing is shared, everybody meets everybody.
 */
import { canonical, type JsonObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import { instanceKey } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import type { Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';

/** What one instance is made from. */
export interface Origin {
  /** In the order of `each`. */
  readonly keys: readonly InstanceKey[];
  readonly coordinates: JsonObject;
  readonly matrix: JsonObject;
}

/** One undefined without `each`: the step is made once. */
export function joinedSources(
  step: Step,
  sources: readonly (readonly Slot[])[],
  diagnostics: PlanDiagnostics,
): readonly (Origin | undefined)[] {
  const [first, ...others] = sources;
  if (!first) return [undefined];
  let origins: readonly Origin[] = first.map(({ key, coordinates, matrix }) => ({ keys: [key], coordinates, matrix }));
  for (const [index, other] of others.entries())
    origins = meet(step, origins, { slots: other, place: index + 1 }, diagnostics);
  return origins;
}

interface Other {
  readonly slots: readonly Slot[];
  /** Its place in `each`. */
  readonly place: number;
}

function meet(
  step: Step,
  origins: readonly Origin[],
  { slots, place }: Other,
  diagnostics: PlanDiagnostics,
): readonly Origin[] {
  const shared = sharedNames(origins, slots);
  const byPlace = Map.groupBy(slots, slot => placeOf(slot.coordinates, shared));
  const alone: string[] = [];
  const met = new Set<string>();
  const joined = origins.flatMap(origin => {
    const at = placeOf(origin.coordinates, shared);
    const partners = byPlace.get(at);
    met.add(at);
    if (!partners) alone.push(missing(step, place, origin.coordinates, shared));
    return (partners ?? []).map(slot => ({
      keys: [...origin.keys, slot.key],
      coordinates: { ...origin.coordinates, ...slot.coordinates },
      matrix: { ...origin.matrix, ...slot.matrix },
    }));
  });
  for (const [at, [slot]] of byPlace) if (slot && !met.has(at)) alone.push(missing(step, 0, slot.coordinates, shared));
  if (alone.length > 0)
    diagnostics.error('join-incomplete', messages.joinIncomplete(step.name, [...new Set(alone)], shared), step.at);
  return joined;
}

/** In the order of the first. A step has the same coordinates in all of its instances. */
function sharedNames(origins: readonly Origin[], slots: readonly Slot[]): readonly string[] {
  const [origin] = origins;
  const [slot] = slots;
  if (!origin || !slot) return [];
  return Object.keys(origin.coordinates).filter(name => Object.hasOwn(slot.coordinates, name));
}

const placeOf = (coordinates: JsonObject, names: readonly string[]): string =>
  canonical(names.map(name => coordinates[name] ?? null));

/** The instance that should be there: `voice[beat=3]`. */
function missing(step: Step, place: number, coordinates: JsonObject, shared: readonly string[]): InstanceKey {
  const source = step.fanOut.each[place]?.step ?? step.name;
  return instanceKey(source, Object.fromEntries(shared.map(name => [name, coordinates[name] ?? null])));
}

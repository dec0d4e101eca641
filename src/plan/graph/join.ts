/**
 * `each: { still: …, voice: … }`: instances of several steps meet on the coordinates that they share. Each must meet one of every other step; where
 * nothing is shared, all meet all.
 */

import { INSTANCE_LIMITS, MOST_ROUNDS } from '../../language/steps/instance-counts.ts';
import { fieldOf, type Model } from '../../model/model.ts';
import type { MapValue, Step, Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import { type Coordinates, type InstanceKey, instanceKey } from '../../model/run/key.ts';
import { canonical, type Json, type JsonObject } from '../../model/text/json.ts';
import type { PlanDiagnostics } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import { givenBy, readsOf } from '../values/value-reads.ts';
import type { Slot } from './plan-graph.ts';

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
  const seen = new Set<string>();
  const joined = origins.flatMap(origin => {
    const at = placeOf(origin.coordinates, shared);
    const partners = byPlace.get(at);
    seen.add(at);
    if (!partners) alone.push(missing(step, place, origin.coordinates, shared));
    return (partners ?? []).map(slot => ({
      keys: [...origin.keys, slot.key],
      coordinates: { ...origin.coordinates, ...slot.coordinates },
      matrix: { ...origin.matrix, ...slot.matrix },
    }));
  });
  for (const [at, [slot]] of byPlace) if (slot && !seen.has(at)) alone.push(missing(step, 0, slot.coordinates, shared));
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

// Takes and rounds: the same once more. The first is what it would be without `takes`, so that a further take pays for itself alone.

const NOTHING: JsonObject = {};

/** What `take` reads: of this step, or of the one that it is made from by `each`. */
export function takeOf({ take }: Coordinates): JsonObject {
  return typeof take === 'number' ? { number: take, seed: take } : NOTHING;
}

/** The request of a further take, or round: where the model has a seed, its own one, counted on from the author's. */
export function seeded(request: JsonObject, model: Model | undefined, { entries }: MapValue, slot: Slot): JsonObject {
  const further = furtherThanFirst(slot, entries.find(({ name }) => name === 'seed')?.value);
  if (further === undefined || further === 0 || !model || !fieldOf(model, 'seed')) return request;
  const given: Json | undefined = request.seed;
  if (given === undefined) return { ...request, seed: 1 + further };
  return typeof given === 'number' && !isPending(given) ? { ...request, seed: given + further } : request;
}

/** How far its seed is from the author's. What their own expression of a seed distinguishes differs already. */
function furtherThanFirst(slot: Slot, own: Value | undefined): number {
  const take = takeOfAll(slot);
  const round = roundOfAll(slot);
  const takes = own && readsTake(own, slot) ? 0 : (take ?? 1) - 1;
  const rounds = own && readsOf(own).previous ? 0 : round - 1;
  // Takes come first: those of a step with both are what they would be without rounds.
  return takes + rounds * (take === undefined ? 1 : INSTANCE_LIMITS.step);
}

/** The same of rounds: a round inside a round is another one each time. */
function roundOfAll({ round, outer }: Slot): number {
  const around = outer ? roundOfAll(outer) : 1;
  return round === undefined ? around : (around - 1) * MOST_ROUNDS + round;
}

const readsTake = (value: Value, { outer }: Slot): boolean =>
  value.is === 'expression' &&
  value.reads.some(({ root, path: [name = ''] }) => {
    if (root === 'take' || (root === 'matrix' && name === 'take')) return true;
    const given = root === 'params' && outer ? givenBy(outer.step).get(name) : undefined;
    return given !== undefined && outer !== undefined && readsTake(given, outer);
  });

/**
 * One number for the take of its own step and those of the steps that use its file, each in its own right: the second take of a film
 * in a film is another than its first. No step has more takes than the factor.
 */
function takeOfAll({ take, outer }: Slot): number | undefined {
  const around = outer && takeOfAll(outer);
  if (around === undefined || around === 1) return take;
  return (around - 1) * INSTANCE_LIMITS.step + (take ?? 1);
}

/** What distinguishes a take where nothing in its request does. */
export function takeInFingerprint(slot: Slot): { readonly take?: number } {
  const take = takeOfAll(slot);
  return take === undefined || take === 1 ? {} : { take };
}

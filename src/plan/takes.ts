/** Takes and rounds: the same once more. The first is what it would be without `takes`, so that a further take pays for itself alone. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { Coordinates } from '../domain/key.ts';
import { fieldOf, type Model } from '../domain/model.ts';
import type { MapValue, Value } from '../domain/pipeline.ts';
import { isPending } from '../domain/plan.ts';
import { INSTANCE_LIMITS, MOST_ROUNDS } from '../language/instance-counts.ts';
import type { Slot } from './plan-graph.ts';
import { givenBy, readsOf } from './value-reads.ts';

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

/** How far its seed is from the author's. What their own expression of a seed tells apart differs already. */
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

/** What tells a take apart where nothing in its request does. */
export function takeInFingerprint(slot: Slot): { readonly take?: number } {
  const take = takeOfAll(slot);
  return take === undefined || take === 1 ? {} : { take };
}

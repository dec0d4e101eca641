/** Takes: the same once more. The first is what it would be without `takes`, so that a further take pays for itself alone. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { Coordinates } from '../domain/key.ts';
import { fieldOf, type Model } from '../domain/model.ts';
import type { MapValue, Value } from '../domain/pipeline.ts';
import { isPending } from '../domain/plan.ts';

const NOTHING: JsonObject = {};

/** What `take` reads: of this step, or of the one that it is made from by `each`. */
export function takeOf({ take }: Coordinates): JsonObject {
  return typeof take === 'number' ? { number: take, seed: take } : NOTHING;
}

/** The request of a further take: where the model has a seed, its own one, counted on from the author's. */
export function seeded(
  request: JsonObject,
  model: Model | undefined,
  { entries }: MapValue,
  take: number | undefined,
): JsonObject {
  if (take === undefined || take === 1 || !model || !fieldOf(model, 'seed')) return request;
  const own = entries.find(({ name }) => name === 'seed');
  // The author has said by `take` how the seeds differ.
  if (own && readsTake(own.value)) return request;
  const given: Json | undefined = request.seed;
  if (given === undefined) return { ...request, seed: take };
  return typeof given === 'number' && !isPending(given) ? { ...request, seed: given + take - 1 } : request;
}

const readsTake = (value: Value): boolean =>
  value.is === 'expression' &&
  value.reads.some(({ root, path }) => root === 'take' || (root === 'matrix' && path[0] === 'take'));

/** What tells a take apart where nothing in its request does. */
export const takeInFingerprint = (take: number | undefined): { readonly take?: number } =>
  take === undefined || take === 1 ? {} : { take };

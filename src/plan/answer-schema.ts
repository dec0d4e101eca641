/** The JSON Schema that an answer must fit, with its expressions evaluated; one and the same object for equal schemas, so that it is compiled once. */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { MapValue } from '../domain/pipeline.ts';
import type { PartialEvaluator } from './partial-evaluation.ts';
import { computedIn } from './value-reads.ts';

export function answerSchema(schema: MapValue, values: PartialEvaluator): JsonObject {
  const known = constants.get(schema);
  if (known) return known;
  const json = values.evaluateMap(schema);
  if (computedIn(schema).length > 0) return sameFor(json);
  constants.set(schema, json);
  return json;
}

const constants = new WeakMap<MapValue, JsonObject>();

/** Thousands of instances ask by few schemas. */
const MOST_KEPT = 1_000;
const evaluated = new Map<string, JsonObject>();

function sameFor(json: JsonObject): JsonObject {
  const text = canonical(json as Json);
  const known = evaluated.get(text);
  if (known) return known;
  if (evaluated.size >= MOST_KEPT) evaluated.clear();
  evaluated.set(text, json);
  return json;
}

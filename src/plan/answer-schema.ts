/** The JSON Schema that an answer must fit, with its expressions evaluated; one and the same object for equal schemas, so that it is compiled once. */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { MapValue, Value } from '../domain/pipeline.ts';
import type { PartialEvaluator } from './partial-evaluation.ts';

export function answerSchema(schema: MapValue, values: PartialEvaluator): JsonObject {
  const known = constants.get(schema);
  if (known) return known;
  const json = values.evaluateMap(schema);
  if (isConstant(schema)) constants.set(schema, json);
  return isConstant(schema) ? json : sameFor(json);
}

const constants = new WeakMap<MapValue, JsonObject>();

function isConstant(value: Value): boolean {
  switch (value.is) {
    case 'literal':
      return true;
    case 'expression':
    case 'text':
      return false;
    case 'list':
      return value.items.every(isConstant);
    case 'map':
      return value.entries.every(({ value: inner }) => isConstant(inner));
  }
}

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

/**
 * What an expression computes with. A whole number is a bigint and one with fractions a number, as CEL has `int` and `double`.
 * JSON that is read is not converted: its lists and mappings are wrapped, and give their own parts when those are asked for. So one
 * field of one of ten thousand results costs what one field costs.
 */
import type { Json, JsonObject } from '../../model/text/json.ts';
import type { Budget } from './evaluation-limit.ts';

export type Cel = null | boolean | bigint | number | string | readonly Cel[] | CelMap | FromJson;
export type CelKey = string | bigint | boolean;
export type CelMap = ReadonlyMap<CelKey, Cel>;
export type CelList = readonly Cel[] | FromJson;

/** How the numbers in a piece of JSON are meant. */
export type Origin =
  /** What is whole is a whole number. */
  | 'plain'
  /** A param that is declared with fractions: 5 counts as 5.0. */
  | 'real'
  /** The result of a step: its lengths and prices have fractions, whether or not they happen to be whole. */
  | 'result';

/** A list or a mapping of the scope. */
export class FromJson {
  readonly json: readonly Json[] | JsonObject;
  readonly origin: Origin;

  constructor(json: readonly Json[] | JsonObject, origin: Origin) {
    this.json = json;
    this.origin = origin;
  }
}

/** `name`: the field it was read from. */
export function fromJson(value: Json, origin: Origin, name: string | undefined): Cel {
  switch (typeof value) {
    case 'number':
      return origin === 'real' || !Number.isSafeInteger(value) || (origin === 'result' && isRealFact(name))
        ? value
        : BigInt(value);
    case 'object':
      // What a model or a command wrote is its own affair.
      return value === null ? null : new FromJson(value, origin === 'result' && name === 'json' ? 'plain' : origin);
    default:
      return value;
  }
}

/** Facts that are numbers with fractions even when they happen to be whole (model/media/media.ts, model/run/result.ts). */
const isRealFact = (name: string | undefined): boolean => name === 'duration' || name === 'fps' || name === 'cost';

export const isList = (value: Cel): value is CelList =>
  Array.isArray(value) || (value instanceof FromJson && Array.isArray(value.json));

export const isMap = (value: Cel): value is CelMap | FromJson =>
  value instanceof Map || (value instanceof FromJson && !Array.isArray(value.json));

export const isNumber = (value: Cel): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

export type TypeName = 'null' | 'bool' | 'int' | 'double' | 'text' | 'list' | 'map';

export function typeNameOf(value: Cel): TypeName {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : isList(value) ? 'list' : 'map';
  }
}

export const lengthOf = (list: CelList): number =>
  list instanceof FromJson ? (list.json as readonly Json[]).length : list.length;

/** The caller has checked the length. */
export function itemAt(list: CelList, index: number): Cel {
  if (!(list instanceof FromJson)) return list[index]!;
  return fromJson((list.json as readonly Json[])[index]!, list.origin, undefined);
}

export function itemsOf(list: CelList, budget: Budget): readonly Cel[] {
  if (!(list instanceof FromJson)) return list;
  const json = list.json as readonly Json[];
  budget.items(json.length);
  return json.map(item => fromJson(item, list.origin, undefined));
}

/** The value of a key: own ones alone, so that no expression reaches a prototype. */
export function valueAt(map: CelMap | FromJson, key: CelKey): Cel | undefined {
  if (!(map instanceof FromJson)) return map.get(key);
  if (typeof key !== 'string' || !Object.hasOwn(map.json, key)) return undefined;
  return fromJson((map.json as JsonObject)[key]!, map.origin, key);
}

export function keysOf(map: CelMap | FromJson): readonly CelKey[] {
  return map instanceof FromJson ? Object.keys(map.json) : [...map.keys()];
}

export const sizeOfMap = (map: CelMap | FromJson): number => keysOf(map).length;

/** The key that a value is; undefined for what no mapping has as a key. A whole `2.0` finds 2 (langdef.md, "Equality"). */
export function keyOf(value: Cel): CelKey | undefined {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

export type ToJson =
  | { readonly is: 'json'; readonly json: Json }
  /** A whole number that JSON's readers would round. */
  | { readonly is: 'inexact' }
  /** Infinite, or no number. */
  | { readonly is: 'no-json' };

export function toJson(value: Cel, budget: Budget): ToJson {
  const json = jsonOf(value, budget, 0);
  return typeof json === 'symbol' ? { is: json === INEXACT ? 'inexact' : 'no-json' } : { is: 'json', json };
}

const INEXACT = Symbol('inexact');
const NO_JSON = Symbol('no JSON');
type JsonOrNot = Json | typeof INEXACT | typeof NO_JSON;

function jsonOf(value: Cel, budget: Budget, depth: number): JsonOrNot {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') {
    const json = Number(value);
    return Number.isSafeInteger(json) ? json : INEXACT;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : NO_JSON;
  if (value instanceof FromJson) return value.json;
  budget.step();
  budget.depth(depth);
  return value instanceof Map ? mapOf(value, budget, depth) : listOf(value as readonly Cel[], budget, depth);
}

function mapOf(map: CelMap, budget: Budget, depth: number): JsonOrNot {
  const entries: [string, Json][] = [];
  budget.mapping(map.size);
  for (const [key, item] of map) {
    const json = jsonOf(item, budget, depth + 1);
    if (typeof json === 'symbol') return json;
    entries.push([String(key), json]);
  }
  return Object.fromEntries(entries);
}

function listOf(list: readonly Cel[], budget: Budget, depth: number): JsonOrNot {
  const items: Json[] = [];
  budget.step();
  budget.items(list.length);
  for (const item of list) {
    const json = jsonOf(item, budget, depth + 1);
    if (typeof json === 'symbol') return json;
    items.push(json);
  }
  return items;
}

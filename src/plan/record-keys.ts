/** Which instance gave a record that an expression reads: expressions hand objects on as they are, through filters and into lists. */
import type { JsonObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { usedResults } from './gather.ts';
import { recordOf } from './result-kinds.ts';

const keys = new WeakMap<JsonObject, InstanceKey>();

/** The record, or a copy of it where another instance has given the very same. */
export function recordFrom(record: JsonObject, key: InstanceKey): JsonObject {
  const before = keys.get(record);
  if (before === key) return record;
  const own = before === undefined ? record : { ...record };
  keys.set(own, key);
  return own;
}

/** The results inside a used file that its outputs are: each may be chosen by itself. */
export function noteUsed(result: Result): void {
  const given = result.is === 'round' ? result.result : result;
  if (given.is !== 'outputs') return;
  for (const used of Object.values(given.outputs).flatMap(usedResults))
    if (used.file === undefined && !keys.has(recordOf(used.result))) keys.set(recordOf(used.result), used.key);
}

export const keyOfRecord = (record: JsonObject): InstanceKey | undefined => keys.get(record);

/** What an instance was asked for, as it is kept field by field, put together again: `run[0]`, `env.LOOK` → `run: [ … ]`, `env: { … }`. */
import type { Asked } from '../../domain/asked.ts';
import type { Json, JsonObject } from '../../domain/json.ts';

export function askedRequest(asked: Asked): JsonObject {
  const request = new Map<string, Json>();
  for (const [path, value] of Object.entries(asked)) {
    const [, name = path, index, inner] = /^([^[.]+)(?:\[(\d+)\]|\.(.+))?$/s.exec(path) ?? [];
    const before = request.get(name);
    // Kept sorted as texts, where 10 stands before 2.
    if (index !== undefined) request.set(name, withItem(before, Number(index), value));
    else if (inner !== undefined) request.set(name, { ...(before as JsonObject | undefined), [inner]: value });
    else request.set(name, value);
  }
  return Object.fromEntries(request);
}

function withItem(before: Json | undefined, index: number, value: Json): readonly Json[] {
  const items: Json[] = Array.isArray(before) ? [...(before as readonly Json[])] : [];
  // A damaged row may name any place.
  if (index > MOST) return items;
  while (items.length <= index) items.push(null);
  items[index] = value;
  return items;
}

const MOST = 10_000;

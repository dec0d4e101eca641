/** The shape of JSON that was asked for in words: a schema or an example in the text, names of keys, or what such an answer usually has. */
import { isObject, type Json, type JsonObject, jsonIn } from '../../domain/json.ts';
import type { Material } from './material.ts';
import { snakeCase } from './property-values.ts';
import type { Unit } from './split-instruction.ts';

const text = { type: 'string' } as const;

/** Undefined where a text tells no shape. */
export function schemaIn(said: string): JsonObject | undefined {
  for (const found of objectsIn(said)) {
    if (isSchema(found)) return found;
    if (Object.keys(found).length > 0) return exampleOf(found) as JsonObject;
  }
  const keys = /\b(?:keys?|fields?|propert(?:y|ies))\b\s*(?:named|called|are|is|of)?[:\s]+([^.;\n{]{2,300})/i.exec(
    said,
  )?.[1];
  const names = keys
    ?.replace(/\([^)]*\)/g, '')
    .split(/ (?:about|for|of|from) /)[0]
    ?.split(/,|\band\b|\bplus\b|&/)
    .map(name =>
      name
        .replace(/\(.*?\)/g, '')
        .replace(/[`"'“”]/g, '')
        .trim(),
    )
    .filter(name => /^[A-Za-z_][\w-]{0,40}$/.test(name));
  return names && names.length > 0 ? object(Object.fromEntries(names.map(name => [name, byName(name)]))) : undefined;
}

/** Every whole JSON object in a text, from its first brace to the one that closes it. */
function* objectsIn(said: string): Iterable<JsonObject> {
  for (let from = said.indexOf('{'), n = 0; from >= 0 && n < 50; from = said.indexOf('{', from + 1), n++) {
    const found = parsed(said, from);
    if (found) yield found;
  }
}

function parsed(said: string, from: number): JsonObject | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(said.length, from + 20_000); at++) {
    if (said[at] === '{') depth++;
    if (said[at] !== '}' || --depth > 0) continue;
    // `…` and `...` in an example stand for more of the same.
    const value = jsonIn(said.slice(from, at + 1).replace(/,?\s*(?:\.\.\.|…)(?=\s*[\]}])/g, ''));
    return isObject(value) ? value : undefined;
  }
  return undefined;
}

const isSchema = (value: JsonObject): boolean =>
  isObject(value.properties) ||
  typeof value.$ref === 'string' ||
  ['anyOf', 'oneOf', 'allOf'].some(key => Array.isArray(value[key])) ||
  (typeof value.type === 'string' && TYPES.has(value.type));
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

/** An example's shape: its names and kinds, however many of each. */
function exampleOf(value: Json): JsonObject {
  if (Array.isArray(value))
    return value.length === 0
      ? { type: 'array', items: text }
      : { type: 'array', items: exampleOf((value as readonly Json[])[0] ?? null) };
  if (isObject(value))
    return object(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exampleOf(part)])));
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  // `"number"` as the value of an example tells its kind.
  if (typeof value === 'string' && TYPES.has(value) && value !== 'object' && value !== 'array') return { type: value };
  return typeof value === 'boolean' ? { type: 'boolean' } : text;
}

/** What an answer to the brief usually has. */
export function usualSchema(material: Material): JsonObject {
  const { task } = material.brief;
  switch (task.is) {
    case 'score':
      return object({ score: { type: task.to - task.from >= 4 ? 'integer' : 'number' }, reason: text });
    case 'rewrite':
      return object({ prompt: text });
    case 'write': {
      const units = task.units.map(({ unit, count }): readonly [string, Json] => {
        if (count === 1) return [unit, oneOf(unit)];
        return [`${unit}s`, { type: 'array', items: oneOf(unit), minItems: count, maxItems: count }];
      });
      const isFilm = task.units.some(({ unit, count }) => count > 1 && FILM.has(unit));
      return object({ ...(isFilm ? { title: text } : {}), ...Object.fromEntries(units) });
    }
    default:
      return object({ answer: text });
  }
}

const FILM = new Set<Unit>(['beat', 'shot', 'scene']);
const oneOf = (unit: Unit): JsonObject =>
  unit === 'shot' ? object({ shot_size: text, camera: text, prompt: text, seconds: { type: 'integer' } }) : text;

function byName(name: string): JsonObject {
  const plain = snakeCase(name);
  if (/score|rating|seconds|duration|count|index|number|seed|fps/.test(plain)) return { type: 'number' };
  return /[^s]s$/.test(plain) ? { type: 'array', items: text } : text;
}

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

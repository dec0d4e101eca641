/** What is special about a step that asks a chat model: its words become `messages`, and `schema:` types its answer. */
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { ListValue, MapValue, Value } from '../domain/pipeline.ts';
import type { Findings } from './findings.ts';
import { plainJson } from './plain.ts';
import type { Node } from './syntax.ts';
import { ANY, BOOL, DOUBLE, INT, list, TEXT, type Type } from './types.ts';
import { words } from './words.ts';

/** `prompt` and `system` as the `messages` they stand for. A request that gives its own messages stays as it is. */
export function withMessages(given: MapValue, findings: Findings): MapValue {
  const own = given.entries.find(entry => entry.name === 'messages');
  const said = given.entries.filter(entry => entry.name === 'prompt' || entry.name === 'system');
  if (said.length === 0) return given;
  const rest = given.entries.filter(entry => !said.includes(entry));
  if (own) {
    for (const { name, nameAt } of said) findings.add(words.promptBesideMessages(name), nameAt);
    return { ...given, entries: rest };
  }
  const [first] = said;
  const items: Value[] = [];
  for (const [name, role] of [
    ['system', 'system'],
    ['prompt', 'user'],
  ] as const) {
    const entry = said.find(candidate => candidate.name === name);
    if (entry) items.push(message(role, entry));
  }
  if (!said.some(({ name }) => name === 'prompt')) findings.add(words.systemAlone(), first!.nameAt);
  const messages: ListValue = { is: 'list', items, at: first!.value.at };
  return { ...given, entries: [{ name: 'messages', nameAt: first!.nameAt, value: messages }, ...rest] };
}

function message(role: string, { nameAt, value }: MapValue['entries'][number]): Value {
  return {
    is: 'map',
    entries: [
      { name: 'role', nameAt, value: { is: 'literal', value: role, at: nameAt } },
      { name: 'content', nameAt, value },
    ],
    at: value.at,
  };
}

/** A schema is the author's own text: nothing in it is computed. Whether it is a good schema is asked when the plan is made. */
export function readSchema(node: Node | undefined, findings: Findings): JsonObject | undefined {
  if (node?.is !== 'map') return undefined;
  const computed = firstExpression(node);
  if (computed) findings.add(words.computedSchema(), computed.at);
  return plainJson(node) as JsonObject;
}

function firstExpression(node: Node): Node | undefined {
  if (node.is === 'scalar') return typeof node.value === 'string' && node.value.includes('${{') ? node : undefined;
  const inside = node.is === 'list' ? node.items : node.entries.map(entry => entry.value);
  for (const child of inside) {
    const found = firstExpression(child);
    if (found) return found;
  }
  return undefined;
}

/** What an answer that fits the schema holds. Where the schema says nothing, anything may be there. */
export function typeOfSchema(schema: Json | undefined): Type {
  if (!isObject(schema)) return ANY;
  switch (schema.type) {
    case 'string':
      return TEXT;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    case 'array':
      return list(typeOfSchema(schema.items));
    case 'object':
      return typeOfObject(schema);
    default:
      return ANY;
  }
}

/** Reading what the schema does not name is a slip, unless the schema says in so many words that there may be more. */
function typeOfObject({ properties, additionalProperties, patternProperties }: JsonObject): Type {
  const open = additionalProperties !== undefined && additionalProperties !== false;
  if (!isObject(properties) || open || patternProperties !== undefined) return ANY;
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name, typeOfSchema(field)] as const));
  return { is: 'record', called: 'an answer', cel: 'Json', fields, leadsTo: 'none' };
}

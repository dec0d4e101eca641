/** `schema:` of a chat step: what its answer must fit, and the type that gives the answer. */
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import { type Node, plainJson } from './syntax-tree.ts';
import { ANY, BOOL, DOUBLE, INT, list, TEXT, type Type } from './types.ts';

/** A schema holds no expressions. Whether it is a valid JSON Schema is checked when the plan is made. */
export function readSchema(node: Node | undefined, findings: Findings): JsonObject | undefined {
  if (node?.is !== 'map') return undefined;
  const computed = firstExpression(node);
  if (computed) findings.add(messages.computedSchema(), computed.at);
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

/** Reading a property that the schema does not name is an error, unless the schema itself allows further properties. */
function typeOfObject({ properties, additionalProperties, patternProperties }: JsonObject): Type {
  const open = additionalProperties !== undefined && additionalProperties !== false;
  if (!isObject(properties) || open || patternProperties !== undefined) return ANY;
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name, typeOfSchema(field)] as const));
  return { is: 'record', called: 'an answer', cel: 'Json', fields, leadsTo: 'none' };
}

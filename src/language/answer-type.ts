/** The type that gives the answer to a chat, from the JSON Schema it must fit. Where the schema says nothing, anything may be there. */
import type { Source } from '../domain/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import { readCode } from './cel.ts';
import { target } from './schema-check.ts';
import { ANY, BOOL, type ComputedMax, DOUBLE, INT, list, TEXT, type Type } from './types.ts';

/** @param file the pipeline file: expressions of the schema read its params. */
export function typeOfSchema(root: JsonObject | undefined, file: Source): Type {
  return root ? new AnswerTypes(root, file).of(root, 0) : ANY;
}

/** References within references: a schema that refers to itself is typed as deep as anybody reads. */
const DEEPEST = 12;

class AnswerTypes {
  readonly #root: JsonObject;
  readonly #file: Source;
  /** By reference and depth: twenty properties that each lead back are otherwise twenty to the power of the depth. */
  readonly #referred = new Map<string, Type>();

  constructor(root: JsonObject, file: Source) {
    this.#root = root;
    this.#file = file;
  }

  of(schema: Json | undefined, depth: number): Type {
    if (!isObject(schema) || depth > DEEPEST) return ANY;
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, depth);
    switch (schema.type) {
      case 'string':
        return TEXT;
      case 'integer':
        return INT;
      case 'number':
        return DOUBLE;
      case 'boolean':
        return BOOL;
      case 'array': {
        const { items, prefixItems, maxItems } = schema;
        const of = prefixItems === undefined ? this.of(items, depth + 1) : ANY;
        const max = typeof maxItems === 'string' ? this.#computed(maxItems) : maxItems;
        return { ...list(of), ...(max !== undefined && { max }) } as Type;
      }
      case 'object':
        return this.#object(schema, depth);
      default:
        return ANY;
    }
  }

  /** A bound that is known before the run. */
  #computed(text: string): ComputedMax | undefined {
    const code = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1]?.trim() ?? '';
    const read = readCode(code);
    const isKnown =
      read.is !== 'broken' && read.selections.every(({ segments: [root] }) => /^(params|data)$/.test(root.name));
    return isKnown ? { code, of: this.#file } : undefined;
  }

  #reference(reference: string, depth: number): Type {
    const name = `${depth} ${reference}`;
    const known = this.#referred.get(name);
    if (known) return known;
    const type = this.of(target(this.#root, reference), depth + 1);
    this.#referred.set(name, type);
    return type;
  }

  /** Reading a property that the schema does not name is an error, unless the schema itself allows further properties. */
  #object({ properties, additionalProperties, patternProperties, ...more }: JsonObject, depth: number): Type {
    const open = additionalProperties !== undefined && additionalProperties !== false;
    const isTold = !COMBINED.some(keyword => more[keyword] !== undefined);
    if (!isObject(properties) || open || patternProperties !== undefined || !isTold) return ANY;
    // A name that is computed may be any.
    if (Object.keys(properties).some(name => name.includes('${{'))) return ANY;
    const fields = new Map(
      Object.entries(properties).map(([name, field]) => [name, this.of(field, depth + 1)] as const),
    );
    return { is: 'record', called: 'an answer', cel: 'Json', fields, leadsTo: 'none' };
  }
}

/** What else may name properties. */
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', '$dynamicRef'];

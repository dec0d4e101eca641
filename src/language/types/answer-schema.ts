/**
 * `schema:` of a chat step, in place or in a file beside the pipeline: read, checked, and typed before anything is asked. Expressions
 * may stand for values in it; they are evaluated before the request.
 */
import type { Source, Span } from '../../model/diagnostic.ts';
import type { MapValue, Value } from '../../model/pipeline.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { checkText } from '../checks/field-check.ts';
import { Findings, type Message } from '../checks/findings.ts';
import { checkSchema, isComputed, target } from '../checks/schema-check.ts';
import type { BodyContext } from '../kinds/kind.ts';
import { messages } from '../messages/index.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { type MapNode, type Node, plainJson, type ScalarNode } from '../yaml/syntax-tree.ts';
import { readTree } from '../yaml/yaml-tree.ts';
import { readCode } from './cel.ts';
import { HOLDS, type Holds, holdsOf } from './schema-keywords.ts';
import { ANY, BOOL, type ComputedMax, DOUBLE, INT, list, record, TEXT, type Type } from './types.ts';
import { readValue } from './values.ts';

/** The type that gives the answer to a chat, from the JSON Schema it must fit. Where the schema is silent, anything may be there. */

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
    const isWhole = !COMBINED.some(keyword => more[keyword] !== undefined);
    if (!isObject(properties) || open || patternProperties !== undefined || !isWhole) return ANY;
    // A name that is computed may be any.
    if (Object.keys(properties).some(name => name.includes('${{'))) return ANY;
    const fields = Object.entries(properties).map(([name, field]) => [name, this.of(field, depth + 1)] as const);
    return record('an answer', fields);
  }
}

/** What else may name properties. */
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', '$dynamicRef'];

export interface AnswerSchema {
  readonly tree: MapNode;
  /** Its expressions stand in it as they are written: enough to tell the type of an answer. */
  readonly json: JsonObject;
  /** Where the pipeline names it, where it is a file: its own places mean nothing in the pipeline's text. */
  readonly file?: { readonly at: Span; readonly source: Source };
}

/** Undefined where there is none, or none that can be read, which is reported. */
export function readAnswerSchema(node: Node | undefined, context: FileContext): AnswerSchema | undefined {
  if (!node || context.wrong.has(node)) return undefined;
  const schema = node.is === 'map' ? { tree: node } : node.is === 'scalar' ? readFile(node, context) : undefined;
  if (!schema) return undefined;
  const whole = { ...schema, json: plainJson(schema.tree) as JsonObject };
  checkSchema(schema.tree, (what, at) => report(whole, what, at, context.findings));
  return whole;
}

function readFile(node: ScalarNode, { files, findings }: FileContext): Omit<AnswerSchema, 'json'> | undefined {
  if (typeof node.value !== 'string') return undefined;
  if (isComputed(node)) {
    findings.add(messages.computedSchema(), node.at);
    return undefined;
  }
  const found = files.read(node.value);
  if ('problem' in found) {
    findings.add(messages.schemaFile(node.value, found.problem), node.at);
    return undefined;
  }
  const source = { path: found.path, text: found.text };
  const inside = new Findings(source);
  const tree = readTree(source, inside);
  for (const { code, message, span, severity } of inside.list) {
    const words = OF_A_PIPELINE[code] ?? { code, message, ...(severity === 'warning' && { severity }) };
    report({ file: { at: node.at, source } }, words, span, findings);
  }
  return tree && { tree, file: { at: node.at, source } };
}

/** The messages for a file that is no pipeline. */
const OF_A_PIPELINE: Readonly<Record<string, Message>> = {
  'empty-file': messages.emptySchemaFile(),
  'not-a-mapping': messages.schemaFileNoMapping(),
};

/** Reports a mistake in a file where the pipeline names the file, with the place in the file as a note. */
function report({ file }: Pick<AnswerSchema, 'file'>, what: Message, at: Span, findings: Findings): void {
  if (!file) findings.add(what, at);
  else findings.add(what, file.at, [noteIn(file.source, at)]);
}

const noteIn = (source: Source, span: Span) => ({ message: messages.inSchemaFile, span, source });

/** The schema with its expressions, each checked against its keyword. */
export function schemaValue(schema: AnswerSchema, context: BodyContext): MapValue {
  return computedValue(schema.tree, 'schema', '', schema, context) as MapValue;
}

function computedValue(node: Node, holds: Holds, keyword: string, schema: AnswerSchema, context: BodyContext): Value {
  const at = schema.file?.at ?? node.at;
  switch (node.is) {
    case 'scalar':
      return scalarValue(node, holds, keyword, schema, context);
    case 'list': {
      const each = HOLDS[holds].each ?? 'anything';
      return { is: 'list', items: node.items.map(item => computedValue(item, each, keyword, schema, context)), at };
    }
    case 'map':
      return {
        is: 'map',
        at,
        entries: node.entries.map(({ name, nameAt, value }) => {
          const inner = holds === 'schema' ? (holdsOf(name) ?? 'anything') : (HOLDS[holds].each ?? 'anything');
          return { name, nameAt: schema.file?.at ?? nameAt, value: computedValue(value, inner, name, schema, context) };
        }),
      };
  }
}

function scalarValue(
  node: ScalarNode,
  holds: Holds,
  keyword: string,
  schema: AnswerSchema,
  context: BodyContext,
): Value {
  const { file } = schema;
  const { findings } = context;
  const read = () => {
    const value = readValue(file ? { ...node, at: file.at } : node, context);
    if (value.is === 'text') checkText(value, context);
    if (value.is !== 'expression') return value;
    const type = context.typeOf(value);
    if (!couldBe(type, holds)) findings.add(messages.schemaKeywordType(keyword, holds, type), value.at);
    return value;
  };
  return file ? findings.noting([noteIn(file.source, node.at)], read) : read();
}

/** Whether a value of this type can be what the keyword holds. */
const couldBe = ({ is }: Type, holds: Holds): boolean =>
  is === 'any' || is === 'wrong' || (HOLDS[holds].types?.includes(is) ?? true);

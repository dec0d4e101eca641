/** `schema/pipeline.schema.json`: the few keywords that it uses, and what they say of a node. */
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import { child, type MapNode, type Node } from './yaml/syntax-tree.ts';

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

export interface Schema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly const?: string | number;
  readonly enum?: readonly (string | number | boolean)[];
  readonly anyOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
}

export const fileSchema = pipelineSchema as Schema & { readonly $defs: { readonly [name: string]: Schema } };

/** The sub-schema that `if` and `then` choose by the presence of keys. */
export function branchOf(step: MapNode, schema: Schema): Schema {
  if (!schema.if) return schema;
  const holds = (schema.if.required ?? []).every(name => child(step, name) !== undefined);
  return branchOf(step, resolve((holds ? schema.then : schema.else) ?? {}));
}

/** All sub-schemas that it may choose. */
export const branchesOf = (schema: Schema): readonly Schema[] =>
  schema.if ? [schema.then ?? {}, schema.else ?? {}].flatMap(branch => branchesOf(resolve(branch))) : [schema];

/** Whether the node is of a type that the schema allows. */
export function fits(node: Node, schema: Schema): boolean {
  const allowed = typesOf(schema);
  return allowed.length === 0 || allowed.some(type => isA(node, type));
}

/** Of a union, the types of all its branches: no two branches of this schema take the same one. */
function typesOf(schema: Schema): readonly TypeName[] {
  if (schema.anyOf) return schema.anyOf.flatMap(option => typesOf(resolve(option)));
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** As the messages call it. */
export function namesOfTypes(schema: Schema): readonly string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(option => namesOfTypes(resolve(option)));
  return schema === fileSchema.$defs.duration ? ['duration'] : typesOf(schema);
}

function isA(node: Node, type: TypeName): boolean {
  switch (type) {
    case 'object':
      return node.is === 'map';
    case 'array':
      return node.is === 'list';
    case 'null':
      return node.is === 'scalar' && node.value === null;
    case 'integer':
      return node.is === 'scalar' && Number.isInteger(node.value);
    default:
      return node.is === 'scalar' && typeof node.value === type;
  }
}

/** The schema of one property. */
export const propertyOf = (properties: Schema['properties'], name: string): Schema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

const resolved = new Map<Schema, Schema>();
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const known = resolved.get(schema);
  if (known) return known;
  const target = propertyOf(fileSchema.$defs, schema.$ref.replace('#/$defs/', ''));
  if (!target) throw new Error(`pipeline.schema.json refers to ${schema.$ref}, which it does not define`);
  const full = resolve(target);
  resolved.set(schema, full);
  return full;
}

const regexes = new Map<string, RegExp>();
export function regex(pattern: string): RegExp {
  const made = regexes.get(pattern) ?? new RegExp(pattern);
  regexes.set(pattern, made);
  return made;
}

/**
 * Walks the tree along `schema/pipeline.schema.json`: the one source of truth for which keys exist and what they hold.
 *
 * A validator made by ajv was considered: its import costs more than all other checks of a long file, it wants plain
 * values without places, and it reports every branch of a union. This walk knows the few keywords that the schema
 * uses, points at keys and values, and picks a branch by what the author wrote, so that one mistake is one diagnostic.
 * A test holds it and ajv to the same verdict on every file it knows.
 */
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import type { Span } from '../domain/diagnostic.ts';
import { nearest } from '../domain/nearest.ts';
import { COMMON_KEYS } from './common-keys.ts';
import type { Findings, Message } from './findings.ts';
import { type AnyKind, allKinds, kindOf, ownersOf } from './kinds/index.ts';
import { messages } from './messages/index.ts';
import { child, type Entry, type MapNode, type Node } from './syntax-tree.ts';

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

interface Schema {
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

const root = pipelineSchema as Schema & { readonly $defs: { readonly [name: string]: Schema } };

/** Adds what is wrong with the file's shape. Nodes that are wrong are returned: nobody should complain about them again. */
export function checkShape(file: MapNode, findings: Findings): ReadonlySet<Node> {
  const wrong = new Set<Node>();
  walk(file, root, { findings, wrong, path: [], key: undefined });
  return wrong;
}

interface Here {
  readonly findings: Findings;
  readonly wrong: Set<Node>;
  /** Keys from the root: tells a message where it is. */
  readonly path: readonly string[];
  /** The entry this value belongs to. */
  readonly key: Entry | undefined;
}

function walk(node: Node, given: Schema, here: Here): void {
  const schema = resolve(given);
  const problem = problemOf(node, schema, here);
  if (problem) mismatch(node, here, problem);
  else if (schema.anyOf) walk(node, schema.anyOf.find(option => fits(node, resolve(option))) ?? {}, here);
  else if (schema === root.$defs.step && node.is === 'map') walkStep(node, schema, here);
  else if (node.is === 'map') walkMap(node, schema, here);
  else if (node.is === 'list') for (const item of node.items) walk(item, schema.items ?? {}, here);
}

/** What is wrong with the node itself, whatever is in it. */
function problemOf(node: Node, schema: Schema, here: Here): Message | undefined {
  const value = node.is === 'scalar' ? node.value : undefined;
  if (schema.const !== undefined) return value === schema.const ? undefined : messages.wrongVersion(shown(node));
  if (schema.enum) {
    if (schema.enum.some(allowed => allowed === value)) return undefined;
    const near = typeof value === 'string' ? nearest(value, schema.enum.map(String)) : undefined;
    return messages.notOneOf(label(here), schema.enum, shown(node), near);
  }
  if (!fits(node, schema)) return messages.wrongShape(label(here), wanted(schema), shown(node));
  if (node.is === 'list' && node.items.length < (schema.minItems ?? 0)) return messages.emptyCollection(label(here));
  if (node.is === 'map' && node.entries.length < (schema.minProperties ?? 0))
    return messages.emptyCollection(label(here));
  if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum)
    return messages.tooSmall(label(here), schema.minimum, value);
  return typeof value === 'string' ? textProblem(value, schema, here) : undefined;
}

function textProblem(text: string, schema: Schema, here: Here): Message | undefined {
  const length = [...text].length;
  if (length < (schema.minLength ?? 0)) return messages.emptyText(label(here));
  if (schema.maxLength !== undefined && length > schema.maxLength)
    return messages.tooLong(label(here), schema.maxLength, length);
  if (schema.pattern === undefined || regex(schema.pattern).test(text)) return undefined;
  return schema === root.$defs.duration
    ? messages.notADuration(text)
    : messages.badName(text, schema.pattern, here.path);
}

/** A step has the shape of its kind. Of a step whose kind is not known, a key is wrong only where no kind has it. */
function walkStep(step: MapNode, schema: Schema, here: Here): void {
  const kind = kindOf(step) ?? misspeltKind(step, here);
  if (kind) {
    const own = step.entries.filter(entry => !refuseForeignKey(entry, kind, here));
    walkMap({ ...step, entries: own }, branchOf(step, schema), here);
    return;
  }
  // A step that holds a kind of step to come has been told so already.
  if (!step.entries.some(entry => messages.isToCome(entry.name)))
    here.findings.add(messages.missingKind(here.path, allKinds()), placeOf(step, here));
  const properties = Object.assign({}, ...branchesOf(schema).map(branch => branch.properties));
  walkMap(step, { properties, additionalProperties: false }, here);
}

/** A misspelt key of a kind is told, and from then on read as the key that was meant. */
function misspeltKind(step: MapNode, here: Here): AnyKind | undefined {
  const known = [...COMMON_KEYS, ...allKinds().flatMap(({ key, keys }) => [key, ...keys])];
  for (const entry of step.entries) {
    if (known.includes(entry.name) || messages.isToCome(entry.name)) continue;
    const meant = allKinds().find(({ key }) => key === nearest(entry.name, known));
    if (!meant) continue;
    here.findings.add(messages.unknownKey(entry.name, here.path, meant.key, known), entry.nameAt);
    entry.name = meant.key;
    return meant;
  }
  return undefined;
}

/** A key that only other kinds have; whether it is one. */
function refuseForeignKey(entry: Entry, kind: AnyKind, here: Here): boolean {
  const owners = ownersOf(entry.name);
  if (owners.length === 0 || owners.includes(kind)) return false;
  here.findings.add(messages.keyOfOtherKind(entry.name, here.path, kind, owners), entry.nameAt);
  here.wrong.add(entry.value);
  return true;
}

/** The sub-schema that `if` and `then` choose by the presence of keys. */
function branchOf(step: MapNode, schema: Schema): Schema {
  if (!schema.if) return schema;
  const holds = (schema.if.required ?? []).every(name => child(step, name) !== undefined);
  return branchOf(step, resolve((holds ? schema.then : schema.else) ?? {}));
}

const branchesOf = (schema: Schema): readonly Schema[] =>
  schema.if ? [schema.then ?? {}, schema.else ?? {}].flatMap(branch => branchesOf(resolve(branch))) : [schema];

function walkMap(map: MapNode, schema: Schema, here: Here): void {
  const present = new Set(map.entries.map(entry => entry.name));
  for (const entry of map.entries) {
    const inside = { ...here, path: [...here.path, entry.name], key: entry };
    const declared = own(schema.properties, entry.name);
    if (declared) walk(entry.value, declared, inside);
    else if (schema.additionalProperties === false) refuseKey(entry, map, schema, present, here);
    else if (nameFits(entry, schema.propertyNames, here) && typeof schema.additionalProperties === 'object')
      walk(entry.value, schema.additionalProperties, inside);
  }
  for (const name of schema.required ?? [])
    if (!present.has(name)) here.findings.add(messages.missingKey(name, here.path), placeOf(map, here));
}

/** Where to say that something is missing in a mapping: at its key, or where the file begins. */
const placeOf = (map: MapNode, here: Here): Span => here.key?.nameAt ?? { start: map.at.start, end: map.at.start };

/** A misspelt key is told, and from then on read as the key that was meant: nothing else follows from the slip. */
function refuseKey(entry: Entry, map: MapNode, schema: Schema, present: Set<string>, here: Here): void {
  if (isRestOfText(entry, map, here)) {
    here.findings.add(messages.commaInText(entry.name), entry.nameAt);
    return;
  }
  const known = Object.keys(schema.properties ?? {}).filter(name => !present.has(name));
  const near = nearest(entry.name, known);
  here.findings.add(messages.unknownKey(entry.name, here.path, near, known), entry.nameAt);
  if (near === undefined || messages.isToCome(entry.name)) {
    here.wrong.add(entry.value);
    return;
  }
  entry.name = near;
  present.add(near);
  walk(entry.value, own(schema.properties, near) ?? {}, { ...here, path: [...here.path, near], key: entry });
}

/** `{ default: a fox, snow falling }`: the second half became a key without a value. */
function isRestOfText(entry: Entry, map: MapNode, here: Here): boolean {
  const { text } = here.findings.source;
  const flow = text[map.at.start] === '{' && !/^\s*:/.test(text.slice(entry.nameAt.end, entry.nameAt.end + 8));
  return flow && entry !== map.entries[0] && entry.value.is === 'scalar' && entry.value.at.start === entry.value.at.end;
}

function nameFits(entry: Entry, rule: Schema | undefined, here: Here): boolean {
  const pattern = rule && resolve(rule).pattern;
  if (pattern === undefined || regex(pattern).test(entry.name)) return true;
  here.findings.add(messages.badName(entry.name, pattern, here.path), entry.nameAt);
  here.wrong.add(entry.value);
  return false;
}

function mismatch(node: Node, here: Here, what: Message): void {
  // An empty value has no width: the key is the place to look at.
  const empty = node.at.start === node.at.end && here.key !== undefined;
  here.findings.add(what, empty ? here.key!.nameAt : firstLineOf(node, here));
  here.wrong.add(node);
}

function firstLineOf(node: Node, here: Here): Span {
  const newline = here.findings.source.text.indexOf('\n', node.at.start);
  return { start: node.at.start, end: newline < 0 ? node.at.end : Math.min(newline, node.at.end) };
}

const label = (here: Here): string => here.path.join('.') || 'the file';

function fits(node: Node, schema: Schema): boolean {
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
function wanted(schema: Schema): readonly string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(option => wanted(resolve(option)));
  return schema === root.$defs.duration ? ['duration'] : typesOf(schema);
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

const shown = (node: Node): string =>
  node.is === 'map'
    ? 'a mapping'
    : node.is === 'list'
      ? 'a list'
      : node.value === null
        ? 'nothing'
        : JSON.stringify(node.value);

const own = (properties: Schema['properties'], name: string): Schema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

const resolved = new Map<Schema, Schema>();
function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const known = resolved.get(schema);
  if (known) return known;
  const target = own(root.$defs, schema.$ref.replace('#/$defs/', ''));
  if (!target) throw new Error(`pipeline.schema.json refers to ${schema.$ref}, which it does not define`);
  const full = resolve(target);
  resolved.set(schema, full);
  return full;
}

const regexes = new Map<string, RegExp>();
function regex(pattern: string): RegExp {
  const made = regexes.get(pattern) ?? new RegExp(pattern);
  regexes.set(pattern, made);
  return made;
}

/**
 * Walks the tree along `schema/pipeline.schema.json`: the one source of truth for which keys exist and what they hold.
 *
 * A validator made by ajv was considered: its import costs more than all other checks of a long file, it wants plain
 * values without places, and it reports every branch of a union. This walk knows the few keywords that the schema
 * uses, points at keys and values, and picks a branch by what the author wrote, so that one mistake is one diagnostic.
 * A test holds it and ajv to the same verdict on every file it knows.
 */
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import type { Findings } from './findings.ts';
import { nearest } from './nearest.ts';
import type { Entry, MapNode, Node } from './syntax.ts';
import { child } from './syntax.ts';
import { words } from './words.ts';

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
  if (schema.anyOf) {
    const branch = schema.anyOf.find(option => fits(node, resolve(option)));
    if (branch) return walk(node, branch, here);
    return mismatch(node, here, words.wrongShape(label(here), schema.anyOf.flatMap(option => types(resolve(option))), shown(node)));
  }
  if (schema.const !== undefined) {
    if (node.is === 'scalar' && node.value === schema.const) return;
    return mismatch(node, here, words.wrongVersion(shown(node)));
  }
  if (schema.enum) {
    const value = node.is === 'scalar' ? node.value : undefined;
    if (schema.enum.some(allowed => allowed === value)) return;
    const near = typeof value === 'string' ? nearest(value, schema.enum.map(String)) : undefined;
    return mismatch(node, here, words.notOneOf(label(here), schema.enum, shown(node), near));
  }
  if (!fits(node, schema)) return mismatch(node, here, words.wrongShape(label(here), types(schema), shown(node)));
  if (schema.if) return walk(node, (fitsKind(node, schema.if) ? schema.then : schema.else) ?? {}, here);
  if (node.is === 'map') return walkMap(node, schema, here);
  if (node.is === 'list') return walkList(node, schema, here);
  if (typeof node.value === 'string') return walkText(node, node.value, schema, here);
  if (typeof node.value === 'number' && schema.minimum !== undefined && node.value < schema.minimum)
    mismatch(node, here, words.tooSmall(label(here), schema.minimum, node.value));
}

function walkMap(map: MapNode, schema: Schema, here: Here): void {
  for (const entry of map.entries) {
    const inside = { ...here, path: [...here.path, entry.name], key: entry };
    const declared = own(schema.properties, entry.name);
    if (declared) walk(entry.value, declared, inside);
    else if (schema.additionalProperties === false) {
      const known = Object.keys(schema.properties ?? {}).filter(name => !child(map, name));
      here.findings.add(words.unknownKey(entry.name, here.path, nearest(entry.name, known), known), entry.nameAt);
      here.wrong.add(entry.value);
    } else {
      if (!nameFits(entry, schema.propertyNames, here)) continue;
      if (typeof schema.additionalProperties === 'object') walk(entry.value, schema.additionalProperties, inside);
    }
  }
  const missing = (schema.required ?? []).filter(name => !child(map, name));
  // A step without `model` that holds a kind of step to come has been told so already.
  const excused = map.entries.some(entry => words.isStepKindToCome(entry.name));
  for (const name of missing) {
    if (excused && name === 'model') continue;
    const at = here.key?.nameAt ?? { start: map.at.start, end: map.at.start };
    here.findings.add(words.missingKey(name, here.path), at);
  }
  if (map.entries.length < (schema.minProperties ?? 0)) mismatch(map, here, words.emptyCollection(label(here)));
}

function nameFits(entry: Entry, rule: Schema | undefined, here: Here): boolean {
  const pattern = rule && resolve(rule).pattern;
  if (pattern === undefined || regex(pattern).test(entry.name)) return true;
  here.findings.add(words.badName(entry.name, pattern, here.path), entry.nameAt);
  here.wrong.add(entry.value);
  return false;
}

function walkList(list: Extract<Node, { is: 'list' }>, schema: Schema, here: Here): void {
  if (list.items.length < (schema.minItems ?? 0)) mismatch(list, here, words.emptyCollection(label(here)));
  if (!schema.items) return;
  for (const item of list.items) walk(item, schema.items, here);
}

function walkText(node: Node, text: string, schema: Schema, here: Here): void {
  if (text.trim().length < (schema.minLength ?? 0)) mismatch(node, here, words.emptyText(label(here)));
  else if (schema.maxLength !== undefined && [...text].length > schema.maxLength)
    mismatch(node, here, words.tooLong(label(here), schema.maxLength, [...text].length));
  else if (schema.pattern !== undefined && !regex(schema.pattern).test(text))
    mismatch(node, here, schema === root.$defs.duration ? words.notADuration(text) : words.badName(text, schema.pattern, here.path));
}

function mismatch(node: Node, here: Here, what: ReturnType<typeof words.emptyText>): void {
  // An empty value has no width: the key is the place to look at.
  const empty = node.at.start === node.at.end && here.key !== undefined;
  here.findings.add(what, empty ? here.key!.nameAt : firstLineOf(node, here));
  here.wrong.add(node);
}

function firstLineOf(node: Node, here: Here): { start: number; end: number } {
  const newline = here.findings.source.text.indexOf('\n', node.at.start);
  return { start: node.at.start, end: newline < 0 ? node.at.end : Math.min(newline, node.at.end) };
}

const label = (here: Here): string => here.path.join('.') || 'the file';

function fits(node: Node, schema: Schema): boolean {
  if (schema.anyOf) return schema.anyOf.some(option => fits(node, resolve(option)));
  const allowed = types(schema);
  return allowed.length === 0 || allowed.some(type => isA(node, type));
}

/** For `if`: only presence of keys decides what kind of step it is. */
const fitsKind = (node: Node, schema: Schema): boolean =>
  node.is === 'map' && (schema.required ?? []).every(name => child(node, name) !== undefined);

function types(schema: Schema): readonly TypeName[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
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
  node.is === 'map' ? 'a mapping' : node.is === 'list' ? 'a list' : node.value === null ? 'nothing' : JSON.stringify(node.value);

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
  let made = regexes.get(pattern);
  if (!made) regexes.set(pattern, (made = new RegExp(pattern)));
  return made;
}

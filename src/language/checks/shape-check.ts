/**
 * Walks the tree along `schema/pipeline.schema.json`: the one source of truth for which keys exist and what they hold.
 *
 * A validator made by ajv was considered: its import costs more than all other checks of a long file, it wants plain
 * values without places, and it reports every branch of a union. This walk knows the few keywords that the schema
 * uses, points at keys and values, and picks a branch by what the author wrote, so that one mistake is one diagnostic.
 * A test holds it and ajv to the same verdict on every file it knows.
 */
import type { Span } from '../../model/diagnostic.ts';
import { nearest } from '../../model/text/nearest.ts';
import { type AnyKind, allKinds, kindOf, ownersOf } from '../kinds/index.ts';
import { flowText } from '../messages/foreign/flow-text.ts';
import { foreignFile, foreignKey, foreignKind, foreignValue } from '../messages/foreign/foreign-keys.ts';
import { numberMeant } from '../messages/foreign/meant-values.ts';
import type { ForeignKey } from '../messages/foreign/translate.ts';
import { withoutQuotes } from '../messages/foreign/wording.ts';
import { messages } from '../messages/index.ts';
import { missingSnippet, shapeSnippet } from '../messages/shape-snippets.ts';
import {
  branchesOf,
  branchOf,
  fileSchema,
  fits,
  namesOfTypes,
  propertyOf,
  regex,
  resolve,
  type Schema,
} from '../pipeline-schema.ts';
import { COMMON_KEYS } from '../steps/common-keys.ts';
import { child, type Entry, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import type { Findings, Message } from './findings.ts';

/** Adds what is wrong with the file's shape. Nodes that are wrong are returned: nothing else is reported about them. */
export function checkShape(file: MapNode, findings: Findings, isField: (name: string) => boolean): ReadonlySet<Node> {
  const wrong = new Set<Node>();
  const foreign = foreignFile(file);
  if (foreign !== undefined) {
    findings.add(messages.foreignFile(foreign), file.entries[0]?.nameAt ?? file.at);
    (file.entries as Entry[]).splice(0);
    return wrong;
  }
  walk(file, fileSchema, { findings, wrong, file, isField, path: [], key: undefined });
  return wrong;
}

interface Here {
  readonly findings: Findings;
  readonly wrong: Set<Node>;
  readonly file: MapNode;
  /** Whether some model has a request field of this name. */
  readonly isField: (name: string) => boolean;
  /** Keys from the root: the place as messages show it. */
  readonly path: readonly string[];
  /** The entry this value belongs to. */
  readonly key: Entry | undefined;
}

function walk(node: Node, given: Schema, here: Here): void {
  const schema = resolve(given);
  if (isCutOption(node, here.path)) return;
  const problem = problemOf(node, schema, here);
  if (problem) mismatch(node, here, problem);
  else if (schema.anyOf) walk(node, schema.anyOf.find(option => fits(node, resolve(option))) ?? {}, here);
  else if (schema === fileSchema.$defs.step && node.is === 'map') walkStep(node, schema, here);
  else if (node.is === 'map') walkMap(node, schema, here);
  else if (node.is === 'list') for (const item of node.items) walk(item, schema.items ?? {}, here);
}

/** A value of an option of a cut: what reads it knows the names that it takes (`cut/check-option.ts`). */
const isCutOption = (node: Node, path: readonly string[]): boolean =>
  node.is === 'scalar' && node.value !== null && CUT_OPTION.test(path.join('.'));

const CUT_OPTION = /^steps\.\w+\.cut\.(?:\w+\.)?(?:move|fit|codec|style)$/;

/** What is wrong with the node itself, whatever is in it. */
function problemOf(node: Node, schema: Schema, here: Here): Message | undefined {
  const value = node.is === 'scalar' ? node.value : undefined;
  if (schema.const !== undefined) return value === schema.const ? undefined : messages.wrongVersion(shown(node));
  if (schema.enum) {
    if (schema.enum.some(allowed => allowed === value)) return undefined;
    const near = typeof value === 'string' ? nearest(value, schema.enum.map(String)) : undefined;
    const foreign = foreignValue(here.path, value);
    return messages.notOneOf(label(here), schema.enum, shown(node), { near, foreign });
  }
  if (!fits(node, schema)) {
    const plain = withoutQuotes(value);
    if (plain !== undefined && fits({ is: 'scalar', value: plain, at: node.at }, schema))
      return messages.shapeInQuotes(label(here), namesOfTypes(schema), String(value));
    const types = namesOfTypes(schema);
    const isNumber = types.includes('number') || types.includes('integer');
    const number = typeof value === 'string' && isNumber ? numberMeant(value) : undefined;
    const snippet = number === undefined ? shapeSnippet(node, here) : `\`${here.path.at(-1)}: ${number}\``;
    return messages.wrongShape(label(here), types, shown(node), snippet, number);
  }
  const isEmpty =
    (node.is === 'list' && node.items.length < (schema.minItems ?? 0)) ||
    (node.is === 'map' && node.entries.length < (schema.minProperties ?? 0));
  if (isEmpty) return messages.emptyCollection(label(here), shapeSnippet(node, here));
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
  return schema === fileSchema.$defs.duration
    ? messages.notADuration(text)
    : messages.badName(text, schema.pattern, here.path);
}

/** A step has the shape of its kind. In a step of unknown kind, a key is wrong only where no kind has it. */
function walkStep(step: MapNode, schema: Schema, here: Here): void {
  const kind = kindOrMisspelt(step, here.path, here.findings);
  if (kind) {
    if (kind.key === 'model') moveFields(step, here);
    unwrapRequest(step, here);
    const foreign = keysOfOtherKinds(step, kind, here.path, here.findings);
    for (const { value } of foreign) here.wrong.add(value);
    const entries = step.entries.filter(entry => !foreign.includes(entry));
    walkMap({ ...step, entries }, branchOf(step, schema), here);
    return;
  }
  // A step of a kind to come has its own message, and so has a job of other systems.
  const isReported = ({ name, value }: Entry) =>
    messages.isToCome(name) ||
    (name === 'steps' && value.is !== 'scalar') ||
    foreignKey(name, value, here.path)?.isKind === true;
  if (!step.entries.some(isReported))
    here.findings.add(messages.missingKind(here.path, allKinds()), placeOf(step, here));
  const properties = Object.assign({}, ...branchesOf(schema).map(branch => branch.properties));
  walkMap(step, { properties, additionalProperties: false }, here);
}

/** `with: { with: … }` */
function unwrapRequest(step: MapNode, here: Here): void {
  const request = step.entries.find(({ name }) => name === 'with');
  const [inner, ...others] = request?.value.is === 'map' ? request.value.entries : [];
  if (!request || inner?.name !== 'with' || inner.value.is !== 'map' || others.length > 0) return;
  here.findings.add(messages.withInWith(), inner.nameAt);
  (step.entries as Entry[]).splice(step.entries.indexOf(request), 1, { ...request, value: inner.value });
}

let stepKeys: ReadonlySet<string> | undefined;
const isStepKey = (name: string): boolean => {
  stepKeys ??= new Set([...COMMON_KEYS, ...allKinds().flatMap(({ key, keys }) => [key, ...keys])]);
  return stepKeys.has(name);
};

/** `prompt` beside `model`: reports it, and reads it from then on as if it were under `with`. */
function moveFields(step: MapNode, here: Here): void {
  const fields = step.entries.filter(
    ({ name, value }) =>
      !isStepKey(name) &&
      here.isField(name) &&
      // `loop: 3` is a key of other systems, `loop: true` a field.
      (!foreignKey(name, value, here.path) || (value.is === 'scalar' && typeof value.value === 'boolean')),
  );
  if (fields.length === 0) return;
  for (const { name, nameAt, value } of fields)
    here.findings.add(messages.fieldOnStep(name, here.path, flowText(value)), nameAt);
  const entries = step.entries as Entry[];
  const section = child(step, 'with');
  const there = section?.is === 'map' ? section.entries : [];
  const moved = fields.filter(({ name }) => !there.some(entry => entry.name === name));
  if (section === undefined) {
    const [first] = fields;
    const at = first?.nameAt ?? step.at;
    entries.push({ name: 'with', nameAt: at, value: { is: 'map', entries: moved, at } });
  } else if (section.is === 'map') (section.entries as Entry[]).push(...moved);
  entries.splice(0, entries.length, ...entries.filter(entry => !fields.includes(entry)));
}

function walkMap(map: MapNode, schema: Schema, here: Here): void {
  takeOutHalves(map, schema, here);
  const present = new Set(map.entries.map(entry => entry.name));
  const missing = () => (schema.required ?? []).filter(name => !present.has(name));
  let isReported = false;
  for (const entry of map.entries) {
    const inside = { ...here, path: [...here.path, entry.name], key: entry };
    const declared = propertyOf(schema.properties, entry.name);
    if (declared) walk(entry.value, declared, inside);
    else if (schema.additionalProperties === false || foreignKey(entry.name, entry.value, here.path))
      if (isReported)
        // A key in the place of one that is needed is one mistake.
        here.wrong.add(entry.value);
      else isReported = refuseKey(entry, schema, present, here) && missing().length > 0 && here.path.length > 1;
    else if (nameFits(entry, schema.propertyNames, here) && typeof schema.additionalProperties === 'object')
      walk(entry.value, schema.additionalProperties, inside);
  }
  if (isReported) return;
  for (const name of missing())
    here.findings.add(messages.missingKey(name, here.path, missingSnippet(name, map, here)), placeOf(map, here));
}

/** Where to say that something is missing in a mapping: at its key, or where the file begins. */
const placeOf = (map: MapNode, here: Here): Span => here.key?.nameAt ?? { start: map.at.start, end: map.at.start };

/**
 * Reports a misspelt key, and reads it from then on as the key that was meant: no other mistake follows. True where the message
 * says what is needed instead.
 */
function refuseKey(entry: Entry, schema: Schema, present: Set<string>, here: Here): boolean {
  const isDefault = here.path.length === 1 && here.path[0] === 'defaults' && here.isField(entry.name);
  const foreign: ForeignKey | undefined = isDefault
    ? { advice: `write \`with: { ${entry.name}: ${flowText(entry.value)} }\`` }
    : (savedByCommand(entry, present) ?? foreignKey(entry.name, entry.value, here.path));
  if (foreign) {
    here.findings.add(messages.foreignKey(entry.name, here.path, foreign), entry.nameAt);
    readAs(
      foreign.readAs,
      foreign.value ? Object.assign(entry, { value: foreign.value }) : entry,
      schema,
      present,
      here,
    );
    return foreign.isWhole === true;
  }
  const known = Object.keys(schema.properties ?? {}).filter(name => !present.has(name));
  const near = nearest(entry.name, known);
  const needs = here.path.length > 1 ? known.filter(name => schema.required?.includes(name)) : [];
  here.findings.add(messages.unknownKey(entry.name, here.path, near, known, needs), entry.nameAt);
  if (near === undefined || messages.isToCome(entry.name)) {
    here.wrong.add(entry.value);
    return near === undefined;
  }
  readAs(near, entry, schema, present, here);
  return false;
}

/** A command that declares no file: there is none to save. */
function savedByCommand({ name, value }: Entry, present: ReadonlySet<string>): ForeignKey | undefined {
  if (!present.has('run') || present.has('creates') || present.has('save') || value.is !== 'scalar') return undefined;
  if (foreignKey(name, value, ['steps', ''])?.readAs !== 'save') return undefined;
  const path = flowText(value);
  return { advice: `write \`creates: { file: ${path} }\`, what it leaves in its folder, and \`save: ${path}\`` };
}

/** From here on the entry has the name that was meant. The version of the language is the one that we read. */
function readAs(name: string | undefined, entry: Entry, schema: Schema, present: Set<string>, here: Here): void {
  const declared = name === undefined ? undefined : propertyOf(schema.properties, name);
  if (name === undefined || declared === undefined || present.has(name) || name === 'shotlist') {
    if (name !== undefined) present.add(name);
    here.wrong.add(entry.value);
    return;
  }
  entry.name = name;
  present.add(name);
  walk(entry.value, declared, { ...here, path: [...here.path, name], key: entry });
}

/** Keys without a value inside `{ }` that are none: half of a text that holds a comma, or a key and its value without a blank. */
function takeOutHalves(map: MapNode, schema: Schema, here: Here): void {
  const { text } = here.findings.source;
  if (text[map.at.start] !== '{') return;
  const halves = map.entries.filter(({ name, nameAt, value }) => {
    const isAlone =
      value.is === 'scalar' && value.at.start === value.at.end && !/^\s*:/.test(text.slice(nameAt.end, nameAt.end + 8));
    return isAlone && propertyOf(schema.properties, name) === undefined;
  });
  for (const half of halves) {
    const before = map.entries[map.entries.indexOf(half) - 1]?.value;
    const digits = before && text.slice(before.at.start, half.nameAt.end);
    if (before && digits !== undefined && /^-?\d+,\d+$/.test(digits)) {
      here.findings.add(messages.commaInNumber(digits), { start: before.at.start, end: half.nameAt.end });
      (map.entries as Entry[]).splice(map.entries.indexOf(half), 1);
      continue;
    }
    const isPair = /^\w+:./.test(half.name);
    if (!isPair && half === map.entries[0]) continue;
    here.findings.add(isPair ? messages.colonBlank() : messages.commaInText(half.name), half.nameAt);
    const [, key, rest = ''] = (isPair && /^(\w+):(.*)$/s.exec(half.name)) || [];
    const value: Node = { is: 'scalar', value: rest.replace(/^(["'])(.*)\1$/, '$2'), at: half.nameAt };
    const entries = map.entries as Entry[];
    // From here on it is read as it was meant.
    entries.splice(
      entries.indexOf(half),
      1,
      ...(key === undefined || schema.additionalProperties === false ? [] : [{ ...half, name: key, value }]),
    );
  }
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

const shown = (node: Node): string =>
  node.is === 'map'
    ? 'a mapping'
    : node.is === 'list'
      ? 'a list'
      : node.value === null
        ? 'nothing'
        : JSON.stringify(node.value);

/** Which kind a step is by its keys, and which of its keys are those of other kinds. */

/** A misspelt key of a kind is reported, and from then on read as the key that was meant. */
function kindOrMisspelt(step: MapNode, path: readonly string[], findings: Findings): AnyKind | undefined {
  const kind = kindOf(step);
  if (kind) return kind;
  const known = [...COMMON_KEYS, ...allKinds().flatMap(({ key, keys }) => [key, ...keys])];
  for (const entry of step.entries) {
    const foreign = foreignKind(entry.name);
    const kind = allKinds().find(({ key }) => key === foreign);
    if (kind && foreign !== undefined) {
      const written = entry.value.is === 'map' ? '…' : flowText(entry.value);
      findings.add(messages.foreignKey(entry.name, path, { advice: `write \`${foreign}: ${written}\`` }), entry.nameAt);
      entry.name = foreign;
      return kind;
    }
  }
  for (const entry of step.entries) {
    if (known.includes(entry.name) || messages.isToCome(entry.name)) continue;
    const near = nearest(entry.name, known);
    const meant = allKinds().find(({ key }) => key === near);
    if (!meant) continue;
    findings.add(messages.unknownKey(entry.name, path, meant.key, known), entry.nameAt);
    entry.name = meant.key;
    return meant;
  }
  return undefined;
}

/** Reports the keys that only other kinds have. */
function keysOfOtherKinds(step: MapNode, kind: AnyKind, path: readonly string[], findings: Findings): readonly Entry[] {
  const others = allKinds().filter(other => other !== kind && child(step, other.key) !== undefined);
  return step.entries.filter(({ name, nameAt }) => {
    const owners = ownersOf(name);
    if (owners.length === 0 || owners.includes(kind)) return false;
    // The key of the other kind is reported: its own keys go with it.
    if (!owners.some(owner => owner.key === name) && owners.some(owner => others.includes(owner))) return true;
    findings.add(messages.keyOfOtherKind(name, path, kind, owners), nameAt);
    return true;
  });
}

/** `params:`: each a JSON Schema fragment, with a default that obeys it. */

import type { FieldSchema } from '../model/model.ts';
import type { Param, Value } from '../model/pipeline.ts';
import type { Json, JsonObject } from '../model/text/json.ts';
import { checkField } from './checks/field-check.ts';
import type { Findings } from './checks/findings.ts';
import { messages } from './messages/index.ts';
import { ANY, BOOL, type Possible, type Type, WRONG } from './types/types.ts';
import { readValue } from './types/values.ts';
import { child, type MapNode, type Node, plainJson } from './yaml/syntax-tree.ts';

interface Params {
  readonly list: readonly Param[];
  readonly types: ReadonlyMap<string, Type>;
  /** `params.token` of those with `secret: true`, sound or not. */
  readonly secrets: ReadonlySet<string>;
}

export function readParams(map: MapNode | undefined, wrong: ReadonlySet<Node>, findings: Findings): Params {
  const list: Param[] = [];
  const types = new Map<string, Type>();
  const secrets = new Set<string>();
  for (const { name, nameAt, value } of map?.entries ?? []) {
    const sound = value.is === 'map' && !hasWrong(value, wrong);
    types.set(name, sound ? typeOfParam(value) : WRONG);
    const isSecret = value.is === 'map' && isTrue(child(value, 'secret'));
    if (isSecret) secrets.add(`params.${name}`);
    if (!sound) continue;
    const standard = checkFragment(name, value, findings);
    const schema = plainJson(value) as JsonObject;
    if (isSecret) checkSecret(name, value, findings);
    list.push({
      ...{ name, at: nameAt, schema: standard === undefined ? schema : { ...schema, default: standard } },
      ...(isSecret ? { secret: true } : {}),
    });
  }
  return { list, types, secrets };
}

const isTrue = (node: Node | undefined): boolean => node?.is === 'scalar' && node.value === true;

/** A value in the file is in git, and anything but a text could not be found again where it must be hidden. */
function checkSecret(name: string, fragment: MapNode, findings: Findings): void {
  for (const { name: key, nameAt, value } of fragment.entries) {
    if (key === 'default' || key === 'enum' || key === 'examples')
      findings.add(messages.secretInFile(name, key), nameAt);
    if (key === 'type' && value.is === 'scalar' && value.value !== 'string')
      findings.add(messages.secretNoText(name, String(value.value)), value.at);
  }
}

const hasWrong = (node: Node, wrong: ReadonlySet<Node>): boolean =>
  wrong.has(node) ||
  (node.is === 'map' && (!child(node, 'type') || node.entries.some(entry => wrong.has(entry.value)))) ||
  (node.is === 'map' && node.entries.some(entry => entry.name === 'items' && hasWrong(entry.value, wrong)));

function typeOfParam(fragment: MapNode): Type {
  const type = child(fragment, 'type');
  const values = possible(child(fragment, 'enum'));
  switch (type?.is === 'scalar' ? type.value : undefined) {
    case 'string':
      return { is: 'text', ...(values ? { values } : {}) };
    case 'integer':
      return { is: 'int', ...(values ? { values } : {}) };
    case 'number':
      return { is: 'double', ...(values ? { values } : {}) };
    case 'boolean':
      return BOOL;
    case 'array': {
      const items = child(fragment, 'items');
      return { is: 'list', of: items?.is === 'map' ? typeOfParam(items) : ANY };
    }
    default:
      return ANY;
  }
}

function possible(node: Node | undefined): Possible[] | undefined {
  if (node?.is !== 'list') return undefined;
  return node.items.flatMap(item =>
    item.is === 'scalar' && (typeof item.value === 'string' || typeof item.value === 'number')
      ? [{ value: item.value, at: item.at }]
      : [],
  );
}

/** Which bounds mean something for which type. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  items: ['array'],
  enum: ['string', 'integer', 'number'],
};

/** The default, where there is one: without the backslashes that keep a placeholder. */
function checkFragment(name: string, fragment: MapNode, findings: Findings): Json | undefined {
  const schema = plainJson(fragment) as unknown as FieldSchema & { readonly minItems?: number };
  for (const entry of fragment.entries)
    if (Object.hasOwn(BOUNDS, entry.name) && !BOUNDS[entry.name]!.includes(schema.type))
      findings.add(messages.paramKeyMisfit(entry.name, schema.type), entry.nameAt);
  checkOrder(name, fragment, findings);
  const allowed = child(fragment, 'enum');
  for (const item of allowed?.is === 'list' ? allowed.items : []) {
    if (item.is !== 'scalar' || typeof item.value === 'boolean' || item.value === null) continue;
    const fits =
      schema.type === 'string'
        ? typeof item.value === 'string'
        : schema.type === 'number' || Number.isInteger(item.value);
    if (!fits) findings.add(messages.paramEnumMisfit(name, schema.type, item.value), item.at);
  }
  const items = child(fragment, 'items');
  if (items?.is === 'map') {
    checkFragment(name, items, findings);
    const entry = items.entries.find(one => one.name === 'secret');
    if (entry) findings.add(messages.secretItems(name), entry.nameAt);
  }
  const standard = child(fragment, 'default');
  if (!standard) return undefined;
  const value = readValue(standard, { findings, isReal: () => false, secrets: new Set(), use: 'default' });
  // Where no value is possible, the default is none either: the bounds are reported already.
  if (isEmpty({ ...schema })) return undefined;
  checkField(value, schema, {
    called: `the default of \`${name}\``,
    findings,
    typeOf: expression => {
      findings.add(messages.paramDefaultExpression(name), expression.at);
      return WRONG;
    },
  });
  return plainValue(value);
}

function plainValue(value: Value): Json | undefined {
  if (value.is === 'literal') return value.value;
  if (value.is !== 'list') return undefined;
  const items = value.items.map(plainValue);
  return items.every(item => item !== undefined) ? items : undefined;
}

const isEmpty = (schema: { readonly [bound: string]: unknown }): boolean =>
  ORDERED.some(([low, high]) => {
    const [from, to] = [schema[low], schema[high]];
    return typeof from === 'number' && typeof to === 'number' && from > to;
  });

const ORDERED = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

function checkOrder(name: string, fragment: MapNode, findings: Findings): void {
  for (const [low, high] of ORDERED) {
    const [from, to] = [child(fragment, low), child(fragment, high)];
    if (from?.is !== 'scalar' || to?.is !== 'scalar') continue;
    if (typeof from.value === 'number' && typeof to.value === 'number' && from.value > to.value)
      findings.add(messages.paramBounds(name, low, high), from.at);
  }
}

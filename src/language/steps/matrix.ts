/** The axes of one step's matrix: their values, the types that `matrix.*` has by them, and the combinations put in or left out. */
import type { Span } from '../../model/diagnostic.ts';
import type { Axis, Coordinate, ExpressionValue, ListValue, Value } from '../../model/pipeline.ts';
import { coordinateText } from '../../model/run/key.ts';
import { nearest } from '../../model/text/nearest.ts';
import { checkText } from '../checks/field-check.ts';
import type { Findings } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import { typeOf } from '../types/infer.ts';
import type { TypeScope } from '../types/path-types.ts';
import {
  ANY,
  BOOL,
  type ComputedMax,
  join,
  list,
  type RecordType,
  record,
  TEXT,
  type Type,
  WRONG,
} from '../types/types.ts';
import { expression, type ReadContext, readMap, readValue, valueReads } from '../types/values.ts';
import { child, type Entry, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import { axisEntries } from './fan-out-declaration.ts';
import { INSTANCE_LIMITS } from './instance-counts.ts';

export interface Matrix {
  /** What `matrix.*` gives, by axis. */
  readonly types: ReadonlyMap<string, Type>;
  readonly matrix: readonly Axis[];
  readonly include: readonly Coordinate[];
  readonly exclude: readonly Coordinate[];
  /** Axes that certainly have several values, and every combination with them; and those of which that is unknown before the run. */
  readonly several: ReadonlySet<string>;
  readonly broken: boolean;
}

export const NO_MATRIX: Matrix = {
  types: new Map(),
  matrix: [],
  include: [],
  exclude: [],
  several: new Set(),
  broken: false,
};

/** `scope`: as the lists see the file, with the coordinates that the step inherits. */
export function readMatrix(map: MapNode, wrong: ReadonlySet<Node>, context: ReadContext, scope: TypeScope): Matrix {
  const { findings } = context;
  const types = new Map<string, Type>();
  const matrix: Axis[] = [];
  const several = new Set<string>();
  let broken = wrong.has(map);
  const axes = axisEntries(map);
  for (const entry of axes) {
    const values = rangeIn(entry, findings) ?? readValue(entry.value, context);
    const { type, max } = hasWrong(entry.value, wrong) ? { type: WRONG } : typeOfAxis(entry, values, findings, scope);
    const most = boundOf(max, values, context);
    types.set(entry.name, type);
    if (type.is === 'wrong') broken = true;
    if (values.is === 'list' && values.items.length > 1) several.add(entry.name);
    matrix.push({ name: entry.name, at: entry.nameAt, values, ...(most !== undefined && { most }) });
  }
  const include = combinations(child(map, 'include'), context);
  const exclude = combinations(child(map, 'exclude'), context);
  if (axes.length === 0) for (const entry of include[0]?.entries ?? []) types.set(entry.name, WRONG);
  if (types.size === 0 && !broken) findings.add(messages.noAxes(), map.at);
  for (const combination of include) {
    checkNames(combination, types, findings);
    const missing = [...types.keys()].filter(name => !combination.entries.some(entry => entry.name === name));
    if (missing.length > 0) findings.add(messages.incompleteCombination(missing), combination.at);
    for (const { name, value } of combination.entries) {
      const type = typeOfEntry(value, { axis: name, findings, scope });
      const before = types.get(name);
      if (before) types.set(name, axes.length === 0 && combination === include[0] ? type : joinRows(before, type));
    }
  }
  for (const combination of exclude) {
    checkNames(combination, types, findings);
    for (const { name, value } of combination.entries) checkExcluded(name, value, types.get(name), findings);
  }
  if (include.length + exclude.length > 0) several.clear();
  for (const { name, values } of matrix) if (readsResults(values)) several.add(name);
  return { types, matrix, include, exclude, several, broken };
}

const hasWrong = (node: Node, wrong: ReadonlySet<Node>): boolean =>
  wrong.has(node) || (node.is === 'list' && node.items.some(item => wrong.has(item)));

/** `1..8`, both ends included. */
function rangeIn({ value: node }: Entry, findings: Findings): ListValue | undefined {
  if (node.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const [, first, last] = /^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/.exec(node.value) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  const count = Math.abs(to - from) + 1;
  if (from > to) findings.add(messages.rangeDown(from, to), node.at);
  else if (count > INSTANCE_LIMITS.step) findings.add(messages.rangeTooLong(count, INSTANCE_LIMITS.step), node.at);
  const length = Math.min(count, INSTANCE_LIMITS.step);
  const items = Array.from({ length }, (_, index) => ({
    is: 'literal' as const,
    value: Math.min(from, to) + index,
    at: node.at,
  }));
  return { is: 'list', items, at: node.at };
}

interface AxisType {
  readonly type: Type;
  readonly max?: number | ComputedMax | undefined;
}

/** The bound of a schema, where this file can compute it: params of another file are known there alone. */
function boundOf(max: AxisType['max'], { at }: Value, context: ReadContext): Value | undefined {
  if (typeof max === 'number') return { is: 'literal', value: max, at };
  return max?.of === context.findings.source ? expression(max.code, at, context) : undefined;
}

function typeOfAxis({ name, value: node }: Entry, values: Value, findings: Findings, scope: TypeScope): AxisType {
  if (values.is === 'expression') {
    const type = typeOf(values, scope, findings);
    if (type.is === 'list') return { type: type.of, max: type.max };
    if (type.is !== 'any' && type.is !== 'wrong')
      findings.add(messages.axisNotList(name, type, values.code.trim()), values.at);
    return { type: type.is === 'any' ? type : WRONG };
  }
  if (values.is !== 'list') {
    findings.add(messages.axisText(name, node.is === 'scalar' ? String(node.value) : ''), node.at);
    return { type: WRONG };
  }
  findRepeated(name, values, findings);
  const plain = typeOfPlainValues(values.items);
  if (plain) return { type: plain };
  const types = values.items.map(item => typeOfEntry(item, { axis: name, findings, scope }));
  return { type: types.length === 0 ? WRONG : types.reduce(joinRows) };
}

/** Of numbers alone, or texts alone. Joined two by two, ten thousand of them would be copied fifty million times. */
function typeOfPlainValues(items: readonly Value[]): Type | undefined {
  const numbers: { readonly value: number; readonly at: Span }[] = [];
  const texts: { readonly value: string; readonly at: Span }[] = [];
  for (const item of items) {
    if (item.is !== 'literal') return undefined;
    const { value, at } = item;
    if (typeof value === 'number') numbers.push({ value, at });
    else if (typeof value === 'string') texts.push({ value, at });
    else return undefined;
  }
  if (items.length === 0 || (numbers.length > 0 && texts.length > 0)) return undefined;
  if (texts.length > 0) return { is: 'text', values: texts };
  return { is: numbers.every(({ value }) => Number.isInteger(value)) ? 'int' : 'double', values: numbers };
}

/** Rows may repeat: their number distinguishes them. */
function findRepeated(name: string, { items }: ListValue, findings: Findings): void {
  const seen = new Map<string, Span>();
  for (const item of items) {
    if (item.is !== 'literal') continue;
    const text = coordinateText(item.value);
    const earlier = seen.get(text);
    if (earlier)
      findings.add(messages.repeatedValue(name, text), item.at, [{ message: messages.firstHere, span: earlier }]);
    else seen.set(text, item.at);
  }
}

interface Typing {
  readonly axis: string;
  readonly findings: Findings;
  readonly scope: TypeScope;
}

/** One value of an axis: a plain one, or a row. */
function typeOfEntry(value: Value, typing: Typing): Type {
  const type = typeOfValue(value, typing);
  if (type.is !== 'list' && type.is !== 'map' && type.is !== 'null') return type;
  typing.findings.add(messages.axisValue(typing.axis, type), value.at);
  return WRONG;
}

/** What a value of the file gives, whatever is in it. */
function typeOfValue(value: Value, typing: Typing): Type {
  const { findings, scope } = typing;
  const check = (expression: ExpressionValue) => typeOf(expression, scope, findings);
  switch (value.is) {
    case 'literal':
      if (typeof value.value === 'string') return { is: 'text', values: [{ value: value.value, at: value.at }] };
      if (typeof value.value === 'number')
        return { is: Number.isInteger(value.value) ? 'int' : 'double', values: [{ value: value.value, at: value.at }] };
      return value.value === null ? { is: 'null' } : BOOL;
    case 'text':
      checkText(value, { findings, typeOf: check });
      return TEXT;
    case 'expression':
      return check(value);
    case 'list':
      return list(value.items.length === 0 ? ANY : value.items.map(item => typeOfValue(item, typing)).reduce(joinRows));
    case 'map':
      return row(value.entries.map(({ name, value: field }) => [name, typeOfValue(field, typing)]));
  }
}

/** The record of a row: its columns are checked like the fields of a result. */
export const row = (fields: Iterable<readonly [string, Type]>): RecordType => record('a row', fields);

/** Rows of one axis may differ in their columns; one that a row does not have is reported when that row is read. */
export function joinRows(a: Type, b: Type): Type {
  if (a.is !== 'record' || b.is !== 'record' || a.cel !== 'Json' || b.cel !== 'Json') return join(a, b);
  const fields = new Map(a.fields);
  for (const [name, type] of b.fields) {
    const before = fields.get(name);
    fields.set(name, before ? joinRows(before, type) : type);
  }
  return row(fields);
}

/** Its list is known when other steps have run. */
export const readsResults = (value: Value): boolean =>
  valueReads(value).some(({ root }) => root === 'steps' || root === 'each');

function combinations(node: Node | undefined, context: ReadContext): Coordinate[] {
  if (node?.is !== 'list') return [];
  return node.items.flatMap(item => (item.is === 'map' ? [readMap(item, context)] : []));
}

function checkNames(combination: Coordinate, types: ReadonlyMap<string, Type>, findings: Findings): void {
  for (const { name, nameAt } of combination.entries)
    if (!types.has(name))
      findings.add(messages.unknownCombinationAxis(name, nearest(name, types.keys()), [...types.keys()]), nameAt);
}

function checkExcluded(name: string, value: Value, type: Type | undefined, findings: Findings): void {
  if (value.is !== 'literal' || !type || !('values' in type) || !type.values) return;
  if (type.values.some(possible => possible.value === value.value)) return;
  const same = type.values.find(possible => String(possible.value) === String(value.value))?.value;
  if (same !== undefined && value.value !== null)
    return void findings.add(messages.excludeByType(name, value.value, same), value.at);
  const near = nearest(
    String(value.value),
    type.values.map(possible => String(possible.value)),
  );
  findings.add(messages.excludeNothing(name, coordinateText(value.value), near), value.at);
}

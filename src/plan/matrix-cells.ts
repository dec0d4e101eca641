/**
 * The combinations of a step's axes: every value with every other, without those an `exclude` entry matches, then the `include` entries.
 * Plain values name themselves; a row has its key, or its number in the list.
 */
import type { Span } from '../domain/diagnostic.ts';
import { canonical, isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { Axis, Coordinate, Scope, Step, Value } from '../domain/pipeline.ts';
import { evaluate } from '../language/evaluate.ts';
import { countInstances, INSTANCE_LIMITS, type Product, placeOfExcess } from '../language/instance-counts.ts';
import { messages as languageMessages } from '../language/messages/index.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import { messages } from './plan-messages.ts';
import { readsOf } from './value-reads.ts';

/** One and the same object where nothing is added. */
export const NOTHING: JsonObject = {};

/** One combination of the axes. */
export interface Cell {
  readonly matrix: JsonObject;
  readonly coordinates: JsonObject;
  /** The place to point at when this one is wrong. */
  readonly at: Span;
}

export interface CellContext {
  readonly scope: Scope;
  readonly takes: number;
  /** How many upstream instances each combination is made for. */
  readonly from: number;
}

export function cellsOf(
  step: Step,
  { scope, takes, from }: CellContext,
  diagnostics: PlanDiagnostics,
): readonly Cell[] {
  const axes = step.fanOut.matrix.map(axis => ({ axis, values: valuesOf(step, axis, scope, diagnostics) }));
  if (isTooMany(step, axes, { takes, from }, diagnostics)) return [];
  const cells = matrixOf(step, axes, scope, diagnostics);
  if (cells.length === 0 && !diagnostics.any)
    diagnostics.error('no-instances', messages.allExcluded(step.name), step.at);
  return cells;
}

interface KnownAxis {
  readonly axis: Axis;
  readonly values: readonly AxisValue[];
}

/** Asked before anything is multiplied: lists that come from params or results are known only now. */
function isTooMany(
  { name, at, fanOut }: Step,
  axes: readonly KnownAxis[],
  { takes, from }: Pick<CellContext, 'takes' | 'from'>,
  diagnostics: PlanDiagnostics,
): boolean {
  const product: Product = {
    each: fanOut.each[0] && { step: fanOut.each[0].step, count: from },
    axes: axes.map(({ axis, values }) => ({ name: axis.name, at: axis.at, count: values.length })),
    include: fanOut.include.length,
    takes,
    at,
  };
  const count = countInstances(product);
  if (count <= INSTANCE_LIMITS.step) return false;
  const { code, message } = languageMessages.tooManyInstances(name, product, count, INSTANCE_LIMITS.step);
  diagnostics.error(code, message, placeOfExcess(product));
  return true;
}

function matrixOf(step: Step, axes: readonly KnownAxis[], scope: Scope, diagnostics: PlanDiagnostics): readonly Cell[] {
  const { matrix, include, exclude } = step.fanOut;
  const start = { matrix: NOTHING, coordinates: NOTHING, at: step.at };
  let cells: readonly Cell[] = matrix.length === 0 && include.length > 0 ? [] : [start];
  for (const { axis, values } of axes) {
    cells = cells.flatMap(cell =>
      values.map(({ value, name, at }) => {
        const matrix = { ...cell.matrix, [axis.name]: value };
        // Plain values name themselves: one object for both, ten thousand times.
        const isSame = cell.matrix === cell.coordinates && value === name;
        return { matrix, coordinates: isSame ? matrix : { ...cell.coordinates, [axis.name]: name }, at };
      }),
    );
  }
  const excluded = exclude.map(entry => coordinateOf(entry, scope, diagnostics));
  const kept = cells.filter(cell => !excluded.some(names => matches(cell.matrix, names)));
  const [first] = include;
  const names = (matrix.length > 0 ? matrix : (first?.entries ?? [])).map(axis => axis.name);
  const known = new Map(axes.map(({ axis, values }) => [axis.name, values]));
  return [
    ...kept,
    ...include.map((entry, place) => includedCell(step, { entry, place, names, known }, scope, diagnostics)),
  ];
}

const matches = (matrix: JsonObject, names: JsonObject): boolean =>
  Object.entries(names).every(([name, value]) => canonical(matrix[name] ?? null) === canonical(value));

interface AxisValue {
  readonly value: Json;
  /** How it is called in a key. */
  readonly name: Json;
  readonly at: Span;
}

function valuesOf(step: Step, axis: Axis, scope: Scope, diagnostics: PlanDiagnostics): readonly AxisValue[] {
  const spans = axis.values.is === 'list' ? axis.values.items.map(item => item.at) : [];
  const list = read(axis.values, scope, diagnostics);
  if (list === undefined) return [];
  const reads = readsOf(axis.values);
  const isResult = reads.steps.size > 0 || reads.each;
  if (!Array.isArray(list)) {
    const message = isResult ? messages.resultNotAList(axis.name, list) : messages.axisNotAList(axis.name);
    diagnostics.error('wrong-type', message, axis.values.at);
    return [];
  }
  if (list.length === 0) {
    const message = isResult ? messages.emptyResult(axis.name) : messages.emptyAxis(axis.name);
    diagnostics.error('empty-axis', message, axis.values.at);
  }
  const { max } = step.fanOut;
  if (isResult && max !== undefined && list.length > max)
    diagnostics.error('too-many-instances', messages.moreThanMax(axis.name, list.length, max), axis.values.at);
  return list.map((value: Json, index) => {
    const at = spans[index] ?? axis.values.at;
    return { value, name: nameOf(step, { axis: axis.name, value, number: index + 1 }, scope, diagnostics), at };
  });
}

/** Plain values are their own names; a row has its key, or its number in the list. */
function nameOf(
  { fanOut: { key } }: Step,
  { axis, value, number }: { readonly axis: string; readonly value: Json; readonly number: number },
  scope: Scope,
  diagnostics: PlanDiagnostics,
): Json {
  const isRow = isObject(value) || Array.isArray(value);
  if (key?.axis !== axis) return isRow ? number : value;
  const name = read(key.value, { ...scope, matrix: { ...scope.matrix, [axis]: value } }, diagnostics);
  if (typeof name === 'string' && name.trim() !== '') return name;
  if (typeof name === 'number' || typeof name === 'boolean') return name;
  if (name !== undefined) diagnostics.error('wrong-type', messages.keyNotPlain(name), key.value.at);
  return number;
}

interface Included {
  readonly entry: Coordinate;
  readonly place: number;
  readonly names: readonly string[];
  readonly known: ReadonlyMap<string, readonly AxisValue[]>;
}

/** An `include` entry may name the axes in any order: its coordinates stand in the order of the axes. */
function includedCell(
  step: Step,
  { entry, place, names, known }: Included,
  scope: Scope,
  diagnostics: PlanDiagnostics,
): Cell {
  const given = coordinateOf(entry, scope, diagnostics);
  const matrix: JsonObject = Object.fromEntries(names.map(name => [name, given[name] ?? null]));
  const coordinates = names.map(axis => {
    const value = matrix[axis] ?? null;
    const values = known.get(axis) ?? [];
    const same = values.find(one => canonical(one.value) === canonical(value));
    const number = values.length + place + 1;
    return [axis, same ? same.name : nameOf(step, { axis, value, number }, scope, diagnostics)] as const;
  });
  return { matrix, coordinates: Object.fromEntries(coordinates), at: entry.at };
}

const coordinateOf = (entry: Coordinate, scope: Scope, diagnostics: PlanDiagnostics): JsonObject =>
  Object.fromEntries(entry.entries.map(({ name, value }) => [name, read(value, scope, diagnostics) ?? null]));

/** Undefined where it cannot be evaluated, which is told. */
export function read(value: Value, scope: Scope, diagnostics: PlanDiagnostics): Json | undefined {
  const answer = evaluate(value, scope);
  if (answer.is === 'ok') return answer.value;
  diagnostics.error('expression-failed', answer.message, answer.at);
  return undefined;
}

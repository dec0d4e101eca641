/**
 * One step becomes its instances: what `each` gives, crossed with the matrix.
 *
 * For each upstream instance (or once, without `each`): every combination of the axes in the order of declaration, the
 * last axis moving fastest, without those an `exclude` entry matches, then the `include` entries. Coordinates are
 * inherited first, own axes after them. Names are known to be right: `language/` has seen to that. What is found here
 * depends on params and results: an axis that turns out empty, two instances that turn out to be one.
 */
import type { Span } from '../domain/diagnostic.ts';
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import { type Coordinates, instanceKey } from '../domain/key.ts';
import type { Axis, Coordinate, Scope, Step, Value } from '../domain/pipeline.ts';
import { evaluate } from '../language/evaluate.ts';
import { countInstances, INSTANCE_LIMITS, type Product, placeOfExcess } from '../language/instance-counts.ts';
import { messages as languageMessages } from '../language/messages/index.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import type { Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { readsResults } from './step-reads.ts';
import { readsOf } from './value-reads.ts';

/** `upstream`: the slots of the step that `each` names. */
export function fanOut(
  step: Step,
  upstream: readonly Slot[] | undefined,
  scope: Scope,
  diagnostics: PlanDiagnostics,
): readonly Slot[] {
  const axes = step.fanOut.matrix.map(axis => ({ axis, values: valuesOf(axis, scope, diagnostics) }));
  if (isTooMany(step, axes, upstream, diagnostics)) return [];
  const cells = matrixOf(step, axes, scope, diagnostics);
  if (cells.length === 0 && !diagnostics.any)
    diagnostics.error('no-instances', messages.allExcluded(step.name), step.at);
  const slots: Slot[] = [];
  const seen = new Set<string>();
  for (const from of upstream ?? [undefined]) {
    for (const { matrix, at } of cells) {
      const coordinates = joined(from?.coordinates, matrix);
      const key = instanceKey(step.name, coordinates);
      if (seen.has(key)) {
        const message = readsResults(step) ? messages.duplicateInList(key) : messages.duplicateInstance(key);
        diagnostics.error('duplicate-instance', message, at);
        continue;
      }
      seen.add(key);
      slots.push({ key, step, coordinates, matrix, ...(from && { each: from.key }) });
    }
  }
  return slots;
}

const NOTHING: JsonObject = {};

/** Objects are shared where nothing is added: 10,000 instances behind one `each` cost 10,000 keys and nothing more. */
function joined(inherited: Coordinates | undefined, own: JsonObject): Coordinates {
  if (!inherited) return own;
  return own === NOTHING ? inherited : { ...inherited, ...own };
}

interface KnownAxis {
  readonly axis: Axis;
  readonly values: readonly AxisValue[];
}

/** Asked before anything is multiplied: lists that come from params or results are known only now. */
function isTooMany(
  { name, at, fanOut }: Step,
  axes: readonly KnownAxis[],
  upstream: readonly Slot[] | undefined,
  diagnostics: PlanDiagnostics,
): boolean {
  const product: Product = {
    each: upstream && { step: fanOut.each ?? '', count: upstream.length },
    axes: axes.map(({ axis, values }) => ({ name: axis.name, at: axis.at, count: values.length })),
    include: fanOut.include.length,
    at,
  };
  const count = countInstances(product);
  if (count <= INSTANCE_LIMITS.step) return false;
  const { code, message } = languageMessages.tooManyInstances(name, product, count, INSTANCE_LIMITS.step);
  diagnostics.error(code, message, placeOfExcess(product));
  return true;
}

interface Cell {
  readonly matrix: JsonObject;
  /** The place to point at when this one is wrong. */
  readonly at: Span;
}

function matrixOf(step: Step, axes: readonly KnownAxis[], scope: Scope, diagnostics: PlanDiagnostics): readonly Cell[] {
  const { matrix, include, exclude } = step.fanOut;
  let cells: readonly Cell[] = matrix.length === 0 && include.length > 0 ? [] : [{ matrix: NOTHING, at: step.at }];
  for (const { axis, values } of axes) {
    cells = cells.flatMap(cell =>
      values.map(({ value, at }) => ({ matrix: { ...cell.matrix, [axis.name]: value }, at })),
    );
  }
  const excluded = exclude.map(entry => coordinateOf(entry, scope, diagnostics));
  const kept = cells.filter(cell => !excluded.some(names => matches(cell.matrix, names)));
  const [first] = include;
  const names = (matrix.length > 0 ? matrix : (first?.entries ?? [])).map(axis => axis.name);
  return [...kept, ...include.map(entry => includedCell(entry, names, scope, diagnostics))];
}

const matches = (matrix: JsonObject, names: JsonObject): boolean =>
  Object.entries(names).every(([name, value]) => canonical(matrix[name] ?? null) === canonical(value));

interface AxisValue {
  readonly value: Json;
  readonly at: Span;
}

function valuesOf(axis: Axis, scope: Scope, diagnostics: PlanDiagnostics): readonly AxisValue[] {
  const spans = axis.values.is === 'list' ? axis.values.items.map(item => item.at) : [];
  const list = read(axis.values, scope, diagnostics);
  if (list === undefined) return [];
  const isResult = readsOf(axis.values).steps.size > 0;
  if (!Array.isArray(list)) {
    const message = isResult ? messages.resultNotAList(axis.name, list) : messages.axisNotAList(axis.name);
    diagnostics.error('wrong-type', message, axis.values.at);
    return [];
  }
  if (list.length === 0) {
    const message = isResult ? messages.emptyResult(axis.name) : messages.emptyAxis(axis.name);
    diagnostics.error('empty-axis', message, axis.values.at);
  }
  return list.map((value: Json, index) => ({ value, at: spans[index] ?? axis.values.at }));
}

/** An `include` entry may name the axes in any order: its coordinates stand in the order of the axes. */
function includedCell(entry: Coordinate, names: readonly string[], scope: Scope, diagnostics: PlanDiagnostics): Cell {
  const given = coordinateOf(entry, scope, diagnostics);
  return { matrix: Object.fromEntries(names.map(name => [name, given[name] ?? null])), at: entry.at };
}

const coordinateOf = (entry: Coordinate, scope: Scope, diagnostics: PlanDiagnostics): JsonObject =>
  Object.fromEntries(entry.entries.map(({ name, value }) => [name, read(value, scope, diagnostics) ?? null]));

function read(value: Value, scope: Scope, diagnostics: PlanDiagnostics): Json | undefined {
  const answer = evaluate(value, scope);
  if (answer.is === 'ok') return answer.value;
  diagnostics.error('expression-failed', answer.message, answer.at);
  return undefined;
}

/**
 * One step becomes its instances: what `each` gives, crossed with the matrix, times `takes`.
 *
 * For each upstream instance (or once, without `each`): every combination of the axes in the order of declaration, the
 * last axis moving fastest, without those an `exclude` entry matches, then the `include` entries; of each of them every take.
 * Coordinates are inherited first, own axes after them, the take last. A row's coordinate is its key or its number: rows are read
 * whole as `matrix.row`. Names are known to be right: `language/` has seen to that. What is found here depends on params,
 * data and results: an axis that turns out empty, two instances that turn out to be one, instances that meet none.
 */

import { messages as languageMessages } from '../../language/messages/index.ts';
import {
  countInstances,
  INSTANCE_LIMITS,
  MOST_ROUNDS,
  type Product,
  placeOfExcess,
} from '../../language/steps/instance-counts.ts';
import { evaluate } from '../../language/types/evaluate.ts';
import type { Span } from '../../model/diagnostic.ts';
import type { Axis, Coordinate, Scope, Step, Until, Value } from '../../model/pipeline.ts';
import { calledAs, groupInside, type InstanceKey, instanceKey, localName } from '../../model/run/key.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { joinedSources, type Origin } from '../graph/join.ts';
import { type Slot, stepsByModel } from '../graph/plan-graph.ts';
import { roundsIn } from '../graph/round-order.ts';
import type { PlanDiagnostics } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import { listsRead, readsPrevious } from './step-reads.ts';
import { readsOf } from './value-reads.ts';

/** What the lists of a step can read, beside the coordinates that it inherits. */
interface ListScope extends Omit<Scope, 'matrix' | 'each' | 'take' | 'previous'> {
  /** What `each` reads for one upstream instance, or for those that meet; undefined where they were skipped. */
  readonly each?: (origin: Origin) => Json | undefined;
}

/** `sources`: the slots of each step that `each` names. `outer`: the instance of the `uses` step that it belongs to. */
export function fanOut(
  step: Step,
  sources: readonly (readonly Slot[])[],
  lists: ListScope,
  diagnostics: PlanDiagnostics,
  outer?: Slot,
): readonly Slot[] {
  const origins = gathered(step, joinedSources(step, sources, diagnostics));
  const { each, ...read } = lists;
  const scope: Scope = { ...read, matrix: NOTHING, each: null, take: NOTHING, previous: NOTHING };
  const takes = takesOf(step, scope, diagnostics);
  const rounds = step.until ? mostRounds(step.until, scope, diagnostics) : 1;
  const followsOrigin = listsRead(step).each || listsRead(step).matrix.size > 0;
  const shared = followsOrigin ? undefined : cellsOf(step, { scope, takes, from: origins.length }, diagnostics);
  const slots: Slot[] = [];
  const seen = new Set<string>();
  for (const origin of origins) {
    const cells = shared ?? cellsOfOrigin(step, { scope, takes, from: 1 }, origin, each, diagnostics);
    for (const cell of cells) {
      for (let take = 1; take <= takes; take++) {
        const once = slotOf(step, { origin, outer }, cell, hasTakes(step) ? take : undefined);
        for (const slot of step.until ? roundsIn(once, rounds) : [once]) {
          if (!seen.has(slot.key)) slots.push(slot);
          else diagnostics.error('duplicate-instance', duplicate(step, slot.key), cell.at);
          seen.add(slot.key);
        }
      }
    }
    if (isFull(step, slots, diagnostics)) return [];
  }
  return readsPrevious(step) && !step.until ? linkPrevious(step, slots) : slots;
}

/**
 * `previous`: the instance before. Instances stand one behind the other along the last axis of their step (the take, where it
 * has no axis of its own; the last coordinate it inherits, where it has neither), for each combination of the others.
 */
function linkPrevious({ fanOut }: Step, slots: readonly Slot[]): readonly Slot[] {
  const last = new Map<string, Slot>();
  return slots.map(slot => {
    const names = Object.keys(slot.coordinates);
    const along = fanOut.matrix.at(-1)?.name ?? fanOut.include[0]?.entries.at(-1)?.name ?? names.at(-1);
    const others = names.filter(name => name !== along);
    const line = canonical(others.map(name => slot.coordinates[name] ?? null));
    const before = last.get(line);
    last.set(line, slot);
    return before ? { ...slot, previous: before.key } : slot;
  });
}

const hasTakes = ({ fanOut: { takes } }: Step): boolean => takes !== undefined;

function duplicate(step: Step, key: string): string {
  const { each, steps } = listsRead(step);
  return each || steps.size > 0 ? messages.duplicateInList(key) : messages.duplicateInstance(key);
}

/** Lists that come from each upstream instance add up, and no single one of them need be too long. */
function isFull({ name, at }: Step, slots: readonly Slot[], diagnostics: PlanDiagnostics): boolean {
  if (slots.length <= INSTANCE_LIMITS.step) return false;
  diagnostics.error('too-many-instances', messages.tooManyInAll(name, INSTANCE_LIMITS.step), at);
  return true;
}

/** Objects are shared where nothing is added: 10,000 instances behind one `each` cost 10,000 keys and nothing more. */
function slotOf(
  step: Step,
  { origin, outer }: { readonly origin: Origin | undefined; readonly outer: Slot | undefined },
  cell: Cell,
  take: number | undefined,
): Slot {
  const own = take === undefined ? cell.coordinates : { ...cell.coordinates, take };
  const coordinates = joined(origin?.coordinates, own);
  const matrix = joined(origin?.matrix, take === undefined ? cell.matrix : { ...cell.matrix, take });
  return {
    key: keyOf(step, coordinates, outer),
    step: variantOf(step, cell.matrix),
    coordinates,
    matrix,
    ...(origin && (gathers(step) ? { gathered: origin.keys } : { each: origin.keys })),
    ...(take !== undefined && { take }),
    ...(outer && { outer }),
  };
}

/** The judge of a pick is inside each of its instances: `best[beat=3]/judge`. */
function keyOf(step: Step, coordinates: JsonObject, outer: Slot | undefined): InstanceKey {
  const named = 'pick' in step ? step.pick : calledAs(step.name);
  const key = instanceKey(outer ? groupInside(outer.key, localName(named)) : named, coordinates);
  return 'pick' in step ? (groupInside(key, localName(step.name)) as string as InstanceKey) : key;
}

const gathers = ({ fanOut }: Step): 'take' | undefined => fanOut.each[0]?.gathers;

/** All takes of what `each` names are one origin, in their order. */
function gathered(step: Step, origins: readonly (Origin | undefined)[]): readonly (Origin | undefined)[] {
  const name = gathers(step);
  if (name === undefined) return origins;
  const groups = new Map<string, Origin>();
  for (const origin of origins) {
    if (!origin) continue;
    const { [name]: _, ...coordinates } = origin.coordinates;
    const { [name]: __, ...matrix } = origin.matrix;
    const place = canonical(coordinates);
    const keys = [...(groups.get(place)?.keys ?? []), ...origin.keys];
    groups.set(place, { keys, coordinates, matrix });
  }
  return [...groups.values()];
}

const joined = (inherited: JsonObject | undefined, own: JsonObject): JsonObject =>
  !inherited ? own : own === NOTHING ? inherited : { ...inherited, ...own };

/** Where the model is an axis, the step is another one for each of its values. */
function variantOf(step: Step, matrix: JsonObject): Step {
  const byModel = 'byModel' in step ? step.byModel : undefined;
  return byModel ? (stepsByModel(step).get(String(matrix[byModel.axis])) ?? step) : step;
}

function takesOf({ fanOut: { takes } }: Step, scope: Scope, diagnostics: PlanDiagnostics): number {
  if (!takes) return 1;
  return countIn(takes, { called: '`takes`', most: INSTANCE_LIMITS.step }, scope, diagnostics) ?? 1;
}

const mostRounds = ({ max }: Until, scope: Scope, diagnostics: PlanDiagnostics): number =>
  countIn(max, ROUNDS, scope, diagnostics) ?? 1;

export interface CountRange {
  readonly called: string;
  readonly most: number;
}
export const ROUNDS: CountRange = { called: '`max` of `until`', most: MOST_ROUNDS };
export const ENTRIES: CountRange = { called: '`max`', most: INSTANCE_LIMITS.step };

/** A whole number from 1 in a file, written or computed; undefined where it is none, which is a diagnostic. */
export function countIn(
  value: Value,
  { called, most }: CountRange,
  scope: Scope,
  diagnostics: PlanDiagnostics,
): number | undefined {
  const count = read(value, scope, diagnostics);
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= most) return count;
  if (count !== undefined) diagnostics.error('out-of-range', messages.countRange(called, count, most), value.at);
  return undefined;
}

/** Its lists read the coordinates that it inherits, or the result that it is made from. */
function cellsOfOrigin(
  step: Step,
  context: CellContext,
  origin: Origin | undefined,
  each: ListScope['each'],
  diagnostics: PlanDiagnostics,
): readonly Cell[] {
  const result = origin && each ? each(origin) : null;
  if (result === undefined) return [];
  const scope = { ...context.scope, matrix: origin?.matrix ?? NOTHING, each: result };
  return cellsOf(step, { ...context, scope }, diagnostics);
}

// The combinations of a step's axes: every value with every other, without those an `exclude` entry matches, then the `include` entries.
// Plain values name themselves; a row has its key, or its number in the list.

/** One and the same object where nothing is added. */
const NOTHING: JsonObject = {};

/** One combination of the axes. */
interface Cell {
  readonly matrix: JsonObject;
  readonly coordinates: JsonObject;
  /** The place to point at when this one is wrong. */
  readonly at: Span;
}

interface CellContext {
  readonly scope: Scope;
  readonly takes: number;
  /** How many upstream instances each combination is made for. */
  readonly from: number;
}

function cellsOf(step: Step, { scope, takes, from }: CellContext, diagnostics: PlanDiagnostics): readonly Cell[] {
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
  const max = isResult && step.fanOut.max ? countIn(step.fanOut.max, ENTRIES, scope, diagnostics) : undefined;
  if (max !== undefined && list.length > max)
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

/** Undefined where it cannot be evaluated, which is a diagnostic. */
function read(value: Value, scope: Scope, diagnostics: PlanDiagnostics): Json | undefined {
  const answer = evaluate(value, scope);
  if (answer.is === 'ok') return answer.value;
  diagnostics.error('expression-failed', answer.message, answer.at);
  return undefined;
}

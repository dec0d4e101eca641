/**
 * One step becomes its instances: what `each` gives, crossed with the matrix.
 *
 * For each upstream instance (or once, without `each`): every combination of the axes in the order of declaration, the
 * last axis moving fastest, without those an `exclude` entry matches, then the `include` entries. Coordinates are
 * inherited first, own axes after them.
 */
import type { Span } from '../domain/diagnostic.ts';
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import { type Coordinates, type InstanceKey, instanceKey, type StepName } from '../domain/key.ts';
import type { Axis, Coordinate, Pipeline, Scope, Step, Value } from '../domain/pipeline.ts';
import { evaluate } from '../language/expression.ts';
import type { Findings } from './findings.ts';
import { words } from './words.ts';

/** An instance before anything is known of it but its place. */
export interface Slot {
  readonly key: InstanceKey;
  readonly step: Step;
  readonly coordinates: Coordinates;
  /** The step's own axes only. */
  readonly matrix: JsonObject;
  readonly each?: InstanceKey;
}

const NOTHING: JsonObject = {};

/** `upstream`: the slots of the step that `each` names. */
export function fanOut(
  step: Step,
  upstream: readonly Slot[] | undefined,
  scope: Scope,
  findings: Findings,
): readonly Slot[] {
  const cells = matrixOf(step, scope, findings);
  const inherited = upstream?.[0]?.coordinates ?? NOTHING;
  for (const axis of step.fanOut.matrix) {
    if (Object.hasOwn(inherited, axis.name))
      findings.error('axis-inherited', words.axisInherited(axis.name, step.fanOut.each), axis.at);
  }
  const excluded = excludeOf(step, inherited, scope, findings);
  const slots: Slot[] = [];
  const seen = new Set<string>();
  for (const from of upstream ?? [undefined]) {
    for (const { matrix, at, included } of cells) {
      const coordinates = joined(from?.coordinates, matrix);
      if (!included && excluded(coordinates)) continue;
      const key = instanceKey(step.name, coordinates);
      if (seen.has(key)) {
        findings.error('duplicate-instance', words.duplicateInstance(key), at);
        continue;
      }
      seen.add(key);
      slots.push({ key, step, coordinates, matrix, ...(from && { each: from.key }) });
    }
  }
  return slots;
}

/** Does a bare reference to this step give a list? Decided by the declaration, never by how many instances there happen to be. */
export function fansOut(pipeline: Pipeline, name: StepName): boolean {
  let known = knownFans.get(pipeline);
  if (!known) {
    known = new Map();
    knownFans.set(pipeline, known);
  }
  let answer = known.get(name);
  if (answer === undefined) {
    const fan = pipeline.steps.find(step => step.name === name)?.fanOut;
    answer =
      fan !== undefined &&
      (fan.matrix.length + fan.include.length > 0 || (fan.each !== undefined && fansOut(pipeline, fan.each)));
    known.set(name, answer);
  }
  return answer;
}

const knownFans = new WeakMap<Pipeline, Map<StepName, boolean>>();

/** Objects are shared where nothing is added: 10,000 instances behind one `each` cost 10,000 keys and nothing more. */
function joined(inherited: Coordinates | undefined, own: JsonObject): Coordinates {
  if (!inherited || inherited === NOTHING) return own;
  return own === NOTHING ? inherited : { ...inherited, ...own };
}

interface Cell {
  readonly matrix: JsonObject;
  /** What to point at when this one is wrong. */
  readonly at: Span;
  readonly included: boolean;
}

function matrixOf(step: Step, scope: Scope, findings: Findings): readonly Cell[] {
  const { matrix, include } = step.fanOut;
  const axes = matrix.map(axis => ({ axis, values: valuesOf(axis, scope, findings) }));
  let cells: readonly Cell[] =
    matrix.length === 0 && include.length > 0 ? [] : [{ matrix: NOTHING, at: step.at, included: false }];
  for (const { axis, values } of axes) {
    cells = cells.flatMap(cell =>
      values.map(({ value, at }) => ({ matrix: { ...cell.matrix, [axis.name]: value }, at, included: false })),
    );
  }
  const first = include[0];
  const names = matrix.length > 0 ? matrix.map(axis => axis.name) : (first?.entries.map(entry => entry.name) ?? []);
  return [...cells, ...include.map(entry => includedCell(entry, names, scope, findings))];
}

function valuesOf(
  axis: Axis,
  scope: Scope,
  findings: Findings,
): readonly { readonly value: Json; readonly at: Span }[] {
  const spans = axis.values.is === 'list' ? axis.values.items.map(item => item.at) : [];
  const list = read(axis.values, scope, findings);
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    findings.error('wrong-type', words.axisNotAList(axis.name), axis.values.at);
    return [];
  }
  if (list.length === 0) findings.error('empty-axis', words.emptyAxis(axis.name), axis.values.at);
  return list.map((value: Json, index) => ({ value, at: spans[index] ?? axis.values.at }));
}

/** An `include` entry names every axis, in any order; its coordinates stand in the order of the axes. */
function includedCell(entry: Coordinate, names: readonly string[], scope: Scope, findings: Findings): Cell {
  const given = coordinateOf(entry, scope, findings);
  const missing = names.filter(name => !Object.hasOwn(given, name));
  if (missing.length > 0) findings.error('include-incomplete', words.includeIncomplete(missing), entry.at);
  refuseStrangers(entry, names, 'include', findings);
  const matrix = Object.fromEntries(names.map(name => [name, given[name] ?? null]));
  return { matrix, at: entry.at, included: true };
}

function excludeOf(
  step: Step,
  inherited: Coordinates,
  scope: Scope,
  findings: Findings,
): (coordinates: Coordinates) => boolean {
  const names = [...Object.keys(inherited), ...step.fanOut.matrix.map(axis => axis.name)];
  const rules = step.fanOut.exclude.map(entry => {
    refuseStrangers(entry, names, 'exclude', findings);
    return Object.entries(coordinateOf(entry, scope, findings)).map(
      ([name, value]) => [name, canonical(value)] as const,
    );
  });
  if (rules.length === 0) return () => false;
  return coordinates => rules.some(rule => rule.every(([name, text]) => canonical(coordinates[name] ?? null) === text));
}

function refuseStrangers(entry: Coordinate, names: readonly string[], where: string, findings: Findings): void {
  for (const { name, nameAt } of entry.entries) {
    if (!names.includes(name)) findings.error('unknown-axis', words.unknownAxis(name, where, names), nameAt);
  }
}

function coordinateOf(entry: Coordinate, scope: Scope, findings: Findings): JsonObject {
  const pairs = entry.entries.map(({ name, value }) => [name, read(value, scope, findings) ?? null] as const);
  return Object.fromEntries(pairs);
}

function read(value: Value, scope: Scope, findings: Findings): Json | undefined {
  const answer = evaluate(value, scope);
  if (answer.is === 'ok') return answer.value;
  findings.error('expression-failed', answer.message, answer.at);
  return undefined;
}

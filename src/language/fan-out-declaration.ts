/** `each` and `matrix`: which instances a step has, and what `matrix.*` and `each` mean in it. */
import type { Span } from '../domain/diagnostic.ts';
import { coordinateText, type StepName } from '../domain/key.ts';
import { nearest } from '../domain/nearest.ts';
import type { Axis, Coordinate, FanOut, Value } from '../domain/pipeline.ts';
import { readCode } from './cel.ts';
import { checkText } from './field-check.ts';
import type { Findings } from './findings.ts';
import { typeOf } from './infer.ts';
import { messages } from './messages/index.ts';
import type { TypeScope } from './path-types.ts';
import { child, type Entry, type MapNode, type Node } from './syntax-tree.ts';
import { ANY, BOOL, join, type Type, WRONG } from './types.ts';
import { placeInCode, type ReadContext, readMap, readValue } from './values.ts';

/** The fan-out of one step as far as the step itself tells it. */
export interface DeclaredFanOut {
  /** The step named by `each`; whether it exists and is fanned out is not known here. */
  readonly each: { readonly step: string; readonly at: Span } | undefined;
  /** What `matrix.*` gives; undefined without a matrix. */
  readonly types: ReadonlyMap<string, Type> | undefined;
  readonly matrix: readonly Axis[];
  readonly include: readonly Coordinate[];
  readonly exclude: readonly Coordinate[];
  /** Axes that certainly have one value only: a path may leave them out. */
  readonly single: ReadonlySet<string>;
  /** Set when something is wrong: what depends on it is not judged. */
  readonly broken: boolean;
}

export function readFanOut(
  step: MapNode,
  name: string,
  wrong: ReadonlySet<Node>,
  context: ReadContext,
  scope: TypeScope,
): DeclaredFanOut {
  const each = readEach(child(step, 'each'), name, wrong, scope, context);
  const node = child(step, 'matrix');
  const none = { matrix: [], include: [], exclude: [], single: new Set<string>(), types: undefined };
  if (node?.is !== 'map')
    return {
      ...none,
      each: each?.step === undefined ? undefined : each,
      broken: each === BROKEN || node !== undefined,
    };
  const matrix = readMatrix(node, wrong, context, { ...scope, before: 'an axis' });
  return { ...matrix, each: each?.step === undefined ? undefined : each, broken: each === BROKEN || matrix.broken };
}

/** The domain's `FanOut`, once every step is known to be sound. */
export const fanOutOf = ({ each, matrix, include, exclude }: DeclaredFanOut): FanOut => ({
  ...(each ? { each: each.step as StepName } : {}),
  matrix,
  include,
  exclude,
});

const BROKEN = { step: undefined };

function readEach(
  node: Node | undefined,
  step: string,
  wrong: ReadonlySet<Node>,
  scope: TypeScope,
  context: ReadContext,
) {
  if (node?.is !== 'scalar' || typeof node.value !== 'string' || wrong.has(node)) return node ? BROKEN : undefined;
  const value = readValue(node, context);
  if (value.is !== 'expression') {
    const isStep = value.is === 'literal' && scope.steps.has(String(value.value));
    context.findings.add(isStep ? messages.eachName(node.value) : messages.eachShape(), node.at);
    return BROKEN;
  }
  const read = readCode(value.code);
  const [root, name, ...rest] = read.is === 'path' ? read.selections[0].segments : [];
  if (root?.name !== 'steps' || name === undefined || rest.length > 0) {
    context.findings.add(messages.eachShape(), value.at);
    return BROKEN;
  }
  const at = placeInCode(context.findings.source.text, value, name.start, name.end);
  if (name.name === step) context.findings.add(messages.selfReference(step), at);
  else if (!scope.steps.has(name.name))
    context.findings.add(messages.unknownStep(step, name.name, nearest(name.name, scope.steps.keys())), at);
  else return { step: name.name, at };
  return BROKEN;
}

type Matrix = Omit<DeclaredFanOut, 'each'>;

function readMatrix(map: MapNode, wrong: ReadonlySet<Node>, context: ReadContext, scope: TypeScope): Matrix {
  const { findings } = context;
  const types = new Map<string, Type>();
  const matrix: Axis[] = [];
  const single = new Set<string>();
  let broken = wrong.has(map);
  const reserved = new Set(['include', 'exclude']);
  const axes = map.entries.filter(entry => !reserved.has(entry.name));
  for (const entry of axes) {
    const values = readValue(entry.value, context);
    const type = wrong.has(entry.value) ? WRONG : typeOfAxis(entry, values, findings, scope);
    types.set(entry.name, type);
    if (type.is === 'wrong') broken = true;
    if (values.is === 'list' && values.items.length === 1) single.add(entry.name);
    matrix.push({ name: entry.name, at: entry.nameAt, values });
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
      const type = scalarType(name, value, findings, scope);
      const before = types.get(name);
      if (before) types.set(name, axes.length === 0 && combination === include[0] ? type : join(before, type));
      single.delete(name);
    }
  }
  for (const combination of exclude) {
    checkNames(combination, types, findings);
    for (const { name, value } of combination.entries) checkExcluded(name, value, types.get(name), findings);
  }
  return { types, matrix, include, exclude, single, broken };
}

function typeOfAxis({ name, value: node }: Entry, values: Value, findings: Findings, scope: TypeScope): Type {
  if (values.is === 'expression') {
    const type = typeOf(values, scope, findings);
    if (type.is === 'list') return type.of;
    if (type.is !== 'any' && type.is !== 'wrong') findings.add(messages.axisNotList(name, type), values.at);
    return type.is === 'any' ? ANY : WRONG;
  }
  if (values.is !== 'list') {
    findings.add(messages.axisText(name), node.at);
    return WRONG;
  }
  const seen = new Map<string, Span>();
  for (const item of values.items) {
    if (item.is !== 'literal') continue;
    const text = coordinateText(item.value);
    const earlier = seen.get(text);
    if (earlier)
      findings.add(messages.repeatedValue(name, text), item.at, [{ message: messages.firstHere, span: earlier }]);
    else seen.set(text, item.at);
  }
  return values.items
    .map(item => scalarType(name, item, findings, scope))
    .reduce(join, values.items.length === 0 ? WRONG : scalarType(name, values.items[0]!, findings, scope));
}

function scalarType(name: string, value: Value, findings: Findings, scope: TypeScope): Type {
  switch (value.is) {
    case 'literal':
      if (typeof value.value === 'string') return { is: 'text', values: [{ value: value.value, at: value.at }] };
      if (typeof value.value === 'number')
        return { is: Number.isInteger(value.value) ? 'int' : 'double', values: [{ value: value.value, at: value.at }] };
      return BOOL;
    case 'text':
      checkText(value, { findings, typeOf: expression => typeOf(expression, scope, findings) });
      return { is: 'text' };
    case 'expression': {
      const type = typeOf(value, scope, findings);
      if (type.is !== 'list' && type.is !== 'map' && type.is !== 'record' && type.is !== 'null') return type;
      findings.add(messages.axisValue(name, type), value.at);
      return WRONG;
    }
    default:
      return WRONG;
  }
}

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
  const near = nearest(
    String(value.value),
    type.values.map(possible => String(possible.value)),
  );
  findings.add(messages.excludeNothing(name, coordinateText(value.value), near), value.at);
}

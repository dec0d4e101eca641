/** Coordinates, their types and mistakes are inherited along `each`: the steps that it names are resolved first. */

import type { Axis, ExpressionValue, FanOut, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import type { Findings } from '../checks/findings.ts';
import type { StepResult } from '../kinds/kind.ts';
import { withoutQuotes } from '../messages/foreign/wording.ts';
import { messages } from '../messages/index.ts';
import { typeOf } from '../types/infer.ts';
import type { StepType, TypeScope } from '../types/path-types.ts';
import { join, type Type, WRONG } from '../types/types.ts';
import { type ReadContext, readValue } from '../types/values.ts';
import { type FileContext, readContextOf, typeScopeOf } from '../yaml/file-context.ts';
import type { Entry, MapNode } from '../yaml/syntax-tree.ts';
import { type DeclaredFanOut, declareFanOut } from './fan-out-declaration.ts';
import { type Matrix, NO_MATRIX, readMatrix, readsResults } from './matrix.ts';

/** A fan-out with what it inherits. */
export interface ResolvedFanOut extends Omit<Matrix, 'types'> {
  readonly each: DeclaredFanOut['each'];
  readonly gathers: DeclaredFanOut['gathers'];
  /** Names of the coordinates of an instance, inherited ones first; the take last. */
  readonly coordinates: readonly string[];
  /** What `matrix.*` gives. */
  readonly types: ReadonlyMap<string, Type>;
  readonly takes: Value | undefined;
  readonly max: Value | undefined;
  readonly key: FanOut['key'];
}

/** The domain's `FanOut`, once every step is known to be sound. */
export const fanOutOf = ({ each, gathers, matrix, include, exclude, takes, max, key }: ResolvedFanOut): FanOut => ({
  each: each.map(({ step, name }) => ({
    step: step as StepName,
    ...(name !== undefined && { name }),
    ...(gathers && { gathers }),
  })),
  matrix,
  include,
  exclude,
  ...(takes && { takes }),
  ...(max && { max }),
  ...(key && { key }),
});

/** The result is in an order in which `each` always names earlier steps. `names`: of all steps of the file, sound or not. */
export function resolveFanOuts(
  names: readonly string[],
  steps: ReadonlyMap<string, { readonly node: MapNode; readonly gathers?: 'take' }>,
  results: ReadonlyMap<string, StepResult>,
  file: FileContext,
): ReadonlyMap<string, ResolvedFanOut> {
  const all = new Set(names);
  const declared = new Map<string, DeclaredFanOut>();
  for (const [name, step] of steps)
    declared.set(name, declareFanOut(step, name, all, file.wrong, readContextOf(file, undefined)));
  const { order, cyclic } = eachOrder(declared);
  const coordinates = new Map<string, readonly string[]>();
  for (const name of order) coordinates.set(name, coordinatesOf(declared.get(name)!, coordinates));
  const types = new Map<string, StepType>(
    names.map(name => [
      name,
      {
        result: results.get(name)?.type ?? WRONG,
        coordinates: cyclic.has(name) ? [] : (coordinates.get(name) ?? []),
      },
    ]),
  );
  const resolved = new Map<string, ResolvedFanOut>();
  for (const name of order) {
    const fanOut = declared.get(name)!;
    // `cycles.ts` reports a cycle; nothing else is reported about the steps on it.
    const isBroken = fanOut.broken || cyclic.has(name) || !inheritsSoundly(name, fanOut, resolved, file);
    resolved.set(name, resolveOne(name, fanOut, isBroken, coordinates.get(name) ?? [], { resolved, types, file }));
  }
  return resolved;
}

/** Every step behind those that its `each` names. An explicit stack: ten thousand links are a file, not a reason to overflow. */
function eachOrder(declared: ReadonlyMap<string, DeclaredFanOut>) {
  const order = new Set<string>();
  const cyclic = new Set<string>();
  const open = new Set<string>();
  for (const first of declared.keys()) {
    const stack = [{ name: first, seen: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const next = order.has(top.name) ? undefined : declared.get(top.name)?.each[top.seen++]?.step;
      if (top.seen <= 1) open.add(top.name);
      if (next === undefined) {
        order.add(top.name);
        open.delete(top.name);
        stack.pop();
      } else if (open.has(next)) for (const { name } of stack) cyclic.add(name);
      else if (declared.has(next) && !order.has(next)) stack.push({ name: next, seen: 0 });
    }
  }
  return { order, cyclic };
}

/** Inherited ones in the order of `each`, then the axes, then the take. */
function coordinatesOf(
  { each, axes, takes, gathers }: DeclaredFanOut,
  upstream: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const all = each.flatMap(({ step }) => upstream.get(step) ?? []);
  const inherited = all.filter(name => name !== gathers);
  return [...new Set([...inherited, ...axes.map(({ name }) => name), ...(takes ? ['take'] : [])])];
}

/** False where a step that `each` names has something wrong, or has nothing to give to `each`, which is reported. */
function inheritsSoundly(
  name: string,
  { each, axes, takes, gathers }: DeclaredFanOut,
  resolved: ReadonlyMap<string, ResolvedFanOut>,
  { findings }: FileContext,
): boolean {
  let isSound = true;
  for (const { step, at } of each) {
    const upstream = resolved.get(step);
    if (upstream && !upstream.broken && upstream.coordinates.length === 0) {
      findings.add(messages.eachOfSingle(step), at);
      isSound = false;
    }
    if (!upstream || upstream.broken) {
      isSound = false;
      continue;
    }
    if (gathers && upstream.coordinates.length > 0 && !upstream.coordinates.includes(gathers)) {
      findings.add(messages.takesOfNone(step), at);
      isSound = false;
    }
    for (const axis of axes)
      if (upstream.coordinates.includes(axis.name)) findings.add(messages.axisTaken(axis.name, step), axis.nameAt);
    if (takes && upstream.coordinates.includes('take')) findings.add(messages.takeTaken(step), takes.nameAt);
  }
  if (isSound) warnOfPairs(name, each, resolved, findings);
  return isSound;
}

/** Lists that have no coordinate in common are combined, each with each: seldom meant, and paid for. */
function warnOfPairs(
  name: string,
  each: DeclaredFanOut['each'],
  resolved: ReadonlyMap<string, ResolvedFanOut>,
  findings: Findings,
): void {
  const several = each.map(source => ({ ...source, of: resolved.get(source.step)?.several ?? new Set<string>() }));
  for (const [index, one] of several.entries())
    for (const other of several.slice(0, index))
      if (one.of.size > 0 && other.of.size > 0 && ![...one.of].some(name => other.of.has(name)))
        findings.add(messages.eachOfPairs(name, other.step, one.step), one.at);
}

interface Around {
  readonly resolved: ReadonlyMap<string, ResolvedFanOut>;
  /** Of all steps, as far as they are known without the types of their axes. */
  readonly types: ReadonlyMap<string, StepType>;
  readonly file: FileContext;
}

function resolveOne(
  name: string,
  declared: DeclaredFanOut,
  isBroken: boolean,
  coordinates: readonly string[],
  { resolved, types, file }: Around,
): ResolvedFanOut {
  const { each, max, gathers } = declared;
  const sources = each.flatMap(({ step }) => resolved.get(step) ?? []);
  const inherited = new Map<string, Type>();
  for (const source of sources)
    for (const [axis, type] of source.types) {
      if (axis === gathers) continue;
      const before = inherited.get(axis);
      inherited.set(axis, before && before !== type ? join(before, type) : type);
    }
  const fanOut = { each, gathers, types: inherited, coordinates: [], broken: isBroken };
  const scope = typeScopeOf(name, types, file, fanOut);
  const context = readContextOf(file, inherited);
  const lists = {
    ...scope,
    before: { where: 'an axis', roots: ['params', 'data', 'steps', 'matrix', 'each'] },
  } as const;
  const own = declared.matrix ? readMatrix(declared.matrix, file.wrong, context, lists) : NO_MATRIX;
  const all = new Map([...inherited, ...own.types]);
  const whole = { ...scope, matrix: all };
  const takes = declared.takes && readCount(declared.takes, context, scope, file.findings);
  if (!isBroken && !own.broken) {
    for (const axis of own.matrix)
      if (readsResults(axis.values) && !max && axis.most === undefined)
        file.findings.add(messages.maxMissing(axis.name), axis.values.at);
  }
  return {
    ...own,
    each,
    gathers,
    coordinates,
    types: all,
    takes,
    max: max && readCount(max, context, scope, file.findings),
    key: declared.key && readKey(declared.key, own.matrix, readContextOf(file, all), whole, file.findings),
    several: new Set([
      ...sources.flatMap(source => [...source.several].filter(name => name !== gathers)),
      ...own.several,
      ...(isMany(takes) ? ['take'] : []),
    ]),
    broken: isBroken || own.broken,
  };
}

const isMany = (takes: Value | undefined): boolean =>
  takes?.is === 'literal' && typeof takes.value === 'number' && takes.value > 1;

/** What distinguishes the instances of a step beside its axes: the take, and the key in the place of a row's number. */

/** `takes: 3` or `max: 12`, or an expression that is known before the run. */
function readCount(
  { name, value: node }: Entry,
  context: ReadContext,
  scope: TypeScope,
  findings: Findings,
): Value | undefined {
  const value = readValue(node, context);
  if (value.is === 'literal' && typeof value.value === 'number') return value;
  if (value.is !== 'expression') {
    findings.add(messages.countShape(name, withoutQuotes(value.is === 'literal' ? value.value : undefined)), node.at);
    return undefined;
  }
  const type = typeOf(value, { ...scope, before: { where: `\`${name}\``, roots: ['params', 'data'] } }, findings);
  if (!isOneOf(type, ['int', 'any', 'wrong'])) findings.add(messages.countNotNumber(name, type), value.at);
  return value;
}

/** An expression over the one axis with the rows that it names. */
function readKey(
  { value: node }: Entry,
  axes: readonly Axis[],
  context: ReadContext,
  scope: TypeScope,
  findings: Findings,
): FanOut['key'] {
  const value = readValue(node, context);
  const expressions = value.is === 'text' ? value.parts.filter(isExpression) : value.is === 'expression' ? [value] : [];
  const before = { where: '`key`', roots: ['params', 'data', 'matrix'] } as const;
  const types = expressions.map(expression => typeOf(expression, { ...scope, before }, findings));
  if (types.some(type => type.is === 'wrong')) return undefined;
  const read = new Set(
    expressions.flatMap(({ reads }) => reads.flatMap(({ root, path }) => (root === 'matrix' ? [path[0]] : []))),
  );
  const own = axes.filter(({ name }) => read.has(name));
  const [axis] = own;
  if (!axis || own.length > 1) {
    findings.add(messages.keyOfAxis(axes.map(({ name }) => name)), node.at);
    return undefined;
  }
  const unfit = types.find(type => !isOneOf(type, ['text', 'int', 'bool', 'double', 'any']));
  if (unfit) findings.add(messages.keyNotScalar(unfit), value.at);
  return { axis: axis.name, value };
}

const isExpression = (part: string | ExpressionValue): part is ExpressionValue => typeof part !== 'string';

const isOneOf = (type: Type, kinds: readonly Type['is'][]): boolean => kinds.includes(type.is);

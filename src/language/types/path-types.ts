/** Follows the paths of expressions (`steps.shot.media.width`) to their types, with the nearest right name for a misspelt one. */

import { isRoot, ROOTS, type Root } from '../../model/pipeline.ts';
import { nearest, nearestOther } from '../../model/text/nearest.ts';
import type { Message } from '../checks/findings.ts';
import type { Segment } from '../expression/tree.ts';
import { messages } from '../messages/index.ts';
import type { Selection } from './cel.ts';
import { INT, list, type RecordType, record, TEXT, type Type, WRONG, withFields } from './types.ts';

/** The names that an expression can read at its place. */
export interface TypeScope {
  readonly params: ReadonlyMap<string, Type>;
  readonly data: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly steps: ReadonlyMap<string, StepType>;
  /** The step the expression belongs to. */
  readonly step: string;
  /** The step's coordinates, own and inherited; undefined where it has none. */
  readonly matrix: ReadonlyMap<string, Type> | undefined;
  /** Its coordinates cannot be read, which is reported. */
  readonly isBroken?: boolean;
  /** In the rule of a pick: one of the results that it chooses from. */
  readonly candidate?: Type;
  /** In `until`: the result of the round that was just made. */
  readonly this?: Type;
  /** The step has `until`, whatever its shape: what is before an instance is the round before. */
  readonly repeats?: true;
  /** One upstream instance's result; undefined where the step has no `each`. */
  readonly each: Type | undefined;
  /** Names of its coordinates. */
  readonly coordinates: readonly string[];
  /** Set where values must be known before the step is carried out: what can be read there. */
  readonly before?: { readonly where: string; readonly roots: readonly Root[] };
}

export interface StepType {
  /** Of one instance. */
  readonly result: Type;
  /** Names of its coordinates; a step that has any gives a list. */
  readonly coordinates: readonly string[];
  /** What `matrix.*` reads in its instances. */
  readonly matrix?: ReadonlyMap<string, Type>;
}

/** Reports what is wrong with a part of the code; gives the type that raises no second error. */
export type ReportAt = (what: Message, start: number, end: number) => Type;

export function typeOfPath(selection: Selection, scope: TypeScope, report: ReportAt): Type {
  const [root, ...path] = selection.segments;
  const at = (segment: Segment, what: Message): Type => report(what, segment.start, segment.end);
  const { before } = scope;
  if (before && isRoot(root.name) && !before.roots.includes(root.name)) {
    const code = selection.segments.map(segment => segment.name).join('.');
    return report(messages.notKnownYet(before, code), root.start, selection.end);
  }
  const one = typeOfWhole(root.name, scope);
  if (one) return 'is' in one ? descend(one, path, [root.name], report) : at(root, one);
  if (!isRoot(root.name)) return at(root, unknownRoot(root.name, path, scope));
  const [name, ...rest] = path;
  if (name === undefined) return at(root, messages.bareRoot(root.name));
  if (root.name === 'steps') return typeOfStep(name, rest, scope, report);
  if (root.name === 'take' && !scope.coordinates.includes('take')) return at(root, messages.noTakes(scope.step));
  if (root.name === 'matrix' && scope.isBroken) return WRONG;
  if (root.name === 'matrix' && !scope.matrix?.size) return at(root, messages.noMatrix(scope.step));
  const type = NAMED[root.name]?.(name.name, scope) ?? WRONG;
  return 'is' in type ? descend(type, rest, [root.name, name.name], report) : at(name, type);
}

/** Of a root that is one value: its type, or why there is none. */
function typeOfWhole(root: string, scope: TypeScope): Type | Message | undefined {
  switch (root) {
    case 'each':
      return scope.each ?? messages.noEach(scope.step);
    case 'candidate':
      return scope.candidate ?? messages.noCandidate();
    case 'this':
      return scope.this ?? messages.noThis();
    case 'previous':
      // The instance before is one of the step's own. The first has none, which `has()` asks.
      if (scope.this) return messages.previousInHolds();
      return scope.coordinates.length === 0 && !scope.repeats ? messages.noPrevious(scope.step) : previousResult(scope);
    default:
      return undefined;
  }
}

/** Roots with names behind them: the type of each, or why there is none of that name. */
const NAMED: Readonly<Record<string, (name: string, scope: TypeScope) => Type | Message>> = {
  params: (name, { params }) =>
    params.get(name) ?? messages.unknownParam(name, nearest(name, params.keys()), [...params.keys()]),
  data: (name, { data }) => data.get(name) ?? messages.unknownData(name, nearest(name, data.keys()), [...data.keys()]),
  matrix: (name, { matrix = new Map<string, Type>(), step }) =>
    matrix.get(name) ?? messages.unknownAxis(name, step, nearest(name, matrix.keys()), [...matrix.keys()]),
  env: (name, { env }) => (env.has(name) ? TEXT : messages.unknownVariable(name, nearest(name, env))),
  take: name => (name === 'number' || name === 'seed' ? INT : messages.unknownTakeField(name)),
  run: name => (name === 'id' || name === 'name' ? TEXT : messages.unknownRunField(name)),
};

function unknownRoot(name: string, path: readonly Segment[], scope: TypeScope): Message {
  const own = (['steps', 'params', 'data'] as const).find(section => scope[section].has(name));
  return messages.unknownRoot(
    name,
    path.map(segment => segment.name),
    nearest(name, ROOTS),
    own,
  );
}

function typeOfStep(name: Segment, rest: readonly Segment[], scope: TypeScope, report: ReportAt): Type {
  const at = (segment: Segment, what: Message): Type => report(what, segment.start, segment.end);
  if (name.name === scope.step) return at(name, messages.selfReference(scope.step));
  const step = scope.steps.get(name.name);
  if (!step) {
    const near = nearestOther(name.name, scope.step, scope.steps.keys());
    return at(name, messages.unknownStep(scope.step, name.name, near));
  }
  if (step.coordinates.length === 0 || step.result.is === 'wrong')
    return descend(step.result, rest, ['steps', name.name], report);
  const [field] = rest;
  return field ? at(field, messages.fieldOfFanOut(name.name, field.name, step.coordinates)) : list(memberOf(step));
}

const members = new WeakMap<StepType, Type>();

/** One of the list that a fan-out gives: a result, with the coordinates that tell which it is. */
function memberOf(step: StepType): Type {
  const { result, matrix } = step;
  if (result.is !== 'record' || !matrix) return result;
  let member = members.get(step);
  if (!member) {
    const take = step.coordinates.includes('take') ? [['take', INT] as const] : [];
    member = withFields(result, [['matrix', record('its coordinates', [...take, ...matrix])]]);
    members.set(step, member);
  }
  return member;
}

/** What one instance of the step gives, and the `note` that a person may have rejected it with. */
export function previousResult({ steps, step }: Pick<TypeScope, 'steps' | 'step'>): Type {
  const type = steps.get(step)?.result ?? WRONG;
  if (type.is !== 'record' || type.fields.has('note')) return type;
  return withFields(type, [['note', TEXT]]);
}

/** Through fields, one after the other. `walked`: how messages call what they are fields of. */
export function descend(type: Type, path: readonly Segment[], walked: readonly string[], report: ReportAt): Type {
  for (const segment of path) {
    const before = walked.join('.');
    walked = [...walked, segment.name];
    if (type.is === 'any' || type.is === 'wrong') return type;
    if (type.is === 'map') type = type.of;
    else if (type.is === 'record') {
      const field = type.fields.get(segment.name);
      if (!field) {
        const { instead, ...unknown } = unknownField(segment.name, before, type);
        // `steps.script.outputs.text`: more than the one name is wrong.
        const isLast = segment === path.at(-1);
        return report({ ...unknown, ...(isLast && instead && { instead }) }, segment.start, segment.end);
      }
      if (field.is === 'any' && field.without === 'schema') {
        const step = walked.at(-2) ?? '';
        const inside = path.slice(path.indexOf(segment) + 1).map(({ name }) => name);
        return report(messages.noSchema(before, step, inside), segment.start, segment.end);
      }
      type = field;
    } else return report(messages.noFields(before, type, segment.name), segment.start, segment.end);
  }
  return type;
}

const unknownField = (name: string, of: string, type: RecordType): Message =>
  messages.foreignField(name, of, type) ??
  messages.unknownField(name, of, type.called, nearest(name, type.fields.keys()), [...type.fields.keys()]);

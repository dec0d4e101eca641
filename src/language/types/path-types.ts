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
  /** In the rule of a pick: one of the results that it chooses from. */
  readonly candidate?: Type;
  /** In `until`: the result of the round that was just made. */
  readonly this?: Type;
  /** The step has `until`: what is before an instance is the round before. */
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
  const [name, ...rest] = path;
  const at = (segment: Segment, what: Message): Type => report(what, segment.start, segment.end);
  const { before } = scope;
  if (before && isRoot(root.name) && !before.roots.includes(root.name))
    return report(
      messages.notKnownYet(before, selection.segments.map(segment => segment.name).join('.')),
      root.start,
      selection.end,
    );
  if (root.name === 'each') {
    if (scope.each === undefined) return at(root, messages.noEach(scope.step));
    return descend(scope.each, path, [root.name], report);
  }
  if (root.name === 'candidate')
    return scope.candidate ? descend(scope.candidate, path, [root.name], report) : at(root, messages.noCandidate());
  if (root.name === 'this')
    return scope.this ? descend(scope.this, path, [root.name], report) : at(root, messages.noThis());
  if (root.name === 'previous' && scope.this) return at(root, messages.previousInHolds());
  if (root.name === 'previous') return typeOfPrevious(selection, scope, report);
  if (!isRoot(root.name))
    return at(
      root,
      messages.unknownRoot(
        root.name,
        path.map(segment => segment.name),
        nearest(root.name, ROOTS),
        scope.steps.has(root.name)
          ? 'steps'
          : scope.params.has(root.name)
            ? 'params'
            : scope.data.has(root.name)
              ? 'data'
              : undefined,
      ),
    );
  if (name === undefined) return at(root, messages.bareRoot(root.name));
  switch (root.name) {
    case 'params': {
      const type = scope.params.get(name.name);
      if (!type)
        return at(
          name,
          messages.unknownParam(name.name, nearest(name.name, scope.params.keys()), [...scope.params.keys()]),
        );
      return descend(type, rest, ['params', name.name], report);
    }
    case 'data': {
      const type = scope.data.get(name.name);
      if (!type)
        return at(name, messages.unknownData(name.name, nearest(name.name, scope.data.keys()), [...scope.data.keys()]));
      return descend(type, rest, ['data', name.name], report);
    }
    case 'take':
      if (!scope.coordinates.includes('take')) return at(root, messages.noTakes(scope.step));
      if (name.name !== 'number' && name.name !== 'seed') return at(name, messages.unknownTakeField(name.name));
      return descend(INT, rest, ['take', name.name], report);
    case 'matrix': {
      if (scope.matrix === undefined || scope.matrix.size === 0) return at(root, messages.noMatrix(scope.step));
      const type = scope.matrix.get(name.name);
      if (!type)
        return at(
          name,
          messages.unknownAxis(name.name, scope.step, nearest(name.name, scope.matrix.keys()), [
            ...scope.matrix.keys(),
          ]),
        );
      return descend(type, rest, ['matrix', name.name], report);
    }
    case 'env':
      if (!scope.env.has(name.name))
        return at(name, messages.unknownVariable(name.name, nearest(name.name, scope.env)));
      return descend(TEXT, rest, ['env', name.name], report);
    case 'run':
      if (name.name !== 'id' && name.name !== 'name') return at(name, messages.unknownRunField(name.name));
      return descend(TEXT, rest, ['run', name.name], report);
    default: {
      if (name.name === scope.step) return at(name, messages.selfReference(scope.step));
      const step = scope.steps.get(name.name);
      if (!step)
        return at(
          name,
          messages.unknownStep(scope.step, name.name, nearestOther(name.name, scope.step, scope.steps.keys())),
        );
      if (step.coordinates.length === 0 || step.result.is === 'wrong')
        return descend(step.result, rest, ['steps', name.name], report);
      const [field] = rest;
      if (field) return at(field, messages.fieldOfFanOut(name.name, field.name, step.coordinates));
      return list(memberOf(step));
    }
  }
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

/** Like the step's own result: the instance before this one is one of its own. The first has none, which `has()` asks. */
function typeOfPrevious({ segments }: Selection, scope: TypeScope, report: ReportAt): Type {
  const [root, ...path] = segments;
  if (scope.coordinates.length === 0 && !scope.repeats)
    return report(messages.noPrevious(scope.step), root.start, root.end);
  return descend(previousResult(scope), path, [root.name], report);
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

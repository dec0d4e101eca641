/** Follows the paths of expressions (`steps.shot.media.width`) to their types, with the nearest right name for a misspelt one. */

import { nearest } from '../domain/nearest.ts';
import type { Segment, Selection } from './cel.ts';
import type { Message } from './findings.ts';
import { messages } from './messages/index.ts';
import { list, type RecordType, TEXT, type Type } from './types.ts';
import { ROOTS } from './values.ts';

/** What an expression can see from where it stands. */
export interface TypeScope {
  readonly params: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly steps: ReadonlyMap<string, StepType>;
  /** The step the expression belongs to. */
  readonly step: string;
  /** The step's own axes; undefined where it has no matrix. */
  readonly matrix: ReadonlyMap<string, Type> | undefined;
  /** One upstream instance's result; undefined where the step has no `each`. */
  readonly each: Type | undefined;
  /** Set where values must be known before the run: only `params` can be read. */
  readonly before?: string;
}

export interface StepType {
  /** Of one instance. */
  readonly result: Type;
  /** Names of its coordinates; a step that has any gives a list. */
  readonly coordinates: readonly string[];
}

/** Reports what is wrong with a part of the code; gives the type that raises no second error. */
export type ReportAt = (what: Message, start: number, end: number) => Type;

export function typeOfPath(selection: Selection, scope: TypeScope, report: ReportAt): Type {
  const [root, ...path] = selection.segments;
  const [name, ...rest] = path;
  const at = (segment: Segment, what: Message): Type => report(what, segment.start, segment.end);
  if (scope.before !== undefined && root.name !== 'params' && (ROOTS as readonly string[]).includes(root.name))
    return report(
      messages.notKnownYet(scope.before, selection.segments.map(segment => segment.name).join('.')),
      root.start,
      selection.end,
    );
  if (root.name === 'each') {
    if (scope.each === undefined) return at(root, messages.noEach(scope.step));
    return descend(scope.each, path, [root.name], report);
  }
  if (root.name === 'take') return at(root, messages.notYet('take'));
  if (!(ROOTS as readonly string[]).includes(root.name))
    return at(
      root,
      messages.unknownRoot(
        root.name,
        path.map(segment => segment.name),
        nearest(root.name, ROOTS),
        scope.steps.has(root.name) ? 'step' : scope.params.has(root.name) ? 'param' : undefined,
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
    case 'matrix': {
      if (scope.matrix === undefined) return at(root, messages.noMatrix(scope.step));
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
      if (!step) return at(name, messages.unknownStep(scope.step, name.name, nearest(name.name, scope.steps.keys())));
      if (step.coordinates.length === 0 || step.result.is === 'wrong')
        return descend(step.result, rest, ['steps', name.name], report);
      const [field] = rest;
      if (field) return at(field, messages.fieldOfFanOut(name.name, field.name, step.coordinates));
      return list(step.result);
    }
  }
}

function descend(type: Type, path: readonly Segment[], walked: readonly string[], report: ReportAt): Type {
  for (const segment of path) {
    const before = walked.join('.');
    walked = [...walked, segment.name];
    if (type.is === 'any' || type.is === 'wrong') return type;
    if (type.is === 'map') type = type.of;
    else if (type.is === 'record') {
      const field = type.fields.get(segment.name);
      if (!field) return report(unknownField(segment.name, before, type), segment.start, segment.end);
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

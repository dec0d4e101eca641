/** Films whose lists are written by steps. Files cannot say so yet: they are compiled with a param, which is replaced by hand. */

import type { ExpressionValue, Pipeline, Step } from '../../src/model/pipeline.ts';
import type { StepName } from '../../src/model/run/key.ts';
import type { CommandResult } from '../../src/model/run/result.ts';
import { compiled } from './support.ts';

/** `lists`: step → the expression that its axis reads, in the place of `params.list`. */
export function growing(text: string, lists: Readonly<Record<string, string>>): Pipeline {
  const pipeline = compiled(text);
  return { ...pipeline, steps: pipeline.steps.map(step => withList(step, lists[step.name])) };
}

function withList(step: Step, code: string | undefined): Step {
  if (code === undefined) return step;
  const names = [...code.matchAll(/steps\.(\w+)((?:\.\w+)*)/g)];
  const reads = names.map(([, name, path]) => ({
    root: 'steps' as const,
    path: [name!, ...path!.split('.').slice(1)],
  }));
  const matrix = step.fanOut.matrix.map(axis =>
    axis.values.is === 'expression'
      ? { ...axis, values: { ...axis.values, code, reads } satisfies ExpressionValue }
      : axis,
  );
  const upstream = [...new Set([...step.upstream, ...names.map(([, name]) => name as StepName)])];
  return { ...step, upstream, fanOut: { ...step.fanOut, matrix } };
}

/** A command that wrote this. */
export const wrote = (json: CommandResult['json']): CommandResult => ({
  is: 'command',
  stdout: JSON.stringify(json),
  json,
  files: {},
});

/** What the rest of the file brings to its steps. */
import type { Findings } from './findings.ts';
import type { Models } from './model-references.ts';
import type { StepType, TypeScope } from './path-types.ts';
import type { MapNode, Node } from './syntax-tree.ts';
import { type Type, WRONG } from './types.ts';
import type { ReadContext } from './values.ts';

export interface FileContext {
  readonly findings: Findings;
  /** Nodes whose shape is wrong, which has been told: nobody looks into them. */
  readonly wrong: ReadonlySet<Node>;
  readonly models: Models;
  readonly params: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly defaults: MapNode | undefined;
}

/** What the axes and the `each` of one step give to its expressions. */
interface FanOutTypes {
  readonly types: ReadonlyMap<string, Type> | undefined;
  readonly each: { readonly step: string } | undefined;
  readonly broken: boolean;
}

export const readContextOf = (file: FileContext, matrix: ReadonlyMap<string, Type> | undefined): ReadContext => ({
  findings: file.findings,
  names: { params: file.params, matrix },
  isReal: (root, name) => {
    const type = root === 'params' ? file.params.get(name) : root === 'matrix' ? matrix?.get(name) : undefined;
    return type?.is === 'double' || (type?.is === 'list' && type.of.is === 'double');
  },
});

export const typeScopeOf = (
  step: string,
  steps: ReadonlyMap<string, StepType>,
  file: FileContext,
  fanOut: FanOutTypes | undefined,
): TypeScope => ({
  params: file.params,
  env: file.env,
  steps,
  step,
  matrix: fanOut?.types,
  each: fanOut?.each ? (steps.get(fanOut.each.step)?.result ?? WRONG) : fanOut?.broken ? WRONG : undefined,
});

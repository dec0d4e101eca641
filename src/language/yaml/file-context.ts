/** What the rest of the file brings to its steps. */
import type { Span } from '../../model/diagnostic.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Offer } from '../checks/file-offer.ts';
import type { Findings } from '../checks/findings.ts';
import type { Models } from '../steps/model-references.ts';
import type { StepType, TypeScope } from '../types/path-types.ts';
import { record, type Type, WRONG } from '../types/types.ts';
import type { ReadContext } from '../types/values.ts';
import type { ProjectFiles } from '../used-files.ts';
import type { MapNode, Node } from './syntax-tree.ts';

export interface FileContext {
  readonly findings: Findings;
  /** Nodes of a wrong shape, which is reported: they are not read any further. */
  readonly wrong: ReadonlySet<Node>;
  readonly models: Models;
  readonly library: ModelLibrary;
  readonly params: ReadonlyMap<string, Type>;
  readonly secrets: ReadonlySet<string>;
  /** What `data.*` gives. */
  readonly data: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly defaults: MapNode | undefined;
  /** How many of a group are at work at once, by its name. */
  readonly groups: ReadonlyMap<string, number>;
  /** The place of the profile that the file is read in: other parts of the file may be for other profiles. */
  readonly profileAt?: Span;
  /** Other files that the pipeline names. */
  readonly files: ProjectFiles;
  /** What the file that a `uses` names offers; undefined where something is wrong with it, which is reported. */
  readonly uses: (node: Node | undefined) => Offer | undefined;
}

/** What the axes and the `each` of one step give to its expressions. */
interface FanOutTypes {
  readonly types: ReadonlyMap<string, Type>;
  readonly each: readonly { readonly step: string; readonly name?: string }[];
  readonly gathers?: 'take' | undefined;
  readonly coordinates: readonly string[];
  readonly broken: boolean;
}

export const readContextOf = (file: FileContext, matrix: ReadonlyMap<string, Type> | undefined): ReadContext => ({
  findings: file.findings,
  names: { params: file.params, matrix },
  secrets: file.secrets,
  isReal: (root, path) => {
    const types = { params: file.params, data: file.data, matrix }[root as string];
    const type = path.slice(1).reduce(fieldOf, types?.get(path[0] ?? ''));
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
  data: file.data,
  env: file.env,
  steps,
  step,
  matrix: fanOut?.broken && fanOut.types.size === 0 ? undefined : fanOut?.types,
  isBroken: fanOut?.broken === true && fanOut.types.size === 0,
  each: fanOut && typeOfEach(fanOut, steps),
  coordinates: fanOut?.coordinates ?? [],
});

/** One result, or one for each name of a join. */
function typeOfEach({ each, broken, gathers }: FanOutTypes, steps: ReadonlyMap<string, StepType>): Type | undefined {
  if (gathers) return undefined;
  if (broken) return WRONG;
  const typeOf = (step: string) => steps.get(step)?.result ?? WRONG;
  const [first] = each;
  if (!first || first.name === undefined) return first && typeOf(first.step);
  return record(
    'the instances that meet here',
    each.map(({ name = '', step }) => [name, typeOf(step)]),
  );
}

const fieldOf = (type: Type | undefined, name: string): Type | undefined =>
  type?.is === 'record' ? type.fields.get(name) : undefined;

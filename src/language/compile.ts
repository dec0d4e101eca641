/** Text → `Pipeline`, or everything that is wrong with it, each with its place. */
import { type Diagnostic, isError, type Source } from '../domain/diagnostic.ts';
import type { ModelLibrary } from '../domain/model.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import { AnyName } from './any-name.ts';
import { findCycles } from './cycles.ts';
import { readData } from './data/data-declarations.ts';
import { typeScopeOf } from './file-context.ts';
import { Findings } from './findings.ts';
import { readDeployments } from './model-activation.ts';
import { readModels } from './model-references.ts';
import { type OutputSource, readOutputs } from './output-declarations.ts';
import { readParams } from './param-declarations.ts';
import type { StepType } from './path-types.ts';
import { NO_FILES, type ProjectFiles } from './project-files.ts';
import { quoteExpressions } from './quote-recovery.ts';
import { checkShape } from './shape-check.ts';
import { soundPart } from './sound-part.ts';
import { readSteps } from './steps.ts';
import { child, type MapNode } from './syntax-tree.ts';
import { WRONG } from './types.ts';
import { readTree } from './yaml-tree.ts';

export interface Compiled {
  /** There is one exactly when no diagnostic is an error. */
  readonly pipeline?: Pipeline;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The film without the steps in which these are found, and without what follows such a step; undefined where nothing is left.
   * `diagnostics` must be among them.
   */
  readonly soundPart: (found: readonly Diagnostic[]) => Pipeline | undefined;
}

export interface CompileOptions {
  /** Where data, schemas and other Shotlist files are read from; none where absent. */
  readonly files?: ProjectFiles;
  /** `--data scenes=other.csv`: which file stands in for which name under `data:`. */
  readonly data?: { readonly [name: string]: string };
}

/** Never throws for what the text says. Diagnostics come in the order they were found; `formatDiagnostics` sorts them. */
export function compile(source: Source, library: ModelLibrary, options: CompileOptions = {}): Compiled {
  const findings = new Findings(source);
  const file = readTree(source, findings);
  if (!file) return unread(source, findings.list, library, options);
  const pipeline = analyse(file, source, library, findings, options);
  const diagnostics = findings.list;
  const part: Compiled['soundPart'] = found => (found.some(isError) ? soundPart(pipeline, file, found) : pipeline);
  return diagnostics.some(isError) ? { diagnostics, soundPart: part } : { pipeline, diagnostics, soundPart: part };
}

/** Missing quotes do not hide the file's other mistakes: those are looked for in the repaired text. */
function unread(
  source: Source,
  found: readonly Diagnostic[],
  library: ModelLibrary,
  options: CompileOptions,
): Compiled {
  const text = quoteExpressions(source.text, found);
  if (text === undefined) return { diagnostics: found, soundPart: () => undefined };
  const { diagnostics } = compile({ ...source, text }, library, options);
  return {
    diagnostics: [...found, ...diagnostics.map(diagnostic => ({ ...diagnostic, source }))],
    soundPart: () => undefined,
  };
}

function analyse(
  file: MapNode,
  source: Source,
  library: ModelLibrary,
  findings: Findings,
  { files = NO_FILES, data: given = {} }: CompileOptions,
): Pipeline {
  const wrong = checkShape(file, findings, fieldNames(library));
  const isBroken = (name: string): boolean => {
    const node = child(file, name);
    return node !== undefined && (node.is !== 'map' || wrong.has(node));
  };
  const mapping = (name: string): MapNode | undefined => {
    const node = child(file, name);
    return node?.is === 'map' && !wrong.has(node) ? node : undefined;
  };
  const params = readParams(mapping('params'), wrong, findings);
  const data = readData(mapping('data'), { files, wrong, findings, given });
  const env = new Set(texts(file, 'env'));
  const secrets = new Set([...params.secrets, ...[...env].map(name => `env.${name}`)]);
  const models = readModels(file, library, wrong, findings);
  const context = {
    findings,
    wrong,
    models,
    library,
    params: isBroken('params') ? new AnyName(WRONG) : params.types,
    secrets,
    data: data.types,
    env,
    defaults: mapping('defaults'),
    files,
  };
  const steps = readSteps(mapping('steps'), context);
  findCycles(steps.edges, findings);
  const readContext = { findings, isReal: () => false, secrets };
  const known = isBroken('steps') ? UNKNOWN_STEPS : steps;
  const scope = typeScopeOf('', known.types, context, undefined);
  const outputs = readOutputs(mapping('outputs'), steps.saves, known.sources, wrong, readContext, scope);
  const [description] = texts(file, 'description');
  return {
    source,
    name: texts(file, 'name')[0] ?? '',
    ...(description !== undefined ? { description } : {}),
    params: params.list,
    data: data.list,
    steps: steps.list,
    outputs,
    deployments: readDeployments(mapping('models'), wrong, findings),
    env: [...env],
  };
}

const UNKNOWN_STEPS = {
  types: new AnyName<StepType>({ result: WRONG, coordinates: [] }),
  sources: new AnyName<OutputSource>({ coordinates: [], several: new Set(), broken: true }),
};

/** Asked only about a key that no step has. */
function fieldNames(library: ModelLibrary): (name: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return name => {
    names ??= new Set([
      'prompt',
      ...library.labels.flatMap(label => Object.keys(library.get(label)?.request.properties ?? {})),
    ]);
    return names.has(name);
  };
}

/** The text of an entry, or the texts of its list. */
function texts(file: MapNode, name: string): string[] {
  const node = child(file, name);
  const nodes = node?.is === 'list' ? node.items : node ? [node] : [];
  return nodes.flatMap(item => (item.is === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
}

/** Text → `Pipeline`, or everything that is wrong with it, each with its place. */

import { MEASURES } from '../model/budget.ts';
import { type Diagnostic, isError, type Source } from '../model/diagnostic.ts';
import type { ModelLibrary } from '../model/model.ts';
import type { FilmBudget, Pipeline, Step } from '../model/pipeline.ts';
import { FINAL, type Profile } from '../model/profile.ts';
import type { VariableAccess } from '../model/variable-access.ts';
import { findCycles } from './checks/cycles.ts';
import { type Offer, type OfferedOutput, withUsedSteps } from './checks/file-offer.ts';
import { Findings } from './checks/findings.ts';
import { refuseWithheld } from './checks/secret-uses.ts';
import { checkShape } from './checks/shape-check.ts';
import { type ReadablePart, readablePart, soundPart } from './checks/sound-part.ts';
import { readData } from './data/data-declarations.ts';
import { countedParamsOf, mediaParamsOf } from './handed-params.ts';
import { readOutputs } from './output-declarations.ts';
import type { OutputSource } from './output-sources.ts';
import { readParams } from './param-declarations.ts';
import { placedIn, readProfiles, section, sectionOf, withProfile } from './profiles.ts';
import { checkUnusedGroups, readGroups } from './steps/concurrency.ts';
import { type Models, readDeployments, readModels } from './steps/model-references.ts';
import { readSteps } from './steps/steps.ts';
import type { StepType, TypeScope } from './types/path-types.ts';
import { WRONG } from './types/types.ts';
import { type FilePlace, NO_FILES, type ProjectFiles, type ReadFile, UsedFiles, usesOfFile } from './used-files.ts';
import { typeScopeOf } from './yaml/file-context.ts';
import { child, type MapNode, type Node } from './yaml/syntax-tree.ts';
import { readLooseTree, readTree } from './yaml/yaml-tree.ts';

/** Where a section is wrong as a whole, every name may have been meant to be in it: none is called unknown. */
class AnyName<V> extends Map<string, V> {
  readonly #value: V;

  constructor(value: V) {
    super();
    this.#value = value;
  }

  override has(): boolean {
    return true;
  }

  override get(): V {
    return this.#value;
  }
}

export interface Compiled {
  /** There is one exactly when no diagnostic is an error. */
  readonly pipeline?: Pipeline;
  readonly diagnostics: readonly Diagnostic[];
  /** As far as they can be read. */
  readonly profiles: readonly Profile[];
  /**
   * The film without the steps in which these are found, and without what follows such a step; undefined where nothing is left.
   * `diagnostics` must be among them.
   */
  readonly soundPart: (found: readonly Diagnostic[]) => Pipeline | undefined;
  /** That part, and the steps in which these are found as far as they can be read; undefined where there is no such step. */
  readonly readablePart: (found: readonly Diagnostic[]) => ReadablePart | undefined;
}

export interface CompileOptions {
  /** Where data, schemas and other Shotlist files are read from; none where absent. */
  readonly files?: ProjectFiles;
  /** `--data scenes=other.csv`: the file for each name under `data:`. */
  readonly data?: { readonly [name: string]: string };
  /** The film as this profile has it, and as each file that it uses has it; `final` where absent. One that a file does not have changes nothing. */
  readonly profile?: string | undefined;
  /** It is drawn small and quickly, whatever the profile: its films go beside those that are to last. */
  readonly draft?: boolean | undefined;
  /** The variables of the environment that it may read; all where absent. */
  readonly access?: VariableAccess | undefined;
}

/** Never throws, whatever the text holds. Diagnostics come in the order they were found; `formatDiagnostics` sorts them. */
export function compile(source: Source, library: ModelLibrary, options: CompileOptions = {}): Compiled {
  const { profile, access } = options;
  const used = new UsedFiles(source, (place, uses) => readUsedFile(place, library, { profile, access }, uses));
  const place = { source, files: options.files ?? NO_FILES, folder: '', way: [] };
  const { read, diagnostics: own } = readFile(place, library, options, used);
  const diagnostics = [...own, ...used.diagnostics];
  if (!read) return { diagnostics, profiles: [], soundPart: () => undefined, readablePart: () => undefined };
  const { pipeline, node } = read;
  const { profiles } = pipeline;
  const parts: Pick<Compiled, 'soundPart' | 'readablePart'> = {
    soundPart: found => (found.some(isError) ? soundPart(pipeline, node, found) : pipeline),
    readablePart: found => (found.some(isError) ? readablePart(pipeline, node, found, library) : undefined),
  };
  return diagnostics.some(isError)
    ? { diagnostics, profiles, ...parts }
    : { pipeline, diagnostics, profiles, ...parts };
}

/** What is known of a file while it is written: what its steps are and give, as far as that can be read. */
export interface Survey {
  readonly node: MapNode;
  /** What the expressions of a step can see; of `''`, those of the outputs. */
  readonly scopeOf: (step: string) => TypeScope;
  readonly models: Models;
  /** What the files offer that its steps use. */
  readonly offers: ReadonlyMap<string, Offer>;
}

/** Undefined where the text is no mapping at all. Mistakes are not reported. */
export function survey(source: Source, library: ModelLibrary, options: CompileOptions = {}): Survey | undefined {
  const file = readLooseTree(source);
  if (!file) return undefined;
  const { profile } = options;
  const used = new UsedFiles(source, (place, uses) => readUsedFile(place, library, { profile }, uses));
  const place = { source, files: options.files ?? NO_FILES, folder: '', way: [] };
  const { scopeOf, models, offers } = analyse(file, place, library, new Findings(source), options, used);
  return { node: file, scopeOf, models, offers };
}

/** Reads a file on its own: its mistakes are those of `check` of that file. */
function readUsedFile(
  place: FilePlace,
  library: ModelLibrary,
  options: Pick<CompileOptions, 'profile' | 'access'>,
  used: UsedFiles,
): ReadFile {
  const { read, diagnostics } = readFile(place, library, options, used);
  return !read || diagnostics.some(isError) || !read.isWhole
    ? { diagnostics }
    : { offer: offerOf(read, place, library), diagnostics };
}

function readFile(
  place: FilePlace,
  library: ModelLibrary,
  options: CompileOptions,
  used: UsedFiles,
): { readonly read?: Analysed; readonly diagnostics: readonly Diagnostic[] } {
  const { source } = place;
  const findings = new Findings(source);
  const file = readTree(source, findings);
  if (!file) return { diagnostics: whenUnread(source, findings.list, library, { ...options, files: place.files }) };
  const read = analyse(file, place, library, findings, options, used);
  return { read, diagnostics: findings.list };
}

/** Missing quotes do not hide the file's other mistakes: those are looked for in the repaired text. */
function whenUnread(
  source: Source,
  found: readonly Diagnostic[],
  library: ModelLibrary,
  options: CompileOptions,
): readonly Diagnostic[] {
  const text = quoteExpressions(source.text, found);
  if (text === undefined) return found;
  const repaired = { ...source, text };
  const { diagnostics } = compile(repaired, library, options);
  const ours = diagnostics.map(one => (one.source === repaired ? { ...one, source } : one));
  return [...found, ...ours];
}

interface Analysed {
  readonly node: MapNode;
  readonly pipeline: Pipeline;
  /** The steps that stand in the file itself. */
  readonly own: readonly Step[];
  readonly offers: ReadonlyMap<string, Offer>;
  readonly outputs: ReadonlyMap<string, OfferedOutput>;
  readonly scopeOf: Survey['scopeOf'];
  readonly models: Models;
  /** Every file that it uses could be read. */
  readonly isWhole: boolean;
}

function analyse(
  written: MapNode,
  place: FilePlace,
  library: ModelLibrary,
  findings: Findings,
  { data: given = {}, profile = FINAL, draft = false, access }: CompileOptions,
  used: UsedFiles,
): Analysed {
  const { source, files } = place;
  const uses = usesOfFile(place, used, findings);
  const wrong = checkShape(written, findings, fieldNames(library));
  const profiles = readProfiles(written, wrong, findings);
  const ofProfile = sectionOf(written, profile, wrong);
  const file = withProfile(written, profile, wrong);
  const mapping = (name: string) => section(file, name, wrong);
  const isBroken = (name: string): boolean => child(file, name) !== undefined && !mapping(name);
  const params = readParams(mapping('params'), wrong, findings);
  const data = readData(mapping('data'), { files, wrong, findings, given });
  const env = new Set(texts(file, 'env'));
  if (access) refuseWithheld(child(file, 'env'), access, findings);
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
    groups: readGroups(mapping('concurrency'), wrong),
    ...(ofProfile && { profileAt: ofProfile.at }),
    files,
    uses: uses.find,
  };
  const steps = readSteps(mapping('steps'), context);
  checkUnusedGroups(mapping('concurrency'), mapsIn(mapping('steps')), context);
  findCycles(steps.edges, findings);
  const readContext = { findings, isReal: () => false, secrets };
  const known = isBroken('steps') ? UNKNOWN_STEPS : steps;
  const scope = typeScopeOf('', known.types, context, undefined);
  const outputs = readOutputs(mapping('outputs'), steps.saves, known.sources, wrong, readContext, scope);
  const offers = [...steps.offers.values()];
  const profileBudget = ofProfile && readBudget(ofProfile, wrong);
  const pipeline = {
    ...headOf(file, source, wrong),
    params: params.list,
    data: data.list,
    steps: withUsedSteps(steps.list, steps.offers),
    outputs: placedIn(outputs.list, { profile: ofProfile && profile, draft }, findings),
    deployments: unique([
      ...readDeployments(mapping('models'), wrong, findings),
      ...offers.flatMap(({ deployments }) => deployments),
    ]),
    ...(profileBudget && { profileBudget }),
    ...(ofProfile && profile !== FINAL && { profile }),
    profiles,
    env: unique([...env, ...offers.flatMap(offer => offer.env)]),
  };
  return {
    node: file,
    pipeline,
    own: steps.list,
    offers: steps.offers,
    outputs: outputs.offered,
    scopeOf: step => (step === '' ? scope : steps.scopeOf(step)),
    models,
    isWhole: uses.isWhole,
  };
}

function headOf(
  file: MapNode,
  source: Source,
  wrong: ReadonlySet<Node>,
): Pick<Pipeline, 'source' | 'name' | 'description' | 'budget'> {
  const [[name = ''], [description]] = [texts(file, 'name'), texts(file, 'description')];
  const budget = readBudget(file, wrong);
  return { source, name, ...(description !== undefined && { description }), ...(budget && { budget }) };
}

const mapsIn = (section: MapNode | undefined): readonly MapNode[] =>
  section?.entries.flatMap(({ value }) => (value.is === 'map' ? [value] : [])) ?? [];

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

function offerOf(
  { pipeline, own, offers, outputs }: Analysed,
  { source, folder }: FilePlace,
  library: ModelLibrary,
): Offer {
  const { params, data, steps, env, deployments } = pipeline;
  const mediaParams = mediaParamsOf(own, offers, library);
  return {
    file: { source, folder, params, data, mediaParams },
    ...{ steps, outputs, env, deployments },
    counted: countedParamsOf(own, offers),
    depth: 1 + Math.max(0, ...[...offers.values()].map(({ depth }) => depth)),
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

/** What the film may come to. The shape check reports a number that is wrong. */
function readBudget(file: MapNode, wrong: ReadonlySet<Node>): FilmBudget | undefined {
  const budget = section(file, 'budget', wrong);
  if (!budget) return undefined;
  const limits = MEASURES.flatMap(measure => {
    const node = child(budget, measure);
    return node?.is === 'scalar' && typeof node.value === 'number' && !wrong.has(node) ? [[measure, node.value]] : [];
  });
  const unpriced = child(budget, 'unpriced');
  const isAllowed = unpriced?.is === 'scalar' && unpriced.value === 'allow';
  return { limits: { ...Object.fromEntries(limits), ...(isAllowed && { unpriced: 'allow' }) }, at: budget.at };
}

/**
 * Recovery from the commonest slip, `[${{ a }}]` without quotes: YAML cannot read such a file, but what was meant is
 * certain. The repaired text is compiled only to find the file's other mistakes; the file itself stays refused.
 */

/**
 * The text with quotes in the place of the blanks inside `${{ … }}`, so that every offset stays true.
 * Undefined where quotes are not all that is missing.
 */
function quoteExpressions(text: string, found: readonly Diagnostic[]): string | undefined {
  if (found.length === 0) return undefined;
  let quoted = text;
  for (const { code, span } of found) {
    const written = text.slice(span.start, span.end);
    const inside = /^\$\{\{ ([^"\n]*) \}\}$/.exec(written)?.[1];
    if (code !== 'unquoted-expression' || inside === undefined) return undefined;
    quoted = `${quoted.slice(0, span.start)}"\${{${inside}}}"${quoted.slice(span.end)}`;
  }
  return quoted;
}

/** What each step is and what it gives, before any of its expressions is looked at: enough to type everybody else's. */
import type { Span } from '../domain/diagnostic.ts';
import type { JsonObject } from '../domain/json.ts';
import { readSchema, typeOfSchema } from './answer-schema.ts';
import { type DeclaredFanOut, readFanOut } from './fan-out-declaration.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import type { Models, ResolvedModel } from './model-references.ts';
import type { StepType, TypeScope } from './path-types.ts';
import { child, type Entry, type MapNode, type Node } from './syntax-tree.ts';
import { ANY, commandResult, mediaResult, type Type, textResult, WRONG } from './types.ts';
import type { ReadContext } from './values.ts';

/** What the rest of the file brings to its steps. */
export interface FileContext {
  readonly findings: Findings;
  readonly wrong: ReadonlySet<Node>;
  readonly models: Models;
  readonly params: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly defaults: MapNode | undefined;
}

export interface StepSignature {
  readonly name: string;
  readonly at: Span;
  readonly node: MapNode;
  readonly kind: 'generate' | 'run' | 'tokenize';
  /** Undefined for a command, and where the model is unknown. */
  readonly model: ResolvedModel | undefined;
  /** Of a command: the names of what it creates. */
  readonly files: readonly string[] | undefined;
  /** Of a chat step: what its answer must fit. */
  readonly schema?: JsonObject | undefined;
  readonly result: Type;
}

/** A fan-out with what it inherits. */
export interface ResolvedFanOut extends DeclaredFanOut {
  readonly coordinates: readonly string[];
}

/** Undefined when the step's shape is wrong, which has been told. */
export function readSignature({ name, nameAt, value: node }: Entry, around: FileContext): StepSignature | undefined {
  if (node.is !== 'map' || around.wrong.has(node)) return undefined;
  const base = { name, at: nameAt, node };
  if (child(node, 'run')) {
    const creates = child(node, 'creates');
    const entries = creates?.is === 'map' ? creates.entries : [];
    const result = commandResult(
      entries.map(({ name: file, value }) => [file, value.is === 'scalar' ? String(value.value) : undefined]),
    );
    return { ...base, kind: 'run', model: undefined, files: entries.map(entry => entry.name), result };
  }
  if (child(node, 'tokenize')) return { ...base, kind: 'tokenize', model: undefined, files: undefined, result: ANY };
  if (!child(node, 'model')) return undefined;
  const model = around.models(child(node, 'model'));
  const produces = model?.model?.produces ?? 'media';
  const schema = readSchema(child(node, 'schema'), around.findings);
  const answer = produces === 'text' ? textResult(typeOfSchema(schema)) : mediaResult(produces);
  return { ...base, kind: 'generate', model, files: undefined, schema, result: model ? answer : WRONG };
}

/**
 * Coordinates and mistakes are inherited along `each`, so the upstream step is settled first. Gives every view its final
 * type and coordinates.
 */
export function resolveFanOuts(
  drafts: ReadonlyMap<string, StepSignature>,
  views: Map<string, StepType>,
  around: FileContext,
): ReadonlyMap<string, ResolvedFanOut> {
  const own = new Map<string, DeclaredFanOut>();
  for (const { name, node } of drafts.values()) {
    const view = typeScopeOf(name, views, around, undefined);
    own.set(name, readFanOut(node, name, around.wrong, readContextOf(around, undefined), view));
  }
  const settled = new Map<string, ResolvedFanOut>();
  for (const name of drafts.keys()) {
    // An explicit walk up the chain: ten thousand links deep is a file, not a reason to overflow.
    const chain = new Set<string>();
    let at: string | undefined = name;
    for (; at !== undefined && !settled.has(at) && !chain.has(at); at = own.get(at)?.each?.step) chain.add(at);
    // A cycle is told by the graph; nothing else is said about the steps on it.
    const cyclic = at !== undefined && chain.has(at);
    for (const link of [...chain].reverse()) {
      const fan = own.get(link);
      if (fan) settled.set(link, resolveFanOut(fan, cyclic, settled, around));
    }
  }
  for (const [name, { result }] of drafts) {
    const fan = settled.get(name);
    if (fan) views.set(name, { result: fan.broken ? WRONG : result, coordinates: fan.coordinates });
  }
  return settled;
}

function resolveFanOut(
  fan: DeclaredFanOut,
  cyclic: boolean,
  settled: ReadonlyMap<string, ResolvedFanOut>,
  { findings }: FileContext,
): ResolvedFanOut {
  const axes = [...(fan.types?.keys() ?? [])];
  const { each } = fan;
  if (!each) return { ...fan, coordinates: axes };
  const upstream = settled.get(each.step);
  if (cyclic || !upstream || upstream.broken) return { ...fan, coordinates: axes, broken: true };
  if (upstream.coordinates.length === 0) {
    findings.add(messages.eachOfSingle(each.step), each.at);
    return { ...fan, coordinates: axes, broken: true };
  }
  for (const axis of fan.matrix)
    if (upstream.coordinates.includes(axis.name)) findings.add(messages.axisTaken(axis.name, each.step), axis.at);
  return {
    ...fan,
    coordinates: [...new Set([...upstream.coordinates, ...axes])],
    single: new Set([...upstream.single, ...fan.single]),
  };
}

export const readContextOf = (around: FileContext, matrix: ReadonlyMap<string, Type> | undefined): ReadContext => ({
  findings: around.findings,
  isReal: (root, name) => {
    const type = root === 'params' ? around.params.get(name) : root === 'matrix' ? matrix?.get(name) : undefined;
    return type?.is === 'double' || (type?.is === 'list' && type.of.is === 'double');
  },
});

export const typeScopeOf = (
  step: string,
  steps: ReadonlyMap<string, StepType>,
  around: FileContext,
  fan: DeclaredFanOut | undefined,
): TypeScope => ({
  params: around.params,
  env: around.env,
  steps,
  step,
  matrix: fan?.types,
  each: fan?.each ? (steps.get(fan.each.step)?.result ?? WRONG) : fan?.broken ? WRONG : undefined,
});

/** Coordinates and mistakes are inherited along `each`: an upstream step's fan-out is resolved before those made from it. */
import { type DeclaredFanOut, readFanOut } from './fan-out-declaration.ts';
import { type FileContext, readContextOf, typeScopeOf } from './file-context.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import type { StepType } from './path-types.ts';
import type { MapNode } from './syntax-tree.ts';

/** A fan-out with what it inherits. */
export interface ResolvedFanOut extends DeclaredFanOut {
  readonly coordinates: readonly string[];
}

/** The result is in an order in which `each` always names an earlier step. `types`: of all steps, as far as they are known without fan-outs. */
export function resolveFanOuts(
  steps: ReadonlyMap<string, { readonly node: MapNode }>,
  types: ReadonlyMap<string, StepType>,
  file: FileContext,
): ReadonlyMap<string, ResolvedFanOut> {
  const declared = new Map<string, DeclaredFanOut>();
  for (const [name, { node }] of steps) {
    const scope = typeScopeOf(name, types, file, undefined);
    declared.set(name, readFanOut(node, name, file.wrong, readContextOf(file, undefined), scope));
  }
  const resolved = new Map<string, ResolvedFanOut>();
  for (const name of steps.keys()) {
    // An explicit walk up the chain: ten thousand links deep is a file, not a reason to overflow.
    const chain = new Set<string>();
    let at: string | undefined = name;
    for (; at !== undefined && !resolved.has(at) && !chain.has(at); at = declared.get(at)?.each?.step) chain.add(at);
    // `cycles.ts` reports a cycle; nothing else is said about the steps on it.
    const isCyclic = at !== undefined && chain.has(at);
    for (const link of [...chain].reverse()) {
      const fanOut = declared.get(link);
      if (fanOut) resolved.set(link, isCyclic ? broken(fanOut) : inherit(fanOut, resolved, file.findings));
    }
  }
  return resolved;
}

function inherit(
  fanOut: DeclaredFanOut,
  resolved: ReadonlyMap<string, ResolvedFanOut>,
  findings: Findings,
): ResolvedFanOut {
  const { each } = fanOut;
  if (!each) return { ...fanOut, coordinates: ownAxes(fanOut) };
  const upstream = resolved.get(each.step);
  if (!upstream || upstream.broken) return broken(fanOut);
  if (upstream.coordinates.length === 0) {
    findings.add(messages.eachOfSingle(each.step), each.at);
    return broken(fanOut);
  }
  for (const axis of fanOut.matrix)
    if (upstream.coordinates.includes(axis.name)) findings.add(messages.axisTaken(axis.name, each.step), axis.at);
  return {
    ...fanOut,
    coordinates: [...new Set([...upstream.coordinates, ...ownAxes(fanOut)])],
    single: new Set([...upstream.single, ...fanOut.single]),
  };
}

const broken = (fanOut: DeclaredFanOut): ResolvedFanOut => ({
  ...fanOut,
  coordinates: ownAxes(fanOut),
  broken: true,
});

const ownAxes = ({ types }: DeclaredFanOut): readonly string[] => [...(types?.keys() ?? [])];

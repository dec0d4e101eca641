/**
 * What the graph has as nodes: each step; above 300 of them, files that are used as one node each; and where those are still too many,
 * steps of one kind at one depth as one.
 */
import type { StepName } from '../../domain/key.ts';
import type { ReportedStep, RunReport } from '../../domain/run-report.ts';
import type { GraphNode, ReportGraph } from './report-data.ts';

export const MOST_NODES = 300;

export function graphNodes({ steps, edges }: Pick<RunReport, 'steps' | 'edges'>): Pick<ReportGraph, 'nodes' | 'edges'> {
  const depths = depthsOf(steps, edges);
  const waysToFold: readonly ((step: ReportedStep) => string)[] = [
    ({ name }) => name,
    ({ name }) => name.split('/')[0] ?? name,
    ({ name, kind }) => `${kind} ${depths.get(name) ?? 0}`,
    ({ name }) => String(depths.get(name) ?? 0),
  ];
  for (const way of waysToFold) {
    const folded = fold(steps, edges, way);
    if (folded.nodes.length <= MOST_NODES) return folded;
  }
  // Longer than 300 steps from end to end: neighbours along the way are one.
  const perNode = Math.ceil((Math.max(0, ...depths.values()) + 1) / MOST_NODES);
  return fold(steps, edges, ({ name }) => String(Math.floor((depths.get(name) ?? 0) / perNode)));
}

/** How many steps lie before each, along the longest way. */
function depthsOf(steps: readonly ReportedStep[], edges: RunReport['edges']): ReadonlyMap<StepName, number> {
  const before = Map.groupBy(edges, ([, to]) => to);
  const depths = new Map<StepName, number>();
  for (const { name } of steps)
    depths.set(name, Math.max(-1, ...(before.get(name) ?? []).map(([from]) => depths.get(from) ?? 0)) + 1);
  return depths;
}

function fold(
  steps: readonly ReportedStep[],
  edges: RunReport['edges'],
  foldOf: (step: ReportedStep) => string,
): Pick<ReportGraph, 'nodes' | 'edges'> {
  const folds = [...Map.groupBy(steps, foldOf).values()];
  const at = new Map(folds.flatMap((some, node) => some.map(({ name }) => [name, node] as const)));
  const between = new Map<string, readonly [number, number]>();
  for (const [from, to] of edges) {
    const edge = [at.get(from), at.get(to)] as const;
    const [first, second] = edge;
    if (first !== undefined && second !== undefined && first !== second) between.set(edge.join(' '), [first, second]);
  }
  return { nodes: folds.map(nodeOf), edges: [...between.values()] };
}

function nodeOf(some: readonly ReportedStep[]): GraphNode {
  const names = some.map(({ name }) => name);
  const [first] = names;
  const file = first?.split('/')[0];
  const isOneFile = names.every(name => name.split('/')[0] === file);
  const title = names.length === 1 || isOneFile ? (names.length === 1 ? first : file) : `${first} …`;
  return { title: title ?? '', steps: names };
}

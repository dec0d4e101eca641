/** Places of the graph's nodes and ways of its edges, for a wide page and for a narrow one: made once, when the report is. */
import type { StepName } from '../../../model/run/key.ts';
import type { ReportedStep, RunReport } from '../../../model/run/run-report.ts';
import type { GraphLayout, GraphNode, ReportGraph } from './report-data.ts';

interface Terms {
  readonly direction: 'LR' | 'TB';
  readonly node: { readonly width: number; readonly height: number };
  /** Pixels between nodes beside each other, and from rank to rank. */
  readonly beside: number;
  readonly apart: number;
}

const WIDE: Terms = { direction: 'LR', node: { width: 144, height: 60 }, beside: 32, apart: 56 };
const NARROW: Terms = { direction: 'TB', node: { width: 104, height: 60 }, beside: 15, apart: 32 };

/** How much more than another edge one of the path is kept straight and short. */
const ON_PATH = 4;

/** @param path steps that follow each other, such as the longest path: they are laid in one line where that can be. */
export async function layoutGraph(
  graph: Pick<ReportGraph, 'nodes' | 'edges'>,
  path: readonly StepName[] = [],
): Promise<ReportGraph> {
  const on = path.map(step => graph.nodes.findIndex(({ steps }) => steps.includes(step)));
  const isOnPath = (from: number, to: number) => on.some((node, at) => node === from && on[at + 1] === to);
  const [wide, narrow] = await Promise.all([laidOut(graph, isOnPath, WIDE), laidOut(graph, isOnPath, NARROW)]);
  return { ...graph, wide, narrow };
}

async function laidOut(
  { nodes, edges }: Pick<ReportGraph, 'nodes' | 'edges'>,
  isOnPath: (from: number, to: number) => boolean,
  terms: Terms,
): Promise<GraphLayout> {
  // Only a report needs it: no other command loads it.
  const { Graph, layout } = await import('@dagrejs/dagre');
  const graph = new Graph();
  const { direction: rankdir, beside: nodesep, apart: ranksep } = terms;
  // Each step is right before what reads it: fewer ways cross than by the ranks of the network simplex.
  graph.setGraph({ rankdir, nodesep, ranksep, edgesep: nodesep / 2, ranker: 'longest-path' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const at of nodes.keys()) graph.setNode(String(at), { ...terms.node });
  for (const [from, to] of edges)
    graph.setEdge(String(from), String(to), isOnPath(from, to) ? { weight: ON_PATH } : {});
  layout(graph);
  const places = [...nodes.keys()].map((at): Place => {
    const { x = 0, y = 0 } = graph.node(String(at));
    return [x - terms.node.width / 2, y - terms.node.height / 2];
  });
  const ways = edges.map(([from, to]) =>
    wayThrough(
      [from, to].map(at => graph.node(String(at))) as [Point, Point],
      graph.edge(String(from), String(to)).points as readonly Point[],
      terms,
    ),
  );
  return { ...inFrame(places, ways, terms), node: terms.node };
}

type Place = readonly [x: number, y: number];

/** Ways may leave the frame that the nodes alone would fill. */
function inFrame(places: readonly Place[], ways: readonly (readonly Place[])[], { node }: Terms) {
  const corners = [...places, ...places.map(([x, y]): Place => [x + node.width, y + node.height]), ...ways.flat()];
  const least = (axis: 0 | 1) =>
    corners.reduce((least, corner) => Math.min(least, corner[axis]), Number.POSITIVE_INFINITY);
  const most = (axis: 0 | 1) =>
    corners.reduce((most, corner) => Math.max(most, corner[axis]), Number.NEGATIVE_INFINITY);
  if (corners.length === 0) return { width: 0, height: 0, places: [], ways: [] };
  const [left, top] = [least(0), least(1)];
  const moved = ([x, y]: Place): Place => [Math.round(x - left), Math.round(y - top)];
  return {
    ...{ width: Math.ceil(most(0) - left), height: Math.ceil(most(1) - top) },
    ...{ places: places.map(moved), ways: ways.map(way => way.map(moved)) },
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Out of the middle of a side, through the columns between, and into the middle of a side: two points for each column that is crossed. */
function wayThrough([from, to]: readonly [Point, Point], points: readonly Point[], terms: Terms): readonly Place[] {
  const { width, height } = terms.node;
  const [alongX, alongY] = terms.direction === 'LR' ? [width / 2, 0] : [0, height / 2];
  // Between two nodes, every second point lies in a column, the others between columns.
  const between = points.slice(1, -1).filter((_, at) => at % 2 === 1);
  const ends = [
    { x: from.x + alongX, y: from.y + alongY },
    ...between.flatMap(({ x, y }) => [
      { x: x - alongX, y: y - alongY },
      { x: x + alongX, y: y + alongY },
    ]),
    { x: to.x - alongX, y: to.y - alongY },
  ];
  return ends.map(({ x, y }) => [x, y]);
}

// What the graph has as nodes: each step; above 300 of them, files that are used as one node each; and where those are still too many,
// steps of one kind at one depth as one.

export const MAX_NODES = 300;

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
    if (folded.nodes.length <= MAX_NODES) return folded;
  }
  // Longer than 300 steps from end to end: neighbours along the way are one.
  const perNode = Math.ceil((Math.max(0, ...depths.values()) + 1) / MAX_NODES);
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

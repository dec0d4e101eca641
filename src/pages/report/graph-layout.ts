/** Places of the graph's nodes and ways of its edges, for a wide page and for a narrow one: made once, when the report is. */
import type { StepName } from '../../domain/key.ts';
import type { GraphLayout, ReportGraph } from './report-data.ts';

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
  // Each step stands right before what reads it: fewer ways cross than by the ranks of the network simplex.
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
  // Of what stands between two nodes, every second point lies in a column, the others between columns.
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

/** Steps and what they need, as they were laid out when the report was made. A step that is chosen narrows the list and the time to it. */

import type { ReportedInstance } from '../../../../model/run/run-report.ts';
import { number } from '../../../../model/text/format.ts';
import { countStates, STATE_WORDS } from '../../../text/report/state-words.ts';
import { byId, html, svg } from '../../parts/element.ts';
import { money } from '../../parts/format.ts';
import { shapeOf } from '../../parts/states.ts';
import type { GraphLayout, GraphNode } from '../report-data.ts';
import { makerOf } from './kind-words.ts';
import { paidForAll } from './model.ts';
import type { View } from './view.ts';

/** Instances that are unfolded under the graph. */
const MAX_UNFOLDED = 120;
const PAD = 8;

const narrow = matchMedia('(max-width: 900px)');

interface Drawn {
  readonly nodes: readonly SVGGElement[];
  readonly edges: readonly SVGPathElement[];
}

export function drawGraph(view: View): void {
  const { criticalSteps } = view.model;
  byId('critical').textContent =
    criticalSteps.length > 1 ? `The longest path, in the accent: ${criticalSteps.join(', ')}` : '';
  // One step has nothing to be drawn between.
  if (view.model.data.graph.nodes.length < 2)
    for (const part of document.querySelectorAll<HTMLElement>('#the-graph, .top a[href="#the-graph"]'))
      part.hidden = true;
  let drawn: Drawn;
  const draw = () => {
    drawn = drawSheet(view);
    light(view, drawn);
  };
  narrow.addEventListener('change', draw);
  view.onFilter(() => light(view, drawn));
  draw();
}

const isChosen = (view: View, { steps }: GraphNode): boolean =>
  view.steps.length > 0 && steps.every(step => view.steps.includes(step));

function drawSheet(view: View): Drawn {
  const { graph } = view.model.data;
  const layout = narrow.matches ? graph.narrow : graph.wide;
  const [width, height] = [layout.width + PAD * 2 + 8, layout.height + PAD * 2 + 8];
  const sheet = svg('svg', {
    ...{ width, height, viewBox: `${-PAD} ${-PAD - 4} ${width} ${height}` },
    ...{ role: 'group', 'aria-label': 'Steps and what they need' },
  });
  const isOnPath = (node: number) =>
    graph.nodes[node]?.steps.some(step => view.model.criticalSteps.includes(step)) ?? false;
  const follows = criticalEdges(view);
  const edges = graph.edges.map(([from, to], at) => {
    const isCritical = follows.has(`${from} ${to}`);
    const d = wayOf(layout.ways[at] ?? [], layout === graph.wide);
    return svg(isCritical ? 'path.edge.crit' : 'path.edge', { d });
  });
  const nodes = graph.nodes.map((node, at) => drawNode(view, node, { layout, at, isCritical: isOnPath(at) }));
  // The longest path lies over the others.
  sheet.append(...edges.toSorted((a, b) => a.classList.length - b.classList.length), ...nodes);
  byId('sheet').replaceChildren(sheet);
  return { nodes, edges };
}

/** Edges between steps that follow each other on the longest path. */
function criticalEdges({ model }: View): ReadonlySet<string> {
  const nodeOf = new Map(model.data.graph.nodes.flatMap(({ steps }, at) => steps.map(step => [step as string, at])));
  const path = model.criticalSteps.map(step => nodeOf.get(step));
  return new Set(path.slice(1).map((to, at) => `${path[at]} ${to}`));
}

/** From column to column in a curve, and straight through each column between: no line runs under a node. */
function wayOf(points: GraphLayout['ways'][number], isAcross: boolean): string {
  return points
    .map(([x, y], at) => {
      const [fromX, fromY] = points[at - 1] ?? [x, y];
      if (at === 0) return `M${x} ${y}`;
      // Every second stretch lies within a column.
      if (at % 2 === 0) return `L${x} ${y}`;
      const [middleX, middleY] = [(fromX + x) / 2, (fromY + y) / 2];
      return isAcross
        ? `C${middleX} ${fromY} ${middleX} ${y} ${x} ${y}`
        : `C${fromX} ${middleY} ${x} ${middleY} ${x} ${y}`;
    })
    .join('');
}

interface NodePlace {
  readonly layout: GraphLayout;
  readonly at: number;
  readonly isCritical: boolean;
}

function drawNode(view: View, node: GraphNode, { layout, at, isCritical }: NodePlace): SVGGElement {
  const { width, height } = layout.node;
  const [x, y] = layout.places[at] ?? [0, 0];
  const all = node.steps.flatMap(step => view.model.of(step));
  const box = { width, height, rx: 5 };
  const states = Object.entries(countStates(all)).map(
    ([state, n]) => `${n} ${STATE_WORDS[state as keyof typeof STATE_WORDS]}`,
  );
  // Pixels: the count is beside it, and a letter is 7.8 wide.
  const title = shortened(node.title, (width - 24 - (all.length > 1 ? 34 : 0)) / 7.8);
  const choose = () => view.filter({ steps: isChosen(view, node) ? [] : node.steps });
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  };
  return svg(
    isCritical ? 'g.node.crit' : 'g.node',
    {
      ...{
        role: 'button',
        tabindex: 0,
        'data-node': node.title,
        'aria-description': states.join(', ') || 'no instance',
      },
      ...{ transform: `translate(${x} ${y})`, onclick: choose, onkeydown: press },
    },
    title === node.title ? null : svg('title', node.title),
    all.length > 1 ? svg('rect.deck', { x: 5, y: -5, ...box }) : null,
    svg('rect.box', box),
    svg('text', { x: 12, y: 23 }, title),
    all.length > 1 ? svg('text.count', { x: width - 12, y: 23 }, `×${number(all.length)}`) : null,
    svg('text.sub', { x: 12, y: 41 }, shortened(subtitle(view, node, all, layout), (width - 24) / 5.6)),
    segments(all, { width: width - 24, y: height - 11 }),
  );
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, Math.floor(most) - 1))}…`;

function subtitle(view: View, node: GraphNode, all: readonly ReportedInstance[], layout: GraphLayout): string {
  const cost = paidForAll(all);
  const [only] = node.steps;
  const step = view.model.report.steps.find(({ name }) => name === only);
  const maker =
    node.steps.length > 1
      ? `${node.steps.length} steps`
      : step
        ? makerOf(
            step,
            all.flatMap(({ decision }) => decision ?? []),
          )
        : '';
  return [maker, cost > 0 && layout.node.width > 120 && !view.model.isFree ? money(cost) : null]
    .filter(Boolean)
    .join(', ');
}

/** What became of its instances, as shares of a line. */
function segments(all: readonly ReportedInstance[], { width, y }: { readonly width: number; readonly y: number }) {
  const shapes = Map.groupBy(all, ({ state }) => shapeOf(state));
  let x = 12;
  return (['reused', 'made', 'going', 'failed', 'pending'] as const).flatMap(shape => {
    const share = ((shapes.get(shape)?.length ?? 0) / all.length) * width;
    if (!(share > 0)) return [];
    const line = svg(`rect.seg-${shape}`, { x, y, width: Math.max(2, share - 2), height: 3 });
    x += share;
    return [line];
  });
}

/** Lights what the chosen steps need and what needs them, and unfolds them. */
function light(view: View, { nodes, edges }: Drawn): void {
  const { graph } = view.model.data;
  const chosen = graph.nodes.flatMap((node, at) => (isChosen(view, node) ? [at] : []));
  const before = reached(
    graph.edges.map(([from, to]) => [to, from]),
    chosen,
  );
  const behind = reached(graph.edges, chosen);
  byId('sheet').classList.toggle('some', chosen.length > 0);
  for (const [at, node] of nodes.entries()) {
    node.classList.toggle('lit', before.has(at) || behind.has(at));
    node.setAttribute('aria-pressed', String(chosen.includes(at)));
  }
  for (const [at, [from, to]] of graph.edges.entries()) {
    const isLit = (before.has(from) && before.has(to)) || (behind.has(from) && behind.has(to));
    edges[at]?.classList.toggle('lit', isLit);
  }
  byId('fold').replaceChildren(...unfolded(view));
}

/** All that can be come to along the edges, the beginning itself among them. */
function reached(edges: readonly (readonly [number, number])[], from: readonly number[]): ReadonlySet<number> {
  const found = new Set(from);
  const next = Map.groupBy(edges, ([first]) => first);
  for (const at of found) for (const [, to] of next.get(at) ?? []) found.add(to);
  return found;
}

function unfolded(view: View): readonly HTMLElement[] {
  if (view.steps.length === 0) {
    const text = 'Choose a step to unfold its instances, and to see only its part of the list and of the time.';
    return [html('p.soft', text)];
  }
  const all = view.steps.flatMap(step => view.model.of(step));
  const more = all.length - MAX_UNFOLDED;
  return [
    html('h3', view.steps.length === 1 ? view.steps[0] : `${view.steps.length} steps`),
    html(
      'ul.flow',
      all.slice(0, MAX_UNFOLDED).map(one => html('li', unfoldedOne(view, one))),
    ),
    html('span.soft', more > 0 ? `and ${number(more)} more` : ''),
    html('button.copy', { onclick: () => view.filter({ steps: [] }) }, 'Show every step again'),
  ];
}

function unfoldedOne(view: View, one: ReportedInstance): HTMLElement {
  const text = Object.values(one.coordinates).join('.') || one.step;
  const label = `${text}: ${one.label}, ${STATE_WORDS[one.state]}`;
  const open = () => view.open(one);
  return html(
    'button',
    { 'data-shape': shapeOf(one.state), title: one.label, 'aria-label': label, onclick: open },
    text,
  );
}

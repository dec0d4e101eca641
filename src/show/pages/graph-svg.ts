/** A film's steps as a picture of its own, laid out as the report's graph is: for a README, a wiki, a print. It asks for nothing. */
import { clipMiddle } from '../../model/text/cells.ts';
import { xmlAttributes as attributes, xmlText } from '../../model/text/markup.ts';
import { linesOf, type StepGraph } from '../../plan/graph/step-graph.ts';
import { layoutGraph } from './report/graph-layout.ts';

const MARGIN = 16;
/** Terminal cells of a line within a node. */
const FITS = 20;
const LINE = 15;

const STYLE = `
  text { font: 12px/1 Inter, "Helvetica Neue", Arial, sans-serif; fill: #1d1c1a }
  .more { fill: #6b675f; font-size: 11px }
  .node { fill: #fbfaf7; stroke: #8d877b }
  .paid { stroke: #b4561b; stroke-width: 2 }
  .edge { fill: none; stroke: #a39d91; stroke-width: 1.5 }
  .tip { fill: #a39d91 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ece8df } .more { fill: #a8a294 } .node { fill: #22211f; stroke: #6f6a60 } .paid { stroke: #e08a4f }
    .edge { stroke: #7b766b } .tip { fill: #7b766b }
  }
`;

export async function graphSvg(graph: StepGraph): Promise<string> {
  const nodes = graph.nodes.map(({ title, step }) => ({ title, steps: [step] }));
  const { wide } = await layoutGraph({ nodes, edges: graph.edges });
  const { width, height, node } = wide;
  const size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const edges = wide.ways.map(way => {
    const points = way.map(([x, y]) => `${x} ${y}`);
    return `  <path class="edge" marker-end="url(#tip)" d="M${points.join(' L')}"/>`;
  });
  const boxes = graph.nodes.map((one, at) => {
    const [x, y] = wide.places[at] ?? [0, 0];
    const lines = linesOf(one);
    const top = (node.height - (lines.length - 1) * LINE) / 2 + 4;
    return [
      `  <g transform="translate(${x} ${y})">`,
      `    <title>${xmlText(lines.join('\n'))}</title>`,
      `    <rect ${attributes({ class: one.isPaid ? 'node paid' : 'node', ...node, rx: 8 })}/>`,
      ...lines.map((line, row) => {
        const place = {
          x: node.width / 2,
          y: top + row * LINE,
          'text-anchor': 'middle',
          class: row === 0 ? 'name' : 'more',
        };
        return `    <text ${attributes(place)}>${xmlText(clipMiddle(line, FITS))}</text>`;
      }),
      '  </g>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes({ ...size, viewBox: `0 0 ${size.width} ${size.height}` })} role="img">`,
    `  <title>${xmlText(graph.name)}</title>`,
    `  <style>${STYLE}</style>`,
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    `  <g transform="translate(${MARGIN} ${MARGIN})">`,
    ...edges,
    ...boxes,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}

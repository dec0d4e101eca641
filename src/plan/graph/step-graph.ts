/** The steps of a film and what reads what, without planning anything: what `shotlist graph` draws, as Mermaid or DOT. */

import type { Pipeline, Step } from '../../model/pipeline.ts';
import { type StepName, stepOf } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { isPaid, labelOf } from '../kinds/index.ts';

export interface StepGraph {
  readonly name: string;
  /** In the order of the file. */
  readonly nodes: readonly StepNode[];
  /** From what is read to what reads it: places in `nodes`. No doubles. */
  readonly edges: readonly (readonly [number, number])[];
}

interface StepNode {
  readonly step: StepName;
  /** `shot`, `cleaned/repair`. */
  readonly title: string;
  /** The model or kind that makes it, as a plan shows it. */
  readonly made: string;
  /** How it is fanned out: `each shot × ratio`; empty where it is one instance. */
  readonly by: string;
  /** Something is paid for it. */
  readonly isPaid: boolean;
}

export function stepGraph(pipeline: Pipeline): StepGraph {
  // The rounds of a step with `until` are the step's own business.
  const steps = pipeline.steps.filter(({ name }) => !name.includes(' '));
  const at = new Map(steps.map(({ name }, index) => [name, index]));
  const edges = new Map<string, readonly [number, number]>();
  for (const step of pipeline.steps)
    for (const read of step.upstream) {
      const [from, to] = [at.get(written(read)), at.get(written(step.name))];
      if (from !== undefined && to !== undefined && from !== to) edges.set(`${from} ${to}`, [from, to]);
    }
  return { name: pipeline.name, nodes: steps.map(step => node(step, pipeline.steps)), edges: [...edges.values()] };
}

/** `shot rounds` → `shot`. */
const written = (name: StepName): StepName => stepOf(name).split(' ')[0] as StepName;

function node(step: Step, steps: readonly Step[]): StepNode {
  const { name, fanOut } = step;
  // What is made round after round is made by its rounds.
  const made = steps.find(one => one.name !== name && !one.inside && written(one.name) === name) ?? step;
  const { each, matrix, include, takes } = fanOut;
  const by = [
    ...each.map(one => `each ${one.step}`),
    ...matrix.map(axis => axis.name),
    ...(include.length > 0 && matrix.length === 0 ? ['include'] : []),
    ...(takes ? ['takes'] : []),
  ];
  return { step: name, title: name, made: labelOf(made), by: by.join(' × '), isPaid: isPaid(made) };
}

export function mermaid({ nodes, edges }: StepGraph): string {
  const paid = nodes.flatMap(({ isPaid }, at) => (isPaid ? [`n${at}`] : []));
  return [
    'flowchart LR',
    ...nodes.map((node, at) => `  n${at}["${linesOf(node).map(inMermaid).join('<br>')}"]`),
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    ...(paid.length > 0 ? ['  classDef paid stroke-width:3px', `  class ${paid.join(',')} paid`] : []),
    '',
  ].join('\n');
}

/** Its own entities are read within quotes, and nothing else is. */
const inMermaid = (text: string): string => text.replace(/[^\p{L}\p{N} .,×/_-]/gu, sign => `#${sign.codePointAt(0)};`);

export function dot({ name, nodes, edges }: StepGraph): string {
  return [
    `digraph ${inDot(name)} {`,
    '  rankdir=LR',
    '  node [shape=box, style=rounded, fontname="Helvetica"]',
    ...nodes.map(
      (node, at) => `  n${at} [label=${inDot(linesOf(node).join('\n'))}${node.isPaid ? ', penwidth=2.5' : ''}]`,
    ),
    ...edges.map(([from, to]) => `  n${from} -> n${to}`),
    '}',
    '',
  ].join('\n');
}

/** A quoted text, in which a backslash would begin an order such as `\N`. */
const inDot = (text: string): string =>
  `"${text
    .split('\n')
    .map(line => cleanText(line).replace(/[\\"]/g, sign => `\\${sign}`))
    .join('\\n')}"`;

/** Its name, what makes it, and how it is fanned out. */
export const linesOf = ({ title, made, by }: StepNode): readonly string[] =>
  [title, made, by === '' ? '' : `× ${by}`].map(cleanText).filter(line => line !== '');

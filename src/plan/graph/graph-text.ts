/** A film's steps as text that others draw: Mermaid, which GitHub and GitLab show in a page, and DOT for Graphviz. */
import { cleanText } from '../../domain/clean.ts';
import type { StepGraph, StepNode } from './step-graph.ts';

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

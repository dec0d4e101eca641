/** How many cells each row that Ink has laid out takes. */
import type { DOMElement } from 'ink';
import { cellWidth } from '../domain/cells.ts';

type Node = DOMElement['childNodes'][number];

export function rowWidths(root: DOMElement | null): readonly number[] {
  const rows: number[] = [];
  const visit = (node: Node, left: number, top: number): void => {
    if (node.nodeName === '#text' || !node.yogaNode) return;
    const [x, y] = [left + node.yogaNode.getComputedLeft(), top + node.yogaNode.getComputedTop()];
    if (node.nodeName === 'ink-text') {
      const most = node.yogaNode.getComputedWidth();
      for (const [at, line] of textOf(node).split('\n').entries())
        rows[y + at] = Math.max(rows[y + at] ?? 0, x + Math.min(most, cellWidth(line.replace(SGR, ''))));
    } else for (const child of node.childNodes) visit(child, x, y);
  };
  if (root) visit(root, 0, 0);
  return Array.from(rows, width => width ?? 0);
}

const SGR = /\x1b\[[\d;]*m/g;
const textOf = (node: Node): string =>
  node.nodeName === '#text' ? node.nodeValue : (node as DOMElement).childNodes.map(textOf).join('');

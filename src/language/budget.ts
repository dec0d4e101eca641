/** `budget:` → what the film may come to. */
import { MEASURES } from '../domain/budget.ts';
import type { FilmBudget } from '../domain/pipeline.ts';
import { child, type MapNode, type Node } from './syntax-tree.ts';

/** Of a number that is wrong, the shape check has told. */
export function readBudget(section: MapNode | undefined, wrong: ReadonlySet<Node>): FilmBudget | undefined {
  if (!section) return undefined;
  const limits = MEASURES.flatMap(measure => {
    const node = child(section, measure);
    return node?.is === 'scalar' && typeof node.value === 'number' && !wrong.has(node) ? [[measure, node.value]] : [];
  });
  const unpriced = child(section, 'unpriced');
  const isAllowed = unpriced?.is === 'scalar' && unpriced.value === 'allow';
  return { limits: { ...Object.fromEntries(limits), ...(isAllowed && { unpriced: 'allow' }) }, at: section.at };
}

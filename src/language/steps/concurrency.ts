/** `concurrency:` at the top gives groups their numbers; on a step it names the group. A group without a number is one at a time. */

import type { ConcurrencyGroup } from '../../model/pipeline.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { Findings } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';

/** At most this many at once, by name. A number that is wrong is reported already, and counts as one. */
export function readGroups(section: MapNode | undefined, wrong: ReadonlySet<Node>): ReadonlyMap<string, number> {
  return new Map(
    section?.entries.map(({ name, value }) => [
      name,
      value.is === 'scalar' && typeof value.value === 'number' && !wrong.has(value) ? value.value : 1,
    ]),
  );
}

export function readGroup(
  step: MapNode,
  { findings, groups, wrong, defaults }: FileContext,
): ConcurrencyGroup | undefined {
  const node = child(step, 'concurrency') ?? (defaults && child(defaults, 'concurrency'));
  if (node?.is !== 'scalar' || typeof node.value !== 'string' || wrong.has(node)) return undefined;
  const name = node.value;
  const limit = groups.get(name);
  // A name that none is like is a group of its own.
  const near = limit === undefined ? nearest(name, groups.keys()) : undefined;
  if (near !== undefined) findings.add(messages.unknownGroup(name, near), node.at);
  return { name, limit: limit ?? 1 };
}

/** A number that bounds nothing is a slip of the pen somewhere. */
export function checkUnusedGroups(section: MapNode | undefined, steps: readonly MapNode[], file: FileContext): void {
  if (!section) return;
  const named = new Set(
    [...steps, ...(file.defaults ? [file.defaults] : [])].flatMap(step => {
      const node = child(step, 'concurrency');
      return node?.is === 'scalar' ? [String(node.value)] : [];
    }),
  );
  for (const { name, nameAt, value } of section.entries)
    if (!named.has(name) && !file.wrong.has(value)) reportUnused(name, nameAt, named, file.findings);
}

function reportUnused(
  name: string,
  at: MapNode['entries'][number]['nameAt'],
  named: ReadonlySet<string>,
  findings: Findings,
): void {
  // The step that misspells it is reported already.
  if (nearest(name, named) === undefined) findings.add(messages.unusedGroup(name), at);
}

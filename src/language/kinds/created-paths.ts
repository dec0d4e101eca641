/** `creates` of a command: which files it must leave, one by one or, with a star, as a list. */
import type { Value } from '../../domain/pipeline.ts';
import { messages } from '../messages/index.ts';
import { leavesFolder } from '../relative-path.ts';
import { child, type MapNode, type Node } from '../syntax-tree.ts';
import type { CreatedPath } from '../types.ts';
import type { BodyContext } from './kind.ts';

/** What each name stands for, as far as it can be told before any expression is read. */
export function createdPaths(step: MapNode): ReadonlyMap<string, CreatedPath> {
  const creates = child(step, 'creates');
  const entries = creates?.is === 'map' ? creates.entries : [];
  return new Map(entries.map(({ name, value }) => [name, createdPath(value)]));
}

function createdPath(node: Node): CreatedPath {
  const path = node.is === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  // What stands in an expression is arithmetic, and no star.
  return { path, isList: path?.replaceAll(/\$\{\{.*?\}\}/gs, '').includes('*') ?? false };
}

/** Paths that are written out: each inside the command's folder, each a file of its own, its star in the file's name. */
export function checkCreatedPaths(files: readonly Value[], { findings }: BodyContext): void {
  const paths = new Set<string>();
  for (const file of files) {
    if (starInFolder(file)) findings.add(messages.starInFolder(), file.at);
    if (file.is !== 'literal' || typeof file.value !== 'string') continue;
    const { value, at } = file;
    if (leavesFolder(value)) findings.add(messages.pathLeaves(value), at);
    if (paths.has(value)) findings.add(messages.sameFileTwice(value), at);
    paths.add(value);
  }
}

/** `shots/*` + `/clip.mp4`, and `**`. */
function starInFolder(path: Value): boolean {
  if (path.is === 'literal') return /\*\*|\*.*[/\\]/.test(String(path.value));
  if (path.is !== 'text') return false;
  const own = path.parts.map(part => (typeof part === 'string' ? part : 'x')).join('');
  return /\*\*|\*.*[/\\]/.test(own);
}

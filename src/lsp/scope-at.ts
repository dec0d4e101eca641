/** What an expression can see where it stands: that of its step, and what a part of the step adds to it. */
import type { Survey } from '../language/compile.ts';
import { nodeAt, type Way } from '../language/cursor.ts';
import type { TypeScope } from '../language/path-types.ts';
import { child, type MapNode, type Node } from '../language/syntax-tree.ts';
import { ANY, type Type } from '../language/types.ts';

export function scopeAt(way: Way, { node, scopeOf }: Survey): TypeScope {
  const [section, step, key, ...rest] = way;
  if (section !== 'steps' || step === undefined) return scopeOf('');
  const scope = scopeOf(String(step));
  const own = nodeAt(node, ['steps', step]);
  if (own?.is !== 'map') return scope;
  if (key === 'until') return { ...scope, this: scope.steps.get(String(step))?.result ?? ANY };
  if (key === 'rule') return { ...scope, candidate: ofEach(child(own, 'pick'), scope) ?? scope.each ?? ANY };
  const clip = key === 'cut' ? clipOf(rest, own) : undefined;
  return clip ? withClip(scope, clip) : scope;
}

function clipOf(rest: Way, step: MapNode): MapNode | undefined {
  const clip = rest[0] === 'clips' ? nodeAt(step, ['cut', ...rest.slice(0, 2)]) : undefined;
  return clip?.is === 'map' ? clip : undefined;
}

/** The fields of a clip see what it is made from as `each`, and its coordinates as `matrix`. */
function withClip(scope: TypeScope, clip: MapNode): TypeScope {
  const each = child(clip, 'each');
  const step = each && scope.steps.get(stepIn(each) ?? '');
  return step ? { ...scope, each: step.result, matrix: step.matrix, coordinates: step.coordinates } : scope;
}

/** One of what `${{ steps.shot }}` gives; of the takes, one instance of what `each` names. */
function ofEach(node: Node | undefined, scope: TypeScope): Type | undefined {
  return node && scope.steps.get(stepIn(node) ?? '')?.result;
}

const stepIn = (node: Node): string | undefined =>
  node.is === 'scalar' ? /^\s*\$\{\{\s*steps\.(\w+)\s*\}\}\s*$/.exec(String(node.value))?.[1] : undefined;

/** What each step is and gives, before any of its expressions is looked at: enough to type everybody else's. */
import type { Span } from '../domain/diagnostic.ts';
import type { FileContext } from './file-context.ts';
import { kindOf } from './kinds/index.ts';
import type { DerivedResult, Signature, StepResult } from './kinds/kind.ts';
import type { MapNode } from './syntax-tree.ts';
import { WRONG } from './types.ts';

export interface StepSignature extends Signature {
  readonly name: string;
  readonly at: Span;
  readonly node: MapNode;
}

/** Of the steps whose shape is sound and tells their kind: whatever is wrong with the others has been told. */
export function readSignatures(steps: MapNode | undefined, file: FileContext): ReadonlyMap<string, StepSignature> {
  const signatures = new Map<string, StepSignature>();
  for (const { name, nameAt, value: node } of steps?.entries ?? []) {
    const kind = node.is === 'map' && !file.wrong.has(node) ? kindOf(node) : undefined;
    if (node.is === 'map' && kind) signatures.set(name, { name, at: nameAt, node, ...kind.readSignature(node, file) });
  }
  return signatures;
}

/** The result of each step. One that derives from itself, or from a step that is not sound, is wrong: that is told elsewhere. */
export function resolveResults(steps: ReadonlyMap<string, Pick<Signature, 'result'>>): ReadonlyMap<string, StepResult> {
  const resolved = new Map<string, StepResult>();
  for (const first of steps.keys()) {
    // An explicit walk to the steps that know their results: such chains may be as long as the file.
    const open = new Set<string>();
    const stack = [first];
    for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
      const result = steps.get(name)?.result;
      const missing = isDerived(result) && !resolved.has(name) ? result.from.find(one => isMissing(one)) : undefined;
      if (missing !== undefined) {
        open.add(name);
        stack.push(missing);
        continue;
      }
      stack.pop();
      open.delete(name);
      if (result !== undefined && !resolved.has(name)) resolved.set(name, resultOf(result, resolved));
    }
    function isMissing(name: string): boolean {
      return steps.has(name) && !resolved.has(name) && !open.has(name);
    }
  }
  return resolved;
}

function resultOf(result: Signature['result'], resolved: ReadonlyMap<string, StepResult>): StepResult {
  if (!isDerived(result)) return result;
  const others = result.from.map(name => resolved.get(name) ?? NOT_SOUND);
  return others.some(({ type }) => type.is === 'wrong') ? NOT_SOUND : result.derive(others);
}

const isDerived = (result: Signature['result'] | undefined): result is DerivedResult =>
  result !== undefined && 'derive' in result;

const NOT_SOUND: StepResult = { type: WRONG };

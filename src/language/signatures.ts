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
  for (const name of steps.keys()) {
    // An explicit walk to the step that knows its result: such chains may be as long as the file.
    const chain = new Map<string, DerivedResult>();
    let at = name;
    let result = steps.get(at)?.result;
    while (isDerived(result) && !resolved.has(at) && !chain.has(at)) {
      chain.set(at, result);
      at = result.from;
      result = steps.get(at)?.result;
    }
    let known = resolved.get(at) ?? (result === undefined || isDerived(result) ? NOT_SOUND : result);
    if (steps.has(at)) resolved.set(at, known);
    for (const [link, { derive }] of [...chain].reverse()) {
      known = known.type.is === 'wrong' ? NOT_SOUND : derive(known);
      resolved.set(link, known);
    }
  }
  return resolved;
}

const isDerived = (result: Signature['result'] | undefined): result is DerivedResult =>
  result !== undefined && 'derive' in result;

const NOT_SOUND: StepResult = { type: WRONG };

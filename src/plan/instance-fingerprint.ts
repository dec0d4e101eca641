/** What a choice knows an instance by: what it asks for, or what it gives where that is all there is to know it by. */
import { createHash } from 'node:crypto';
import { canonical } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import type { Resolved } from './resolved.ts';
import { contentIn } from './result-kinds.ts';
import type { ResultLookup } from './step-inputs.ts';

const known = new WeakMap<ResultLookup, Map<InstanceKey, string>>();

/** Undefined while not all that it is made of is known. What is known once stays as it is. */
export function fingerprintAt(
  key: InstanceKey,
  instances: PlanGraph['instances'],
  lookup: ResultLookup,
  resolve: (slot: Slot) => Resolved,
): string | undefined {
  const ofLookup = known.get(lookup) ?? new Map<InstanceKey, string>();
  known.set(lookup, ofLookup);
  const before = ofLookup.get(key);
  if (before !== undefined) return before;
  const slot = instances.get(key);
  const fingerprint = slot && fingerprintOf(slot, instances, lookup, resolve);
  if (fingerprint !== undefined) ofLookup.set(key, fingerprint);
  return fingerprint;
}

function fingerprintOf(
  slot: Slot,
  instances: PlanGraph['instances'],
  lookup: ResultLookup,
  resolve: (slot: Slot) => Resolved,
): string | undefined {
  const resolved = resolve(slot);
  if (resolved.is === 'skip')
    return resolved.standIn === undefined ? undefined : fingerprintAt(resolved.standIn, instances, lookup, resolve);
  // What is made anew each time is another thing each time.
  if ('fingerprint' in resolved && resolved.fingerprint !== '' && slot.step.cache) return resolved.fingerprint;
  const result = lookup(slot.key);
  return result === undefined || result === 'skipped' ? undefined : contentDigest(result);
}

/** Of what a result holds, wherever it lies. */
export const contentDigest = (result: Result): string =>
  createHash('sha256')
    .update(canonical(contentIn(result)))
    .digest('hex');

/** Which kind a step is by its keys, and which of its keys are those of other kinds. */
import { nearest } from '../domain/nearest.ts';
import { COMMON_KEYS } from './common-keys.ts';
import type { Findings } from './findings.ts';
import { type AnyKind, allKinds, kindOf, ownersOf } from './kinds/index.ts';
import { messages } from './messages/index.ts';
import type { Entry, MapNode } from './syntax-tree.ts';

/** A misspelt key of a kind is reported, and from then on read as the key that was meant. */
export function kindOrMisspelt(step: MapNode, path: readonly string[], findings: Findings): AnyKind | undefined {
  const kind = kindOf(step);
  if (kind) return kind;
  const known = [...COMMON_KEYS, ...allKinds().flatMap(({ key, keys }) => [key, ...keys])];
  for (const entry of step.entries) {
    if (known.includes(entry.name) || messages.isToCome(entry.name)) continue;
    const near = nearest(entry.name, known);
    const meant = allKinds().find(({ key }) => key === near);
    if (!meant) continue;
    findings.add(messages.unknownKey(entry.name, path, meant.key, known), entry.nameAt);
    entry.name = meant.key;
    return meant;
  }
  return undefined;
}

/** Reports the keys that only other kinds have. */
export function keysOfOtherKinds(
  step: MapNode,
  kind: AnyKind,
  path: readonly string[],
  findings: Findings,
): readonly Entry[] {
  return step.entries.filter(({ name, nameAt }) => {
    const owners = ownersOf(name);
    if (owners.length === 0 || owners.includes(kind)) return false;
    findings.add(messages.keyOfOtherKind(name, path, kind, owners), nameAt);
    return true;
  });
}

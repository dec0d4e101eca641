/** Which kind a step is by its keys, and which of its keys are those of other kinds. */
import { nearest } from '../domain/nearest.ts';
import { COMMON_KEYS } from './common-keys.ts';
import type { Findings } from './findings.ts';
import { type AnyKind, allKinds, kindOf, ownersOf } from './kinds/index.ts';
import { flowText } from './messages/flow-text.ts';
import { foreignKind } from './messages/foreign-keys.ts';
import { messages } from './messages/index.ts';
import { child, type Entry, type MapNode } from './syntax-tree.ts';

/** A misspelt key of a kind is reported, and from then on read as the key that was meant. */
export function kindOrMisspelt(step: MapNode, path: readonly string[], findings: Findings): AnyKind | undefined {
  const kind = kindOf(step);
  if (kind) return kind;
  const known = [...COMMON_KEYS, ...allKinds().flatMap(({ key, keys }) => [key, ...keys])];
  for (const entry of step.entries) {
    const foreign = foreignKind(entry.name);
    const kind = allKinds().find(({ key }) => key === foreign);
    if (kind && foreign !== undefined) {
      const written = entry.value.is === 'map' ? '…' : flowText(entry.value);
      findings.add(messages.foreignKey(entry.name, path, { advice: `write \`${foreign}: ${written}\`` }), entry.nameAt);
      entry.name = foreign;
      return kind;
    }
  }
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
  const others = allKinds().filter(other => other !== kind && child(step, other.key) !== undefined);
  return step.entries.filter(({ name, nameAt }) => {
    const owners = ownersOf(name);
    if (owners.length === 0 || owners.includes(kind)) return false;
    // The key of the other kind is told: what belongs to it goes with it.
    if (!owners.some(owner => owner.key === name) && owners.some(owner => others.includes(owner))) return true;
    findings.add(messages.keyOfOtherKind(name, path, kind, owners), nameAt);
    return true;
  });
}

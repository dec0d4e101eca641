/** `else`: the instance whose result is taken where a step is off. */
import { groupInside, type InstanceKey } from '../domain/key.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';

/** Undefined without `else`. `${{ each }}` is what it would have been made from, `${{ steps.master }}` another step's one result. */
export function standInOf({ instances }: PlanGraph, { step, each = [], outer }: Slot): InstanceKey | undefined {
  const [read] = step.else?.reads ?? [];
  if (!read) return undefined;
  const [name] = read.path;
  if (read.root === 'steps') return instances.of(groupInside(outer?.key, name ?? ''))[0]?.key;
  const place = name === undefined ? 0 : step.fanOut.each.findIndex(source => source.name === name);
  return each[place];
}

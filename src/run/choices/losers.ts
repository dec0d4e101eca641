/** What nobody needs any more once a pick is decided: its other candidates, and what would be made for them alone. */
import type { InstanceKey } from '../../domain/key.ts';
import { isPaid } from '../../plan/kinds/index.ts';
import { NeedGraph } from '../../plan/need-graph.ts';
import { resolve } from '../../plan/resolve.ts';
import type { RunCore } from '../run-core.ts';

export interface Loser {
  readonly key: InstanceKey;
  readonly why: string;
}

/** Those that are not begun; what is sent is paid for, and comes home. @param decided picks that this run has decided. */
export function losersOf(
  { plan, state, planContext }: Pick<RunCore, 'plan' | 'state' | 'planContext'>,
  decided: ReadonlySet<InstanceKey>,
): readonly Loser[] {
  const instances = [...plan.instances].map(instance => {
    if (!decided.has(instance.key)) return { ...instance, isOpen: false };
    const resolved = resolve(plan, instance, state.lookup, planContext);
    const forgoes = 'forgoes' in resolved ? resolved.forgoes : undefined;
    const without = new Set(forgoes?.instances);
    const needs = instance.needs.filter(key => !without.has(key));
    return { ...instance, isOpen: false, needs, needsAll: [], ...(forgoes && { forgoes }) };
  });
  const steps = new Map(plan.pipeline.steps.map(step => [step.name, step]));
  const open = plan.open.flatMap(({ step: name, lists, follows }) => {
    const step = steps.get(name);
    const key = name as string as InstanceKey;
    return step && plan.instances.isOpen(name)
      ? [{ key, step, needs: [], needsAll: [...lists, ...follows], isOpen: true }]
      : [];
  });
  const kept = new Set(plan.outputs.map(({ instance }) => instance));
  const forgone = new NeedGraph([...instances, ...open]).forgone(({ key }) => kept.has(key));
  return [...forgone].flatMap(([key, why]) => {
    const instance = plan.instances.get(key);
    // What is not paid for, and has its turn already, is let end.
    const isTooLate =
      !state.isWaiting(key) || (state.isHandedOut(key) && instance !== undefined && !isPaid(instance.step));
    return isTooLate ? [] : [{ key, why }];
  });
}

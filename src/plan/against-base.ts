/** A plan beside the lock of another branch: which instances a change brings in, makes anew, and does away with, and what that costs. */
import type { InstanceKey } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Instance, Plan } from '../domain/plan.ts';

/** The lock of the branch that a change is to go into. */
export interface BaseLock {
  /** As it is named: `origin/main`. */
  readonly name: string;
  /** The film has a lock there. */
  readonly isThere: boolean;
  readonly fingerprints: ReadonlyMap<InstanceKey, string>;
}

/**
 * `new`: the base has no such instance. `changed`: it was asked for something else there. `open`: what it asks for is known when what it
 * reads is made. `same`: the base has just that.
 */
export type AgainstBase = 'new' | 'changed' | 'open' | 'same';

export interface BaseDifference {
  readonly of: (instance: Instance) => AgainstBase;
  /** Of all that the plan makes and the base has otherwise or not at all: US dollars, and how many have no price. */
  readonly usd: number;
  readonly unpriced: number;
  readonly counts: Readonly<Record<AgainstBase, number>>;
  /** In the base's lock, and no part of this film any more. */
  readonly gone: readonly InstanceKey[];
}

export function againstBase(plan: Plan, base: BaseLock): BaseDifference {
  const of = ({ key, fingerprint }: Instance): AgainstBase => {
    const there = base.fingerprints.get(key);
    if (there === undefined) return 'new';
    if (fingerprint === undefined) return 'open';
    return fingerprint === there ? 'same' : 'changed';
  };
  const counts = { new: 0, changed: 0, open: 0, same: 0 };
  let usd = 0;
  let unpriced = 0;
  const keys = new Set<InstanceKey>();
  for (const instance of plan.instances) {
    keys.add(instance.key);
    const { decision, price } = instance;
    if (decision.is === 'skip' || decision.is === 'left_out') continue;
    const is = of(instance);
    counts[is] += 1;
    if (is === 'same' || (decision.is !== 'run' && decision.is !== 'maybe')) continue;
    if (price === null) unpriced += 1;
    else usd = addUsd(usd, price);
  }
  // The instances of an open step are not known: what the base has of it may come again.
  const open = plan.open.map(({ step }) => step as string);
  const isOpen = (key: InstanceKey) => open.some(step => key === step || key.startsWith(`${step}[`));
  return {
    of,
    usd,
    unpriced,
    counts,
    gone: [...base.fingerprints.keys()].filter(key => !keys.has(key) && !isOpen(key)),
  };
}

/** What a plan will do outside of this machine: listed apart, so that nobody is surprised by it. */
import type { Json } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import { isPart, type Plan } from '../domain/plan.ts';
import { actsOutside } from './kinds/index.ts';

export interface Act {
  /** Or the name of a step whose instances are not known yet. */
  readonly key: InstanceKey | string;
  readonly isOpen: boolean;
  /** The command as far as it is known: its arguments, or its script. */
  readonly run: Json;
}

/** Only what is still to be done. */
export function actsOf({ instances, open, pipeline }: Plan): readonly Act[] {
  const acts: Act[] = [];
  for (const { key, step, decision, request } of instances)
    if (actsOutside(step) && (decision.is === 'run' || decision.is === 'maybe'))
      acts.push({ key, isOpen: false, run: request?.run ?? null });
  for (const { step: name } of open.filter(isPart)) {
    const step = pipeline.steps.find(one => one.name === name);
    if (step && actsOutside(step)) acts.push({ key: name, isOpen: true, run: null });
  }
  return acts;
}

/** A person's own file in the place of a result. */
import type { Adoption } from '../domain/adoption.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { PlanContext } from './plan-context.ts';
import { messages } from './plan-messages.ts';
import { isRedone } from './redo.ts';

/** Undefined where there is none, or it is given up by being made once more. */
export function adoptionOf(key: InstanceKey, context: Pick<PlanContext, 'selection' | 'owned'>): Adoption | undefined {
  const adoption = context.owned.adopted?.(key);
  return adoption && !isRedone(key, undefined, context) ? adoption : undefined;
}

/** Its bytes are nowhere: it is never made, and paid for, in the place of what a person has chosen. */
export const adoptedMissing = (key: InstanceKey, adoption: Adoption): string =>
  messages.adoptedMissing(key, adoption, adoption.sha256);

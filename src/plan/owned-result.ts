/** What is owned already of the work of a step. */
import type { Step } from '../domain/pipeline.ts';
import type { Owned } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { actsOutside } from './kinds/index.ts';

/** Whether files of what is owned may be missing on this machine: a team may have them. */
export const mayBeAway = (step: Step, owned: Result | undefined): boolean => !owned || actsOutside(step);

/** What acted outside stays done, although its files may be gone. */
export function ownedResult(step: Step, fingerprint: string, owned: Owned): Result | undefined {
  if (!step.cache) return undefined;
  return actsOutside(step) && owned.done ? owned.done(fingerprint) : owned.find(fingerprint);
}

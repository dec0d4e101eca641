/**
 * One row for each kind of step. A new kind is one file here, one line in this table, and one in `WorkByKind` (`resolved.ts`): no other file in
 * this folder asks what kind a step is.
 */

import type { MediaFacts } from '../../model/media/media.ts';
import type { PickStep, Step } from '../../model/pipeline.ts';
import type { PlanContext } from '../plan-context.ts';
import { run } from './command.ts';
import { cut } from './cut.ts';
import { generate, tokenize } from './generate.ts';
import { judge } from './judge.ts';
import type { Kind, KindOfStep } from './kind.ts';
import { approve, pick } from './pick.ts';
import { until, uses } from './until.ts';

export const KINDS: { readonly [K in Kind]: KindOfStep<K> } = {
  generate,
  run,
  cut,
  tokenize,
  uses,
  pick,
  approve,
  judge,
  until,
};

/** The row of a step. Callers give it that same step, and the work that it resolved: the types cannot say so. */
export const kindOf = (step: Step): KindOfStep<Kind> => KINDS[step.kind] as KindOfStep<Kind>;

/** The model's label or id, or the kind of a step without one: its name in events, in the lock, and where durations are learnt. */
export const labelOf = (step: Step): string => kindOf(step).label(step);

/** Some of several results go on. */
export const isPick = (step: Step): step is PickStep => step.kind === 'pick';

/** Something is paid for it. */
export const isPaid = (step: Step): boolean => kindOf(step).isPaid;

/** It acts outside of this machine: it is done once for its inputs, and never in a draft. */
export const actsOutside = (step: Step): boolean => kindOf(step).actsOutside(step);

/** Whether it is a question, and which: undefined for work. */
export const decides = (step: Step): 'pick' | 'approve' | undefined => kindOf(step).decides;

/** The model that must be up before it is carried out, where that is one. */
export const modelOf = (step: Step): string | undefined => kindOf(step).model(step);

/** Seconds: what was seen before, or what is usual. What takes no time is nothing that is learnt. */
export function expectedSeconds(step: Step, facts: MediaFacts | undefined, context: PlanContext): number {
  const usual = kindOf(step).usualSeconds(step, facts, context);
  return usual === 0 ? 0 : (context.expected?.(labelOf(step)) ?? usual);
}

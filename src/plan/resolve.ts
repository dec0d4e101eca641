/**
 * An instance and what it reads → what exactly would be done. The plan asks with the results that are owned, the run with
 * those that are finished: one piece of code, so that what was planned is what is sent.
 */
import { resolveCommand } from './command.ts';
import type { Slot } from './fan-out.ts';
import { Filling, isWaiting } from './fill.ts';
import { type Input, type Inputs, type Lookup, readInputs, type Wiring } from './inputs.ts';
import type { PlanContext } from './plan.ts';
import { resolveRequest } from './request.ts';
import { broken, type Resolved } from './resolved.ts';
import { resolveTuning } from './tokenize.ts';
import { words } from './words.ts';

export type { Resolved, ResolvedCommand, ResolvedRequest, ResolvedTuning } from './resolved.ts';

export type ResolveContext = Pick<PlanContext, 'library' | 'pricing' | 'env' | 'run' | 'localMedia' | 'chatBy'>;

export function resolve(plan: Wiring, slot: Slot, lookup: Lookup, context: ResolveContext): Resolved {
  const inputs = readInputs(plan, slot, lookup);
  const filling = new Filling(plan, slot, inputs, context);
  const condition = conditionOf(slot, inputs, filling);
  if (condition) return condition;
  const blocked = blockedBy(inputs);
  if (blocked) return blocked;
  if (slot.step.kind === 'run') return resolveCommand(slot.step, inputs, filling, context);
  if (slot.step.kind === 'tokenize') return resolveTuning(plan, slot.step, inputs, filling);
  return resolveRequest(plan, slot, slot.step, inputs, filling, context);
}

/** Asked before anything else: a condition on `params` alone is decided even while an upstream instance is still missing. */
function conditionOf({ step }: Slot, inputs: Inputs, filling: Filling): Resolved | undefined {
  if (!step.if || isWaiting(step.if, inputs)) return undefined;
  const holds = filling.fill(step.if);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  if (holds === true) return undefined;
  if (holds === false) return { is: 'skip', why: words.conditionFalse() };
  return broken('expression_failed', [{ message: words.conditionNotBoolean(holds), at: step.if.at }]);
}

function blockedBy({ each, steps }: Inputs): Resolved | undefined {
  const inputs: Input[] = each ? [each, ...steps.values()] : [...steps.values()];
  for (const input of inputs) {
    if (input.is === 'skipped') return { is: 'skip', why: words.upstreamSkipped(input.name) };
    if (input.is === 'incomplete')
      return { is: 'invalid', failure: { code: 'expression_failed', message: input.message }, problems: [] };
  }
  return undefined;
}

/**
 * An instance and what it reads → what exactly would be done. The plan asks with the results that are owned, the run with
 * those that are finished: one piece of code, so that what was planned is what is sent.
 */
import { kindOf } from './kinds/index.ts';
import { isWaiting, PartialEvaluator } from './partial-evaluation.ts';
import type { ResolveContext } from './plan-context.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { readInputs } from './read-inputs.ts';
import { invalid, type Resolved } from './resolved.ts';
import type { Inputs, ResultLookup } from './step-inputs.ts';

export type { Resolved, ResolvedCommand, ResolvedRequest, ResolvedTuning, ResolvedWork } from './resolved.ts';

export function resolve(graph: PlanGraph, slot: Slot, lookup: ResultLookup, context: ResolveContext): Resolved {
  const inputs = readInputs(graph, slot, lookup);
  const values = new PartialEvaluator(graph, slot, inputs, context);
  const condition = conditionOf(slot, inputs, values);
  if (condition) return condition;
  const blocked = blockedBy(inputs);
  if (blocked) return blocked;
  return kindOf(slot.step).resolve({ graph, slot, step: slot.step, inputs, values }, context);
}

/** Asked before anything else: a condition on `params` alone is decided even while an upstream instance is still missing. */
function conditionOf({ step, unknown }: Slot, inputs: Inputs, values: PartialEvaluator): Resolved | undefined {
  if (!step.if || isWaiting(step.if, inputs, unknown)) return undefined;
  const holds = values.evaluate(step.if);
  if (values.problems.length > 0) return invalid('expression_failed', values.problems);
  if (holds === true) return undefined;
  if (holds === false) return { is: 'skip', why: messages.conditionFalse() };
  return invalid('expression_failed', [{ message: messages.conditionNotBoolean(holds), at: step.if.at }]);
}

function blockedBy({ each, previous, steps }: Inputs): Resolved | undefined {
  for (const input of [each, previous, ...steps.values()]) {
    if (!input) continue;
    if (input.is === 'skipped') return { is: 'skip', why: messages.upstreamSkipped(input.name) };
    if (input.is === 'incomplete')
      return { is: 'invalid', failure: { code: 'expression_failed', message: input.message }, problems: [] };
  }
  return undefined;
}

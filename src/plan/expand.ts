/**
 * A plan grows: an open step is fanned out once the results its lists read are there, and so are the open steps behind it that
 * become known by that. Nothing here touches the plan; `grow` does, when whoever runs it has said so.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Failure } from '../domain/failure.ts';
import type { StepName } from '../domain/key.ts';
import type { Expansion, Plan } from '../domain/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ResultLookup } from './step-inputs.ts';

export interface Expanded {
  /** In topological order; empty while the lists are not known, and for a step that is not open. */
  readonly expansions: readonly Expansion[];
  /** Open steps that can never be fanned out: they fail with these words, and what reads them is blocked. They stay open. */
  readonly failures: readonly FailedExpansion[];
}

export interface FailedExpansion {
  readonly step: StepName;
  readonly failure: Failure;
  /** The same with its place in the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `results`: everything finished so far. Give one and the same function for a whole run. */
export function expand(_plan: Plan, _step: StepName, _results: ResultLookup, _context: PlanContext): Expanded {
  return { expansions: [], failures: [] };
}

/** The plan, one step further: its instances and outputs are there for everybody who reads it. */
export function grow(plan: Plan, { step, instances, outputs }: Expansion): void {
  plan.instances.add(step, instances);
  for (const output of outputs) plan.outputs.push(output);
}

/** Content Credentials that a cut loses: it is encoded anew, and their signature is of the bytes that came. */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Plan } from '../domain/plan.ts';
import { kindOf } from './kinds/index.ts';
import { sourceOf } from './plan-graph.ts';
import { messages } from './plan-messages.ts';

/** One warning a step, by what is owned: what a result carries is known once it is there. */
export function lostCredentials({ pipeline, instances }: Plan): readonly Diagnostic[] {
  const lost = new Map<string, Diagnostic>();
  for (const { step, needs } of instances) {
    if (!kindOf(step).takesEncoder || lost.has(step.name)) continue;
    const from = needs.find(key => instances.get(key)?.facts?.c2pa);
    if (from === undefined) continue;
    lost.set(step.name, {
      severity: 'warning',
      code: 'credentials-lost',
      message: messages.credentialsLost(step.name, from),
      source: sourceOf(pipeline, step),
      span: step.at,
    });
  }
  return [...lost.values()];
}

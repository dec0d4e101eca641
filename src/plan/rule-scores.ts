/** The `rule` of a pick: a number for each candidate. */
import type { Score } from '../domain/choice.ts';
import type { ExpressionValue, Scope } from '../domain/pipeline.ts';
import { evaluate } from '../language/evaluate.ts';
import type { Candidate } from './candidates.ts';
import { messages } from './plan-messages.ts';
import type { Waiting } from './resolved.ts';
import { memberValue } from './result-kinds.ts';
import type { Inputs } from './step-inputs.ts';
import { readsOf } from './value-reads.ts';

/** Results beside the candidates that it reads, and that are not there. */
export function waitingForRule(rule: ExpressionValue, { steps, each }: Inputs): readonly Waiting[] {
  const reads = readsOf(rule);
  const inputs = [...reads.steps].map(name => steps.get(name));
  if (reads.each) inputs.push(each);
  return inputs.flatMap(input => (input?.is === 'waiting' ? [input] : []));
}

/** In the order of the candidates, all of which are there. */
export function ruleScores(
  rule: ExpressionValue,
  candidates: readonly Candidate[],
  scope: Scope,
): { readonly scores: readonly Score[] } | { readonly problem: { readonly message: string } } {
  const scores: Score[] = [];
  for (const { key, result, matrix } of candidates) {
    if (result === undefined || result === 'skipped') continue;
    const answer = evaluate(rule, { ...scope, candidate: memberValue(result, matrix) });
    if (answer.is === 'error') return { problem: { message: `${key}: ${answer.message}` } };
    if (typeof answer.value !== 'number') return { problem: { message: messages.ruleNotANumber(key, answer.value) } };
    scores.push({ score: answer.value });
  }
  return { scores };
}

/**
 * What a judge is asked to write, and what is read of it: a score from 0 to 10 and words for each candidate, which it calls by its number.
 * A judge may write anything. Each candidate must be scored once; whatever else it says chooses nothing.
 */
import type { Score } from '../domain/choice.ts';
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import { groupInside, type InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { messages } from './plan-messages.ts';

/** The judge of one instance of a pick: `best[beat=3]/judge`. */
export const judgeKey = (pick: InstanceKey): InstanceKey => groupInside(pick, 'judge') as string as InstanceKey;

const MOST = 10;

export const scoresSchema = (candidates: number): JsonObject => ({
  type: 'object',
  properties: {
    scores: {
      type: 'array',
      minItems: candidates,
      maxItems: candidates,
      items: {
        type: 'object',
        properties: {
          candidate: { type: 'integer', minimum: 1, maximum: candidates },
          score: { type: 'number', minimum: 0, maximum: MOST },
          words: { type: 'string' },
        },
        required: ['candidate', 'score', 'words'],
        additionalProperties: false,
      },
    },
  },
  required: ['scores'],
  additionalProperties: false,
});

/** In the order of the candidates; or why there are none. */
export function scoresIn(
  answer: Result | 'skipped',
  candidates: readonly InstanceKey[],
): { readonly scores: readonly Score[] } | { readonly message: string } {
  const json = answer !== 'skipped' && answer.is === 'text' && isObject(answer.json) ? answer.json : {};
  const { scores: given } = json;
  if (!Array.isArray(given)) return { message: messages.judgeUnread() };
  const scores = new Map<InstanceKey, Score>();
  for (const one of given as readonly Json[]) {
    const { candidate = null, score = null, words } = isObject(one) ? one : {};
    const key = typeof candidate === 'number' ? candidates[candidate - 1] : undefined;
    if (key === undefined) return { message: messages.judgeUnknown(candidate) };
    if (scores.has(key)) return { message: messages.judgeTwice(key) };
    if (typeof score !== 'number' || !(score >= 0 && score <= MOST))
      return { message: messages.judgeOutOfRange(key, score) };
    scores.set(key, { score, ...(typeof words === 'string' && words !== '' && { words }) });
  }
  const missing = candidates.filter(key => !scores.has(key));
  if (missing.length > 0) return { message: messages.judgeMissed(missing) };
  return { scores: candidates.flatMap(key => scores.get(key) ?? []) };
}

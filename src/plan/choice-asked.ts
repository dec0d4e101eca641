/** What a choice depends on beside its candidates, as a digest; and what whoever chooses is shown of a candidate. */
import { createHash } from 'node:crypto';
import type { Option } from '../domain/event.ts';
import { canonical, type Json } from '../domain/json.ts';
import type { JudgeStep, PickStep } from '../domain/pipeline.ts';
import { pieceOf } from '../domain/result.ts';
import type { Candidate } from './candidates.ts';
import type { MediaIndex } from './media-index.ts';
import type { PartialEvaluator } from './partial-evaluation.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanGraph } from './plan-graph.ts';

interface Asked {
  readonly graph: PlanGraph;
  readonly values: PartialEvaluator;
  readonly inputs: { readonly known: MediaIndex };
  readonly localMedia: PlanContext['localMedia'];
}

/** Undefined where a person is asked: there is nothing to ask but "which?". */
export function askedDigest({ rule, judge, count }: PickStep, { graph }: Asked): string | undefined {
  if (rule) return digestOf({ rule: rule.code, count });
  const step = judge === undefined ? undefined : graph.pipeline.steps.find(({ name }) => name === judge);
  return step && 'pick' in step ? digestOf({ ...wordsOfJudge(step), count }) : undefined;
}

/** As the file says it: what its expressions give is asked for when the judge is. */
const wordsOfJudge = ({ model, frames, words }: JudgeStep): { readonly [name: string]: Json } => ({
  ...{ model, frames },
  words: words.entries.map(({ name, value }) => [name, JSON.parse(JSON.stringify(withoutPlaces(value))) as Json]),
});

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !['at', 'codeAt', 'nameAt', 'reads'].includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPlaces(inner)]));
}

const digestOf = (value: { readonly [name: string]: Json }): string =>
  createHash('sha256').update(canonical(value)).digest('hex');

export const digestOfWords = (ask: string): string => digestOf({ ask });

/** None while it is not there. */
export function optionOf({ key, result }: Candidate, id: string): readonly Option[] {
  if (result === undefined || result === 'skipped') return [];
  const piece = pieceOf(result);
  if (piece.is === 'media') return [{ id, key, sha256: piece.sha256, media: piece.media }];
  return piece.is === 'text' ? [{ id, key, text: piece.text }] : [{ id, key }];
}

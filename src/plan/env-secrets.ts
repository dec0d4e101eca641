/**
 * Variables of the environment, which often are keys: what they hold is used, and never shown. A plan says `$NAME` in their place.
 */
import type { JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { NamedSecret } from './redaction.ts';
import { readsOfStep } from './step-reads.ts';

/** Shorter ones would be found in every other word, and keep no secret. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto)$/i;

/** What the variables hold that this film reads, longest first: to be cleaned out of whatever is printed, journalled or locked. */
export const secretsOf = (pipeline: Pipeline, env: JsonObject): readonly string[] =>
  namedSecrets(pipeline, env).map(([value]) => value);

/** Longest first: one may begin another. */
export function namedSecrets({ steps }: Pipeline, env: JsonObject): readonly NamedSecret[] {
  const names = new Set(steps.flatMap(step => [...readsOfStep(step).env]));
  return [...names]
    .map(name => [env[name], name] as const)
    .filter((one): one is NamedSecret => typeof one[0] === 'string' && one[0].length >= LEAST && !PLAIN.test(one[0]))
    .sort(([a], [b]) => b.length - a.length);
}

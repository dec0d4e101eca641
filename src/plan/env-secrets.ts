/**
 * Variables of the environment often are keys: their values are used and never shown. A plan says `$NAME` in their place.
 */
import type { JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { NamedSecret } from './redaction.ts';
import { readsOfStep } from './step-reads.ts';

/** Characters. A shorter value would be found in every other word, and keeps no secret. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto)$/i;

/** Values of the variables that this film reads, longest first. They are taken out of everything that is printed, journalled or locked. */
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

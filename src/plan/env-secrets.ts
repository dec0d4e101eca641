/**
 * Variables of the environment, which often are keys: what they hold is used, and never shown. A plan says `$NAME` in their place.
 */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { ExpressionValue, Pipeline, Scope, Step } from '../domain/pipeline.ts';
import { evaluate } from '../language/evaluate.ts';
import { readsOfStep } from './step-reads.ts';

/** Shorter ones would be found in every other word, and keep no secret. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto)$/i;

/** What the variables hold that this film reads, longest first: to be cleaned out of whatever is printed, journalled or locked. */
export const secretsOf = (pipeline: Pipeline, env: JsonObject): readonly string[] =>
  namedSecrets(pipeline, env).map(([value]) => value);

/** A text of ours (a reason, a mistake) without them. */
export function withoutSecrets(text: string, secrets: readonly NamedSecret[]): string {
  let clean = text;
  for (const [value, name] of secrets) if (clean.includes(value)) clean = clean.replaceAll(value, () => `$${name}`);
  return clean;
}

type NamedSecret = readonly [value: string, name: string];

/** Longest first: one may begin another. */
export function namedSecrets({ steps }: Pipeline, env: JsonObject): readonly NamedSecret[] {
  const names = new Set(steps.flatMap(step => [...readsOfStep(step).env]));
  return [...names]
    .map(name => [env[name], name] as const)
    .filter((one): one is NamedSecret => typeof one[0] === 'string' && one[0].length >= LEAST && !PLAIN.test(one[0]))
    .sort(([a], [b]) => b.length - a.length);
}

export const readsVariables = (step: Step): boolean => readsOfStep(step).env.size > 0;

/**
 * What a reader may see of what an expression gave. Where what a variable holds is found in it, its name stands there; where
 * another value would have given the same, that is shown; what was made from it in any other way is not.
 */
export function shownResult(expression: ExpressionValue, given: Json, scope: Scope): Json {
  const names = expression.reads.flatMap(({ root, path }) =>
    root === 'env' && path[0] !== undefined ? [path[0]] : [],
  );
  if (names.length === 0) return given;
  const named = names
    .map(name => [scope.env[name], name] as const)
    .filter((one): one is NamedSecret => typeof one[0] === 'string' && one[0] !== '')
    .sort(([a], [b]) => b.length - a.length);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const clean = withoutSecrets(text, named);
  if (clean !== text) return clean;
  const other = evaluate(expression, { ...scope, env: Object.fromEntries(names.map(name => [name, `$${name}`])) });
  return other.is === 'ok' && canonical(other.value) === canonical(given) ? given : HIDDEN;
}

export const HIDDEN = '…';

/** What a reader may see of texts and results that hold what a variable of the environment holds. */
import { canonical, type Json } from '../domain/json.ts';
import type { ExpressionValue, Scope } from '../domain/pipeline.ts';
import { evaluate } from '../language/evaluate.ts';

export type NamedSecret = readonly [value: string, name: string];

/** A text of ours (a reason, a mistake) without them. */
export function withoutSecrets(text: string, secrets: readonly NamedSecret[]): string {
  let clean = text;
  for (const [value, name] of secrets) if (clean.includes(value)) clean = clean.replaceAll(value, () => `$${name}`);
  return clean;
}

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

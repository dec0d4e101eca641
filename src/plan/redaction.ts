/** Texts and results without the values of variables of the environment, for a reader. */
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
 * The result of an expression as a reader may see it. A variable's name stands where its value is found in the result. A result
 * that another value would have given as well is shown. A result that was made from the value in any other way is not shown.
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

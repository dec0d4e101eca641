/**
 * Texts and results of expressions without the values of secrets: for a reader, and for a fingerprint.
 *
 * A fingerprint is in the lock, which is in git: a digest of a short token could be guessed from it, and a token that is changed
 * every week makes no new film. So a secret that is handed on counts by its name. What is computed from one (a choice, a number, a part)
 * does change what is made; it counts by a digest that takes a slow derivation of the secret to try.
 */
import { createHmac, scryptSync } from 'node:crypto';
import { evaluate } from '../../language/types/evaluate.ts';
import type { ExpressionValue, Pipeline, Reference, Scope } from '../../model/pipeline.ts';
import { canonical, type Json, type JsonObject } from '../../model/text/json.ts';
import { canBeHidden, secretMark } from '../../model/variable-access.ts';

/** A text of ours (a reason, a mistake) without them. */
export function withoutSecrets(text: string, secrets: readonly NamedSecret[]): string {
  let clean = text;
  for (const [value, shown] of secrets) if (clean.includes(value)) clean = clean.replaceAll(value, () => shown);
  return clean;
}

/**
 * The result of an expression as a reader may see it. The name of a secret replaces its value in the result. A result that another value would have
 * given as well is shown. A result that was made from the value in any other way is not shown.
 */
export function shownResult(expression: ExpressionValue, given: Json, scope: Scope): Json {
  const secrets = secretsRead(expression);
  if (secrets.length === 0) return given;
  const named = secrets
    .map(secret => [heldBy(secret, scope), secretMark(secret.path[0] ?? '')] as const)
    .filter((one): one is NamedSecret => typeof one[0] === 'string' && one[0] !== '')
    .sort(([a], [b]) => b.length - a.length);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const clean = withoutSecrets(text, named);
  if (clean !== text) return clean;
  const other = evaluate(
    expression,
    scopeWith(secrets, scope, ({ path: [name = ''] }) => secretMark(name)),
  );
  return other.is === 'ok' && canonical(other.value) === canonical(given) ? given : HIDDEN;
}

export const HIDDEN = '…';

/**
 * The result of an expression as a fingerprint counts it. The expression is asked once more, with marks in the place of secrets: where
 * putting the secrets into that answer gives what was really computed, they were handed on and nothing else.
 */
export function countedResult(expression: ExpressionValue, given: Json, scope: Scope): Json {
  const secrets = secretsRead(expression);
  if (secrets.length === 0) return given;
  const marked = evaluate(expression, scopeWith(secrets, scope, markOf));
  if (marked.is === 'ok') {
    const filled = mapTexts(marked.value, text =>
      secrets.reduce((all, secret) => all.replaceAll(markOf(secret), () => String(heldBy(secret, scope))), text),
    );
    if (canonical(filled) === canonical(given)) return marked.value;
  }
  return { $computed: digestOfComputed(secrets, given, scope) };
}

/** No text of a file holds it, so a prompt with `$TOKEN` is another request. */
const markOf = ({ root, path }: Reference): string => `\0${root}.${path.join('.')}\0`;

const secretsRead = ({ reads }: ExpressionValue): readonly Reference[] => reads.filter(({ secret }) => secret);

const heldBy = ({ root, path }: Reference, scope: Scope): Json | undefined =>
  (scope[root] as JsonObject | null)?.[path[0] ?? ''];

function scopeWith(secrets: readonly Reference[], scope: Scope, mark: (secret: Reference) => string): Scope {
  const marksOf = (root: Reference['root']) =>
    Object.fromEntries(secrets.filter(one => one.root === root).map(one => [one.path[0] ?? '', mark(one)]));
  return { ...scope, env: { ...scope.env, ...marksOf('env') }, params: { ...scope.params, ...marksOf('params') } };
}

/** A guess takes `scrypt` first (16 MiB and some 40 ms), once for each value of the secret. */
function digestOfComputed(secrets: readonly Reference[], given: Json, scope: Scope): string {
  const held = canonical(secrets.map(secret => [markOf(secret), heldBy(secret, scope) ?? null]));
  return createHmac('sha256', derived(held, scope.env)).update(canonical(given)).digest('hex');
}

/** Kept for as long as the environment that a plan is made in. */
const keys = new WeakMap<JsonObject, Map<string, Buffer>>();

function derived(held: string, world: JsonObject): Buffer {
  const known = keys.get(world) ?? new Map<string, Buffer>();
  keys.set(world, known);
  const key = known.get(held) ?? scryptSync(held, 'shotlist fingerprint 1', 32, { N: 2 ** 14 });
  known.set(held, key);
  return key;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(item => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

// What variables of the environment and params with `secret: true` hold is used, and never shown. A plan shows `$NAME` in its place, and so does
// whatever is made of the plan.

/** A text, and what is shown in its place. */
export type NamedSecret = readonly [value: string, shown: string];

/** The secrets of a film, longest first: one may begin another. */
export function namedSecrets(
  { env: variables, params: declared }: Pick<Pipeline, 'env' | 'params'>,
  { env, params }: { readonly env: JsonObject; readonly params: JsonObject },
): readonly NamedSecret[] {
  const held = [
    ...variables.map(name => [env[name], name] as const),
    ...declared.filter(({ secret }) => secret).map(({ name }) => [params[name], name] as const),
  ];
  return held
    .flatMap(([value, name]) => (isHideable(value) ? [[value, secretMark(name)] as const] : []))
    .sort(([a], [b]) => b.length - a.length);
}

const isHideable = (value: Json | undefined): value is string => typeof value === 'string' && canBeHidden(value);

/** Params for a reader. */
export function shownParams({ params: declared }: Pick<Pipeline, 'params'>, params: JsonObject): JsonObject {
  const secret = declared.filter(param => param.secret && Object.hasOwn(params, param.name));
  return { ...params, ...Object.fromEntries(secret.map(({ name }) => [name, secretMark(name)])) };
}

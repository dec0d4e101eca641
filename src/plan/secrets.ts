/**
 * What variables of the environment and params with `secret: true` hold is used, and never shown. A plan says `$NAME` in its place, and
 * so does whatever is made of the plan.
 */
import type { Json, JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import { canBeHidden, secretMark } from '../domain/secret-text.ts';

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

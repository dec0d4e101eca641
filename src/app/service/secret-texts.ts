/** The secrets that no text of this process may hold: the service's key, and what a film declares under `env` and as `secret`. */

import type { Secret } from '../../machine/redactor.ts';
import { type NamedSecret, Redactor } from '../../machine/redactor.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { secretMark } from '../../model/variable-access.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function secretTexts(
  key: Secret | null | undefined,
  declared: Pick<Pipeline, 'env' | 'params'>,
  held: { readonly environment: Environment; readonly params: JsonObject },
): Redactor {
  const variables = declared.env.map((name): NamedSecret => [secretMark(name), held.environment[name] ?? '']);
  const params = declared.params.filter(({ secret }) => secret);
  const texts = params.map(({ name }): NamedSecret => [secretMark(name), textOf(held.params[name])]);
  return new Redactor([...keyOf(key), ...variables, ...texts]);
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Every variable with a name like that of a secret: for bug reports, where the service and the film are not known. */
export function secretsByName(environment: Environment): Redactor {
  const likely = Object.entries(environment).filter(([name]) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i.test(name));
  return new Redactor(likely.map(([name, value]): NamedSecret => [secretMark(name), value ?? '']));
}

export const keyOf = (key: Secret | null | undefined): readonly NamedSecret[] => (key ? [['(key)', key.reveal()]] : []);

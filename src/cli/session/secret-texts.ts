/** The secrets that no text of this process may hold: the service's key, and the variables that a film declares under `env`. */
import type { Pipeline } from '../../domain/pipeline.ts';
import { type NamedSecret, Redactor } from '../../host/redactor.ts';
import type { Secret } from '../../host/secret.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function secretTexts(
  key: Secret | null | undefined,
  pipeline: Pick<Pipeline, 'env'>,
  environment: Environment,
): Redactor {
  const declared = pipeline.env.map((name): NamedSecret => [name, environment[name] ?? '']);
  return new Redactor([...keyOf(key), ...declared]);
}

/** Every variable whose name looks like that of a secret: for bug reports, where the service and the film are not known. */
export function secretsByName(environment: Environment): Redactor {
  const likely = Object.entries(environment).filter(([name]) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i.test(name));
  return new Redactor(likely.map(([name, value]): NamedSecret => [name, value ?? '']));
}

export const keyOf = (key: Secret | null | undefined): readonly NamedSecret[] => (key ? [['key', key.reveal()]] : []);

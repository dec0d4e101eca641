/** The options of a command that say which film is meant, and for which service: another command about the same film is given them, too. */
import { asTyped } from '../../domain/as-typed.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { withoutSecretParams } from './param-options.ts';

export interface FilmValues {
  readonly param: readonly string[];
  readonly data: readonly string[];
  readonly service?: string | undefined;
  readonly profile?: string | undefined;
  readonly draft: boolean;
}

/** As a person types them, but for the profile; empty where there are none. */
export function filmOptions(values: FilmValues, pipeline: Pick<Pipeline, 'params'>): string {
  const options = [
    ...values.param.flatMap(one => ['--param', one]),
    ...values.data.flatMap(one => ['--data', one]),
    ...(values.service === undefined ? [] : ['--service', values.service]),
    ...(values.draft ? ['--draft'] : []),
  ];
  return withoutSecretParams(options, pipeline).map(asTyped).join(' ');
}

/** Options as they are typed behind another command in this process. */
export const asArguments = (values: { readonly [name: string]: unknown }): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return texts.flatMap(text => (typeof text === 'string' ? [`--${name}=${text}`] : []));
  });

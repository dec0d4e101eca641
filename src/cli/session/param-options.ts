/** `--param NAME=VALUE`, `--param FILE` and `--data NAME=FILE`. */
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { isObject, type JsonObject } from '../../domain/json.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { readYamlValue } from '../../language/yaml-tree.ts';
import { parseParams, UsageError } from '../arguments.ts';
import { readText } from './pipeline-text.ts';

/** The files' values first; single ones on the command line win. */
export function givenParams({ param }: { readonly param: readonly string[] }): JsonObject {
  const named = param.filter(one => !isFile(one));
  return { ...Object.assign({}, ...paramFiles(param).map(fromFile)), ...parseParams(named) };
}

/** The files of values among what `--param` was given. */
export const paramFiles = (param: readonly string[]): readonly string[] => param.filter(isFile);

const isFile = (text: string): boolean => !text.includes('=');

/** Which file stands in for which name under `data:`. */
export function givenData(values: { readonly data: readonly string[] }): { readonly [name: string]: string } {
  return Object.fromEntries(
    values.data.map(text => {
      const [, name, path] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
      if (name === undefined || path === undefined)
        throw new UsageError(`--data ${text}: write a name and a file, like \`--data scenes=other.csv\``);
      return [name.trim(), path];
    }),
  );
}

/** The same paths from the pipeline's folder, as the file itself would name them. */
export function besidePipeline(data: { readonly [name: string]: string }, pipeline: string) {
  const folder = dirname(resolve(pipeline));
  const beside = (path: string) => relative(folder, resolve(path)).split(sep).join('/');
  return Object.fromEntries(Object.entries(data).map(([name, path]) => [name, beside(path)]));
}

/** The same command with `token=…` in the place of what its author keeps secret: for a screen, and for the journal. */
export function withoutSecretParams(args: readonly string[], { params }: Pick<Pipeline, 'params'>): readonly string[] {
  const secret = params.filter(param => param.secret).map(({ name }) => name);
  return args.map((argument, place) => {
    const [, option, name] = /^(--param=)?([^=]+)=/s.exec(argument) ?? [];
    const isParam = option !== undefined || args[place - 1] === '--param';
    return isParam && name !== undefined && secret.includes(name) ? `${option ?? ''}${name}=…` : argument;
  });
}

function fromFile(path: string): JsonObject {
  if (!/\.(ya?ml|json)$/i.test(path) && !existsSync(path))
    throw new UsageError(
      `--param takes NAME=VALUE, or a file of values, and \`${path}\` is neither; write \`--param ${path.replace(/^(\w+)(?::.*)?$/, (word, name) => (word === name ? `${name}=VALUE` : word.replace(':', '=')))}\``,
    );
  const content = readYamlValue(readText(path).replace(/^\ufeff/, ''));
  if ('problem' in content) throw new UsageError(`--param ${path}: ${content.problem}`);
  if (isObject(content.value)) return content.value;
  throw new UsageError(`--param ${path}: it must hold names and values, like \`idea: a fox\``);
}

/** `--param NAME=VALUE` and `--params FILE`. */
import { parse as parseYaml } from 'yaml';
import type { JsonObject } from '../../domain/json.ts';
import { parseParams, UsageError } from '../arguments.ts';
import { readText } from './pipeline-file.ts';

export const PARAM_OPTIONS = {
  param: { type: 'string', multiple: true, default: [] as string[] },
  params: { type: 'string' },
} as const satisfies Record<string, { type: 'string'; multiple?: true; default?: string[] }>;

/** The file's values first; single ones on the command line win. */
export function givenParams(values: {
  readonly param: readonly string[];
  readonly params?: string | undefined;
}): JsonObject {
  return { ...(values.params === undefined ? {} : fromFile(values.params)), ...parseParams(values.param) };
}

function fromFile(path: string): JsonObject {
  const text = readText(path);
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw new UsageError(`--params ${path}: ${(error as Error).message.split('\n')[0]}`);
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as JsonObject;
  throw new UsageError(`--params ${path}: it must hold names and values, like \`idea: a fox\``);
}

/** The command line, parsed. Every mistake is a sentence, never a stack. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../domain/nearest.ts';

/** The command line is wrong: the message is for the person who typed it. Ends with exit code 2. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** @throws UsageError for an unknown option, a missing value or a missing file. */
export function parse<T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(error, Object.keys(options)));
  }
}

export function oneFile(positionals: readonly string[], command: string): string {
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(`which file? shotlist ${command} FILE`);
  if (more.length > 0) throw new UsageError(`shotlist ${command} takes one file; ${more.join(' ')} is too much`);
  return file;
}

/** `--param idea=a fox` → `{ idea: 'a fox' }`. */
export function parseParams(given: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--param takes NAME=VALUE, and this is \`${text}\``);
    values[text.slice(0, at)] = text.slice(at + 1);
  }
  return values;
}

export function oneOf<T extends string>(value: string, allowed: readonly T[], option: string): T {
  const found = allowed.find(word => word === value);
  if (found !== undefined) return found;
  const near = nearest(value, allowed);
  const instead = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`--${option} is one of ${allowed.join(', ')}, and \`${value}\` is not${instead}`);
}

function explain(error: unknown, known: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const valueless = /^Option '.*?--([\w-]+) <value>' argument/.exec(message)?.[1];
  if (valueless !== undefined) return `--${valueless} takes a value; write it as --${valueless}=VALUE`;
  const flag = /^Option '.*?--([\w-]+)' does not take an argument/.exec(message)?.[1];
  if (flag !== undefined) return `--${flag} takes no value; write it alone`;
  const unknown = /Unknown option '--?([^']+)'/.exec(message)?.[1];
  if (unknown === undefined) return message.charAt(0).toLowerCase() + message.slice(1).split('\n')[0];
  const near = nearest(unknown, known);
  return `there is no option --${unknown}${near ? `; did you mean --${near}?` : '; see shotlist --help'}`;
}

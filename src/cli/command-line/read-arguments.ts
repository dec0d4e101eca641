/** Reads the words after a command by its row of the table. Every mistake is a sentence, and one message names all unknown options. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { asTyped } from '../../model/text/clean.ts';
import { UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { type COMMANDS, type CommandName, helpOf } from './commands.ts';
import { meantValue, optionMistake } from './mistakes.ts';
import type { Option, ValuesOf } from './option.ts';

export interface Read<Name extends CommandName> {
  readonly values: ValuesOf<(typeof COMMANDS)[Name]['options']>;
  readonly positionals: readonly string[];
}

/**
 * Makes the command of a row: its words are read, `work` gives the exit code, and an error that ends it becomes a sentence and an exit
 * code.
 */
export const command = <Name extends CommandName>(
  name: Name,
  work: (read: Read<Name>, args: readonly string[]) => Promise<ExitCode>,
) => withExitCode(async args => work(readArguments(name, args), args));

/** @throws UsageError for an unknown option, a missing value, or one of the values that an option does not take. */
export function readArguments<Name extends CommandName>(command: Name, args: readonly string[]): Read<Name> {
  const { options } = helpOf(command);
  const known = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, configOf(option)]));
  const { values, positionals } = parsed(command, args, known);
  for (const [name, { oneOf: allowed }] of Object.entries(options)) {
    const value = values[name];
    if (allowed !== undefined && typeof value === 'string') assertOneOf(value, allowed, name);
  }
  assertFileFirst(command, positionals);
  return { values: values as Read<Name>['values'], positionals };
}

/** `logs still film.yaml` */
function assertFileFirst(command: CommandName, [first, file, ...rest]: readonly string[]): void {
  const isFile = (word = ''): boolean => /\.ya?ml$/i.test(word);
  if (first === undefined || file === undefined || isFile(first) || !isFile(file)) return;
  const { operands } = helpOf(command);
  if (operands[0]?.takes !== 'pipeline' || operands.length < 2 || /[./\\]/.test(first)) return;
  const words = [file, first, ...rest].map(asTyped).join(' ');
  throw new UsageError(`the file comes first; write \`shotlist ${command} ${words}\``);
}

type Known = NonNullable<ParseArgsConfig['options']>;

function parsed(command: CommandName, given: readonly string[], options: Known) {
  const args = withNegativeNumbers(given, options);
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
    const names = tokens.flatMap(token => (token.kind === 'option' ? token.name : []));
    const unknown = [...new Set(names)].filter(name => !Object.hasOwn(options, name));
    if (unknown.length > 0) throw new UsageError(...unknown.map(name => optionMistake(name, command)));
    throw new UsageError(valueMistake(error));
  }
}

/** `--max-usd -1` → `--max-usd=-1`: the option's own message about such a value helps more than one about the dash. */
function withNegativeNumbers([word, next, ...more]: readonly string[], options: Known): string[] {
  if (word === undefined) return [];
  if (word === '--' || next === undefined) return [word, ...(next === undefined ? [] : [next, ...more])];
  const takesValue = word.startsWith('--') && options[word.slice(2)]?.type === 'string';
  return takesValue && /^-[\d.]/.test(next)
    ? [`${word}=${next}`, ...withNegativeNumbers(more, options)]
    : [word, ...withNegativeNumbers([next, ...more], options)];
}

const configOf = ({ value, many, default: preset, short }: Option): Known[string] => {
  if (value === undefined) return { type: 'boolean', default: false, ...(short && { short }) };
  if (many) return { type: 'string', multiple: true, default: [] };
  return preset === undefined ? { type: 'string' } : { type: 'string', default: preset };
};

function valueMistake(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const valueless = /^Option '.*?--([\w-]+) <value>' argument/.exec(message)?.[1];
  if (valueless !== undefined) return `--${valueless} takes a value; write it as --${valueless}=VALUE`;
  const dashed = /^Option '.*?--([\w-]+)' argument is ambiguous/.exec(message)?.[1];
  if (dashed !== undefined)
    return `--${dashed} takes a value, and what follows begins with a dash; write it as --${dashed}=VALUE`;
  const flag = /^Option '.*?--([\w-]+)' does not take an argument/.exec(message)?.[1];
  if (flag !== undefined) return `--${flag} takes no value; write it alone`;
  return `${message.charAt(0).toLowerCase()}${message.slice(1).split('\n')[0]}`;
}

function assertOneOf(value: string, allowed: readonly string[], option: string): void {
  if (allowed.includes(value)) return;
  const near = meantValue(value, allowed, option);
  const instead = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`--${option} is one of ${allowed.join(', ')}, and \`${value}\` is not${instead}`);
}

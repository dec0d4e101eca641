/** What a shell offers behind `shotlist`, from the table of commands: words, names of steps, or the kind of file that the shell looks for itself. */
import {
  COMMAND_NAMES,
  type CommandName,
  commandIn,
  GROUPS,
  helpOf,
  isCommand,
  isGroup,
} from '../command-line/commands.ts';
import type { Taken } from '../command-line/option.ts';

/** The scripts of `shotlist tools completion` start the program with this word, the words before the cursor, and `+` with the typed one. */
export const COMPLETE = '__complete';

/** What is read for an offer, and only then. */
export interface CompletionSources {
  readonly labels: () => readonly string[];
  readonly textOf: (path: string) => string | undefined;
}

/** A line for each: `word TAB about`, or `:pipeline`, `:file`, `:folder`. */
export function complete(asked: readonly string[], sources: CompletionSources): readonly string[] {
  const before = asked.slice(0, -1);
  const typed = asked.at(-1)?.slice(1) ?? '';
  if (before.length === 0) return beginning(typed, typed.startsWith('-') ? FIRST_OPTIONS : firstWords());
  const seconds = before.length === 1 ? beginning(typed, secondWords(before[0])) : [];
  const command = commandIn(before);
  if (command === undefined) return seconds;
  const { options, operands } = helpOf(command.name);
  const offer = (takes: Taken = 'nothing', oneOf?: readonly string[], value = typed, prefix = '') => {
    if (takes === 'pipeline' || takes === 'file' || takes === 'folder') return [`:${takes}`];
    const words =
      oneOf ?? (takes === 'model' ? sources.labels() : takes === 'step' ? stepsNamedIn(command.args, sources) : []);
    return beginning(
      value,
      words.map(word => [word, ''] as const),
    ).map(line => prefix + line);
  };

  const [name, value, prefix] = valuedOption(command.args, typed);
  const option = options[name];
  if (option?.value !== undefined) return offer(option.takes, option.oneOf, value, prefix);
  if (typed.startsWith('-')) {
    const about = Object.entries(options).map(([word, one]) => [`--${word}`, one.about] as const);
    return beginning(typed, [...about, ['--help', 'usage, examples, options, exit codes']]);
  }
  const place = placeOf(command.args, options);
  const operand = operands[place] ?? operands.findLast(one => one.name.includes('…'));
  if (command.name === 'help') return place === 0 ? beginning(typed, [...firstWords(), ...GROUP_WORDS]) : [];
  return [...seconds, ...(operand === undefined ? [] : offer(operand.takes, operand.oneOf))];
}

type Word = readonly [word: string, about: string];

const FIRST_OPTIONS: readonly Word[] = [
  ['--version', 'its version'],
  ['--help', 'every command in a line'],
];
const GROUP_WORDS = Object.entries(GROUPS).map(([word, { about }]) => [word, about] as const);

const beginning = (typed: string, words: readonly Word[]): readonly string[] =>
  [...new Map(words)].filter(([word]) => word.startsWith(typed)).map(([word, about]) => `${word}\t${about}`);

const firstWords = (): readonly Word[] => COMMAND_NAMES.map(name => [name.split(' ')[0] ?? '', aboutFirst(name)]);

function aboutFirst(name: CommandName): string {
  const [word = ''] = name.split(' ');
  return isCommand(word) ? helpOf(word).brief : isGroup(word) ? GROUPS[word].about : word;
}

const secondWords = (first: string | undefined): readonly Word[] =>
  COMMAND_NAMES.filter(name => name.startsWith(`${first} `)).map(name => [
    name.slice(name.indexOf(' ') + 1),
    helpOf(name).brief,
  ]);

/** The option whose value is typed: `--ui p`, `--ui=p`, and bash's three words for the latter. */
function valuedOption(args: readonly string[], typed: string): readonly [name: string, value: string, prefix: string] {
  const joined = /^--([\w-]+)=(.*)$/s.exec(typed);
  if (joined) return [joined[1] ?? '', joined[2] ?? '', `--${joined[1]}=`];
  const isSign = typed === '=';
  const at = isSign || args.at(-1) !== '=' ? -1 : -2;
  return [args.at(at)?.replace(/^--/, '') ?? '', isSign ? '' : typed, ''];
}

/** How many operands come before the typed word. */
function placeOf(args: readonly string[], options: { readonly [name: string]: { readonly value?: string } }): number {
  let place = 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '=') at++;
    else if (!/^-./.test(word)) place++;
    else if (options[word.slice(2)]?.value !== undefined && args[at + 1] !== '=') at++;
  }
  return place;
}

/** The names under `steps:` of the first pipeline that is named, as its author writes them: a name is alone before its colon. */
function stepsNamedIn(args: readonly string[], { textOf }: CompletionSources): readonly string[] {
  for (const word of args) {
    const text = /\.ya?ml$/.test(word) ? textOf(word) : undefined;
    if (text === undefined) continue;
    const [, inside = ''] = /^steps:.*\n((?:(?:[ #].*|\r?)\n)*)/m.exec(`${text}\n`) ?? [];
    const names = [...inside.matchAll(/^( +)([a-z][a-z0-9_]*):/gm)];
    return names.filter(([, indent]) => indent === names[0]?.[1]).map(([, , name]) => name ?? '');
  }
  return [];
}

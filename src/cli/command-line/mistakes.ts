/** Messages about an unknown command or option: its name here, the command that has it, or the nearest name. */
import { cleanText } from '../../model/text/clean.ts';
import { listed } from '../../model/text/format.ts';
import { nearest } from '../../model/text/nearest.ts';
import { COMMAND_NAMES, type CommandName, commandIn, GROUPS, helpOf, isGroup, PREFIXES } from './commands.ts';
import { FOREIGN_COMMANDS, FOREIGN_VALUES, foreignOption } from './foreign-words.ts';

/** What is typed instead, behind `shotlist`, and whether it is sure; undefined where nothing is near. */
function meantCommand(words: readonly string[]): { readonly say: string; readonly isKnown: boolean } | undefined {
  const [first = '', second = ''] = words.map(word => word.toLowerCase());
  for (const name of [`${first} ${second}`, first])
    if (Object.hasOwn(FOREIGN_COMMANDS, name)) return { say: FOREIGN_COMMANDS[name] ?? '', isKnown: true };
  const near = isGroup(first) ? nearest(`${first} ${second}`, GROUPS[first].commands) : nearest(first, WORDS);
  return near === undefined ? undefined : { say: near, isKnown: false };
}

/** What a command may begin with. */
const WORDS: readonly string[] = [...new Set([...COMMAND_NAMES.filter(name => !name.includes(' ')), ...PREFIXES])];

/** The message about an unknown command, and about options that the nearest command lacks. @param given all words after `shotlist`. */
export function commandMistake(given: readonly string[]): string {
  const words = given.map(cleanText);
  const [name = '', second] = words;
  if (name === 'shotlist' && words.length > 1)
    return `there is no command \`shotlist\`; write the name of the program once: \`${words.join(' ')}\``;
  if (/\.ya?ml$/i.test(name) && second !== undefined && commandIn([second]))
    return `\`${name}\` is a file, and the command comes before it: \`shotlist ${second} ${name}\``;
  if (/\.ya?ml$/i.test(name))
    return `\`${name}\` is a file; what is to be done with it? \`shotlist run ${name}\`, or see shotlist --help`;
  const isOfGroup = PREFIXES.includes(name) && second !== undefined;
  const typed = isOfGroup ? `${name} ${second}` : name;
  const meant = meantCommand(words);
  if (meant === undefined)
    return `there is no command \`${typed}\`; see shotlist ${isOfGroup ? `help ${name}` : '--help'}`;
  const instead = meant.isKnown ? `here it is \`shotlist ${meant.say}\`` : `did you mean \`${meant.say}\`?`;
  const command = commandIn(meant.say.split(' '));
  const wrong = command
    ? unknownOptions(command.name, words.slice(1)).map(option => optionMistake(option, command.name))
    : [];
  return [`there is no command \`${typed}\`; ${instead}`, ...wrong].join('\n');
}

/** The options among these words that the command does not have, as they were typed, without dashes. */
function unknownOptions(command: CommandName, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const typed = args
    .slice(0, end < 0 ? args.length : end)
    .flatMap(word => /^--?([A-Za-z][\w-]*)/.exec(word)?.[1] ?? []);
  const { options } = helpOf(command);
  const shorts = Object.values(options).map(({ short }) => short);
  return [...new Set(typed)].filter(name => !Object.hasOwn(options, name) && !shorts.includes(name));
}

/** @param option as it was typed, without its dashes. */
export function optionMistake(option: string, command: CommandName): string {
  const dashed = option.length === 1 ? `-${option}` : `--${option}`;
  const there = `there is no option ${dashed}`;
  const foreign = foreignOption(command, option);
  if (foreign !== undefined) return `${there}; ${foreign}`;
  const denied = /^no-(.+)$/.exec(option)?.[1];
  const flag = denied === undefined ? undefined : helpOf(command).options[denied];
  if (flag && flag.value === undefined) return `${there}; --${denied} is off where it is not given, so leave it out`;
  const owners = COMMAND_NAMES.filter(name => Object.hasOwn(helpOf(name).options, option));
  if (owners.length > 0) return `${there} of \`${command}\`; ${ownersText(option, owners)}`;
  const near = nearest(option, Object.keys(helpOf(command).options));
  if (near !== undefined) return `${there}; did you mean --${near}?`;
  const begun = Object.keys(helpOf(command).options).flatMap(name => (name.startsWith(option) ? [`--${name}`] : []));
  if (option.length === 1 && begun.length > 0) return `${there}; did you mean ${listed(begun, 'or')}?`;
  const elsewhere = COMMAND_NAMES.filter(name => nearest(option, Object.keys(helpOf(name).options)) !== undefined);
  const [owner] = elsewhere;
  // A short word is near to too much.
  if (owner !== undefined && elsewhere.length <= 3 && option.length >= 5)
    return `${there}; did you mean --${nearest(option, Object.keys(helpOf(owner).options))} of ${listed(elsewhere.map(quoted))}?`;
  return `${there}; see shotlist help ${command}`;
}

function ownersText(option: string, owners: readonly CommandName[]): string {
  const shown = owners.slice(0, 3);
  const more = owners.length > shown.length ? ' and others' : '';
  return `--${option} is an option of ${more ? shown.map(quoted).join(', ') + more : listed(shown.map(quoted))}`;
}

const quoted = (name: string): string => `\`${name}\``;

/** `--ui verbose` → `plain`: as other tools spell it, else what is nearest. */
export function meantValue(value: string, allowed: readonly string[], option: string): string | undefined {
  const foreign = FOREIGN_VALUES[option]?.[value.toLowerCase()];
  return foreign !== undefined && allowed.includes(foreign) ? foreign : nearest(value, allowed);
}

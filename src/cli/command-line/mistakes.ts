/** What is said of a command or an option that is not there: what it is called here, where it stands, or what was nearly typed. */
import { nearest } from '../../domain/nearest.ts';
import { COMMAND_NAMES, type CommandName, helpOf } from './commands.ts';
import { FOREIGN_COMMANDS, FOREIGN_VALUES, foreignOption } from './foreign-words.ts';

/** The command that was meant; undefined where nothing is near. */
export const meantCommand = (name: string): CommandName | undefined => {
  const folded = name.toLowerCase();
  if (Object.hasOwn(FOREIGN_COMMANDS, folded)) return FOREIGN_COMMANDS[folded];
  return nearest(name, COMMAND_NAMES) as CommandName | undefined;
};

/** With what is wrong behind it, as far as the command that was meant can tell. */
export function commandMistake(name: string, args: readonly string[]): string {
  const meant = meantCommand(name);
  if (/\.ya?ml$/i.test(name))
    return `\`${name}\` is a file; what is to be done with it? \`shotlist run ${name}\`, or see shotlist --help`;
  if (meant === undefined) return `there is no command \`${name}\`; see shotlist --help`;
  const instead = Object.hasOwn(FOREIGN_COMMANDS, name.toLowerCase())
    ? `here it is \`shotlist ${meant}\``
    : `did you mean \`${meant}\`?`;
  const wrong = unknownOptions(meant, args).map(option => optionMistake(option, meant));
  return [`there is no command \`${name}\`; ${instead}`, ...wrong].join('\n');
}

/** The options among these words that the command does not have, as they were typed, without dashes. */
export function unknownOptions(command: CommandName, args: readonly string[]): readonly string[] {
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
  const owners = COMMAND_NAMES.filter(name => Object.hasOwn(helpOf(name).options, option));
  if (owners.length > 0) return `${there} of \`${command}\`; ${ownersText(option, owners)}`;
  const near = nearest(option, Object.keys(helpOf(command).options));
  if (near !== undefined) return `${there}; did you mean --${near}?`;
  const elsewhere = COMMAND_NAMES.filter(name => nearest(option, Object.keys(helpOf(name).options)) !== undefined);
  const [owner] = elsewhere;
  // A short word is near to too much.
  if (owner !== undefined && elsewhere.length <= 3 && option.length >= 5)
    return `${there}; did you mean --${nearest(option, Object.keys(helpOf(owner).options))} of ${listed(elsewhere)}?`;
  return `${there}; see shotlist help ${command}`;
}

function ownersText(option: string, owners: readonly CommandName[]): string {
  const shown = owners.slice(0, 3);
  const more = owners.length > shown.length ? ' and others' : '';
  return `--${option} is an option of ${more ? shown.map(quoted).join(', ') + more : listed(shown)}`;
}

const quoted = (name: string): string => `\`${name}\``;
const listed = (names: readonly string[]): string =>
  names.length < 2
    ? names.map(quoted).join('')
    : `${names.slice(0, -1).map(quoted).join(', ')} and ${names.slice(-1).map(quoted).join('')}`;

/** `--ui verbose` → `plain`: as other tools spell it, else what is nearest. */
export function meantValue(value: string, allowed: readonly string[], option: string): string | undefined {
  const foreign = FOREIGN_VALUES[option]?.[value.toLowerCase()];
  return foreign !== undefined && allowed.includes(foreign) ? foreign : nearest(value, allowed);
}

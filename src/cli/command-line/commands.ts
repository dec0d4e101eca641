/** Every command, once, in its group: the parser, help, completions and messages about mistakes read this table. */
import { KEEP_COMMANDS } from './keep-commands.ts';
import { MAKE_COMMANDS } from './make-commands.ts';
import { type CommandHelp, JSON_DOCUMENT, operand } from './option.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOOL_COMMANDS } from './tool-commands.ts';
import { UNDERSTAND_COMMANDS } from './understand-commands.ts';

const HELP = {
  help: {
    usage: 'help [COMMAND|GROUP]',
    brief: 'every command by its group, or all of one',
    operands: [operand('COMMAND|GROUP', 'nothing', 'its usage, examples, options and exit codes; its commands')],
    options: JSON_DOCUMENT,
    examples: {
      'shotlist help run': 'the same as `shotlist run --help`',
      'shotlist help team': 'the commands of a group',
      'shotlist help --json': 'every command, option and exit code, for a program',
    },
    exits: [0, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };

export const COMMANDS = {
  ...MAKE_COMMANDS,
  ...UNDERSTAND_COMMANDS,
  ...KEEP_COMMANDS,
  ...SERVICE_COMMANDS,
  ...TEAM_COMMANDS,
  ...TOOL_COMMANDS,
  ...HELP,
} as const satisfies { readonly [name: string]: CommandHelp };

/** One word, or two: `team submit`. */
export type CommandName = keyof typeof COMMANDS;

const namesOf = (commands: { readonly [name in CommandName]?: CommandHelp }) =>
  Object.keys(commands) as readonly CommandName[];

export const COMMAND_NAMES = namesOf(COMMANDS);

export interface CommandGroup {
  /** In a few words. */
  readonly about: string;
  readonly commands: readonly CommandName[];
}

/** In the order of the front page. */
export const GROUPS = {
  make: { about: 'a film, from its first line to its final', commands: namesOf(MAKE_COMMANDS) },
  understand: { about: 'what happened, what happens, and why', commands: namesOf(UNDERSTAND_COMMANDS) },
  keep: { about: 'results, requests and files in order', commands: namesOf(KEEP_COMMANDS) },
  service: { about: 'ask a service one thing, or be one', commands: namesOf(SERVICE_COMMANDS) },
  team: { about: 'many machines make films together, over a database', commands: namesOf(TEAM_COMMANDS) },
  tools: { about: 'for shells, editors and files of other programs', commands: namesOf(TOOL_COMMANDS) },
} as const satisfies { readonly [name: string]: CommandGroup };

export type GroupName = keyof typeof GROUPS;

/** The first words of commands of two that are none by themselves: `team`, `tools`. */
export const PREFIXES: readonly string[] = [
  ...new Set(COMMAND_NAMES.flatMap(name => (name.includes(' ') ? (name.split(' ')[0] ?? '') : []))),
].filter(word => !Object.hasOwn(COMMANDS, word));

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

export const isGroup = (name: string): name is GroupName => Object.hasOwn(GROUPS, name);

export const helpOf = (name: CommandName): CommandHelp => COMMANDS[name];

export interface CommandTyped {
  readonly name: CommandName;
  /** The words behind it. */
  readonly args: readonly string[];
}

/** The command that these words begin with: the longer name where there are two, `models search` before `models`. */
export function commandIn(words: readonly string[]): CommandTyped | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (isCommand(name)) return { name, args: words.slice(length) };
  }
  return undefined;
}

/** Every command, once: the parser, `--help`, completions and what is said of a mistake are made of this table. */
import { CHOOSING_COMMANDS } from './choosing-commands.ts';
import { FILM_COMMANDS } from './film-commands.ts';
import type { CommandHelp } from './option.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOOL_COMMANDS } from './tool-commands.ts';

const {
  init,
  check,
  plan,
  run,
  promote,
  why,
  adopt,
  attach,
  report,
  review,
  graph,
  provenance,
  status,
  logs,
  store,
  doctor,
  cancel,
  clean,
} = FILM_COMMANDS;
const { models, generate, chat, activate, deactivate, tokenize, studio } = SERVICE_COMMANDS;

/** In the order of the overview. */
export const COMMANDS = {
  ...{ init, check, plan, run, promote, why },
  ...CHOOSING_COMMANDS,
  ...{ adopt, attach, report, review, graph, provenance, status, logs, store, doctor, cancel, clean },
  ...{ models, generate, chat, activate, deactivate, tokenize },
  ...TEAM_COMMANDS,
  ...TOOL_COMMANDS,
  ...{ studio },
} as const satisfies { readonly [name: string]: CommandHelp };

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** As the table says it of any command. */
export const helpOf = (name: CommandName): CommandHelp => COMMANDS[name];

/** The table for a program: `shotlist help --json`, `shotlist help run --json`. */
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { COMMAND_NAMES, type CommandName, GROUPS, type GroupName, helpOf } from './commands.ts';

/** Version 1: fields are added, never renamed. */
export const helpJson = () => ({
  version: 1,
  groups: Object.keys(GROUPS).map(name => groupSummary(name as GroupName)),
  commands: COMMAND_NAMES.map(commandJson),
  exit_codes: Object.entries(EXIT_CODES).map(([code, { brief }]) => ({ code: Number(code), brief })),
});

const groupSummary = (name: GroupName) => ({ name, about: GROUPS[name].about, commands: GROUPS[name].commands });

/** A group with all of its commands. */
export const groupJson = (name: GroupName) => ({
  ...groupSummary(name),
  commands: GROUPS[name].commands.map(commandJson),
});

export function commandJson(name: CommandName) {
  const { usage, brief, operands, options, examples, exits } = helpOf(name);
  return {
    name,
    usage: `shotlist ${usage}`,
    brief,
    operands: operands.map(({ name: operand, about }) => ({ name: operand, about })),
    options: Object.entries(options).map(([option, { value, oneOf, many, default: preset, about }]) => ({
      name: `--${option}`,
      ...(value !== undefined && { value }),
      ...(oneOf && { one_of: oneOf }),
      ...(many && { repeated: true }),
      ...(preset !== undefined && { default: preset }),
      about,
    })),
    examples,
    exit_codes: exits,
  };
}

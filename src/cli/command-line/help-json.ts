/** The table for a program: `shotlist help --json`, `shotlist help run --json`. */
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { COMMAND_NAMES, type CommandName, helpOf } from './commands.ts';

/** Version 1: fields are added, never renamed. */
export const helpJson = () => ({
  version: 1,
  commands: COMMAND_NAMES.map(commandJson),
  exit_codes: Object.entries(EXIT_CODES).map(([code, { brief }]) => ({ code: Number(code), brief })),
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

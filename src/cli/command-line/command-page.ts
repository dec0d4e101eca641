/** What `shotlist help run` says: usage, examples, operands, options and exit codes, of the command's row of the table. */
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { COMMAND_NAMES, type CommandName, helpOf } from './commands.ts';
import { helpWidth, rowLines, wrapped } from './help-rows.ts';
import type { Option } from './option.ts';

/** @param columns of the terminal; text is broken between words. */
export function commandPage(name: CommandName, columns?: number): string {
  const width = helpWidth(columns);
  const { usage, brief, operands, options, examples, exits } = helpOf(name);
  const row = (left: string, about: string) => rowLines(left, about, width);
  const below = COMMAND_NAMES.filter(other => other.startsWith(`${name} `));
  const rowOf = (other: CommandName) => row(helpOf(other).usage, helpOf(other).brief);
  const lines = [
    `shotlist ${usage}`,
    ...wrapped(brief, width - 2).map(line => `  ${line}`),
    '',
    'examples',
    ...examples.flatMap(({ line, about }) => [`  ${line}`, ...wrapped(about, width - 6).map(part => `      ${part}`)]),
    ...(operands.length > 0 ? ['', ...operands.flatMap(operand => row(operand.name, operand.about))] : []),
    '',
    'options',
    ...Object.entries(options).flatMap(([option, about]) => row(dashed(option, about), aboutOf(about))),
    ...(below.length > 0 ? ['', 'commands below it', ...below.flatMap(rowOf)] : []),
    '',
    'exit codes',
    ...exits.flatMap(code => row(String(code), EXIT_CODES[code].brief)),
  ];
  return `${lines.join('\n')}\n`;
}

const dashed = (name: string, { value, short }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

const aboutOf = ({ about, oneOf }: Option): string => (oneOf ? `${oneOf.join('|')}: ${about}` : about);

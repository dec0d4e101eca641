/** What `shotlist help run` says: usage, examples, operands, options and exit codes, of the command's row of the table. */
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { type CommandName, helpOf } from './commands.ts';
import type { Option } from './option.ts';

/** Columns of the left side; a longer one has a line of its own. */
const LEFT = 24;
const NARROWEST = 40;
/** Below it there is one column: the left side, and what it says below. */
const NARROW = 64;
const WIDEST = 100;

/** @param columns of the terminal; text is broken between words. */
export function commandPage(name: CommandName, columns = WIDEST): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const { usage, brief, operands, options, examples, exits } = helpOf(name);
  const row = (left: string, about: string) => rowLines(left, about, width);
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
    '',
    'exit codes',
    ...exits.flatMap(code => row(String(code), EXIT_CODES[code].brief)),
  ];
  return `${lines.join('\n')}\n`;
}

const dashed = (name: string, { value, short }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

const aboutOf = ({ about, oneOf }: Option): string => (oneOf ? `${oneOf.join('|')}: ${about}` : about);

function rowLines(left: string, about: string, width: number): readonly string[] {
  if (width < NARROW) return [`  ${left}`, ...wrapped(about, width - 6).map(line => `      ${line}`)];
  const [first = '', ...more] = wrapped(about, width - LEFT - 2);
  const indent = ' '.repeat(LEFT + 2);
  const head = left.length < LEFT ? [`  ${left.padEnd(LEFT)}${first}`] : [`  ${left}`, `${indent}${first}`];
  return [...head, ...more.map(line => `${indent}${line}`)];
}

/** Words of one cell a character: the table's texts are ours. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Answers from the table alone, before anything else is loaded: help, and the mistake of a missing command. */

import { EXIT_CODES } from '../errors/exit-codes.ts';
import {
  COMMAND_NAMES,
  type CommandGroup,
  type CommandName,
  commandIn,
  GROUPS,
  type GroupName,
  helpOf,
  isGroup,
  PREFIXES,
} from './commands.ts';
import { commandMistake } from './mistakes.ts';
import type { Option } from './option.ts';

interface HelpAnswer {
  readonly text: string;
  readonly to: 'stdout' | 'stderr';
  readonly exit: 0 | 2;
}

/** Undefined where a command was named and is to be carried out. `words` are all behind `shotlist`. */
export function answerHelp(
  words: readonly string[],
  columns: () => number | undefined = () => undefined,
): HelpAnswer | undefined {
  const [first] = words;
  if (first === undefined) return mistaken(frontPage(columns()));
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const isAsked = first === 'help' || options.some(word => word === '--help' || word === '-h');
  const about = (first === 'help' ? words.slice(1) : words).filter(word => !word.startsWith('-'));
  const isJson = words.includes('--json');
  if (isAsked && about.length === 0) return out(isJson ? json(helpJson()) : frontPage(columns()));
  const [group = ''] = about;
  if (isGroup(group) && about.length === 1 && isAsked)
    return out(isJson ? json({ version: 1, ...groupJson(group) }) : groupPage(group, columns()));
  if (isGroup(group) && words.length === 1) return mistaken(groupPage(group, columns()));
  const command = commandIn(isAsked ? about : words);
  if (command === undefined) return mistaken(`shotlist: ${commandMistake(isAsked ? about : words)}\n`);
  if (!isAsked) return undefined;
  return out(isJson ? json({ version: 1, ...commandJson(command.name) }) : commandPage(command.name, columns()));
}

const out = (text: string): HelpAnswer => ({ text, to: 'stdout', exit: 0 });
const mistaken = (text: string): HelpAnswer => ({ text, to: 'stderr', exit: 2 });
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** @param columns of the terminal; text is broken between words. */
function commandPage(name: CommandName, columns?: number): string {
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
    ...Object.entries(examples).flatMap(([line, about]) => [
      `  ${line}`,
      ...wrapped(about, width - 6).map(part => `      ${part}`),
    ]),
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

const FRONT_COLUMN = 12;

const HINTS = [
  'shotlist help run: all of one command; shotlist help team: a group of them',
  'shotlist explain: words of a film and of the settings, variables, exit codes',
];

/** @param columns of the terminal; text is broken between words. */
function frontPage(columns?: number): string {
  const width = helpWidth(columns);
  const { make, ...others } = GROUPS;
  const lines = [
    ...wrapped('shotlist - declare a film as a graph of steps, see it for free, render it once', width),
    '',
    ...wrapped(`make: ${make.about}`, width),
    ...make.commands.flatMap(name => rowLines(name, helpOf(name).brief, width, FRONT_COLUMN)),
    '',
    ...Object.entries<CommandGroup>(others).flatMap(([group, { commands }]) =>
      rowLines(group, namesIn(group, commands), width, FRONT_COLUMN),
    ),
    '',
    ...HINTS.flatMap(hint => wrapped(hint, width)),
  ];
  return `${lines.join('\n')}\n`;
}

/** `submit` for `team submit`. The group's page alone lists `models search`, which belongs to the command `models`. */
function namesIn(group: string, commands: readonly string[]): string {
  const belongsToAnother = (name: string) => COMMAND_NAMES.some(other => name.startsWith(`${other} `));
  const typed = commands.filter(name => !belongsToAnother(name)).map(name => name.replace(`${group} `, ''));
  return `${PREFIXES.includes(group) ? `shotlist ${group}: ` : ''}${typed.join(' ')}`;
}

/** @param columns of the terminal; text is broken between words. */
function groupPage(name: GroupName, columns?: number): string {
  const width = helpWidth(columns);
  const { about, commands } = GROUPS[name];
  const lines = [
    ...wrapped(`${name}: ${about}`, width),
    '',
    ...commands.flatMap(command =>
      rowLines(`shotlist ${helpOf(command).usage}`, helpOf(command).brief, width, GROUP_COLUMN),
    ),
    '',
    ...wrapped(`shotlist help ${commands[0]}: its examples, options and exit codes; so for each of them`, width),
  ];
  return `${lines.join('\n')}\n`;
}

const GROUP_COLUMN = 36;

/** Columns of the left side; a longer one has a line of its own. */
const LEFT = 24;
const NARROWEST = 40;
/** Columns that the right side needs; with fewer it begins on a line of its own. */
const LEAST_RIGHT = 28;
const WIDEST = 100;

/** How wide help is at a terminal of so many columns; absent: into a pipe. */
const helpWidth = (columns = WIDEST): number => Math.min(WIDEST, Math.max(NARROWEST, columns));

function rowLines(left: string, about: string, width: number, column = LEFT): readonly string[] {
  if (width - column < LEAST_RIGHT) return [`  ${left}`, ...wrapped(about, width - 6).map(line => `      ${line}`)];
  const [first = '', ...more] = wrapped(about, width - column - 2);
  const indent = ' '.repeat(column + 2);
  const head = left.length < column ? [`  ${left.padEnd(column)}${first}`] : [`  ${left}`, `${indent}${first}`];
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

/** Version 1: fields are added, never renamed. */
const helpJson = () => ({
  version: 1,
  groups: Object.keys(GROUPS).map(name => groupSummary(name as GroupName)),
  commands: COMMAND_NAMES.map(commandJson),
  exit_codes: Object.entries(EXIT_CODES).map(([code, { brief }]) => ({ code: Number(code), brief })),
});

const groupSummary = (name: GroupName) => ({ name, about: GROUPS[name].about, commands: GROUPS[name].commands });

/** A group with all of its commands. */
const groupJson = (name: GroupName) => ({
  ...groupSummary(name),
  commands: GROUPS[name].commands.map(commandJson),
});

function commandJson(name: CommandName) {
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
    examples: Object.entries(examples).map(([line, about]) => ({ line, about })),
    exit_codes: exits,
  };
}

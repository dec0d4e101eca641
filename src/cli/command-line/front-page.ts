/** What `shotlist` and `shotlist help` say: one screen, with the commands that a film is made with in a line each. */
import { COMMAND_NAMES, type CommandGroup, GROUPS, helpOf, PREFIXES } from './commands.ts';
import { helpWidth, rowLines, wrapped } from './help-rows.ts';

const COLUMN = 12;

const HINTS = [
  'shotlist help run: all of one command; shotlist help team: a group of them',
  'shotlist explain: words of a film and of the settings, variables, exit codes',
];

/** @param columns of the terminal; text is broken between words. */
export function frontPage(columns?: number): string {
  const width = helpWidth(columns);
  const { make, ...others } = GROUPS;
  const lines = [
    ...wrapped('shotlist - declare a film as a graph of steps, see it for free, render it once', width),
    '',
    ...wrapped(`make: ${make.about}`, width),
    ...make.commands.flatMap(name => rowLines(name, helpOf(name).brief, width, COLUMN)),
    '',
    ...Object.entries<CommandGroup>(others).flatMap(([group, { commands }]) =>
      rowLines(group, namesIn(group, commands), width, COLUMN),
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

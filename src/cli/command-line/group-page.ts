/** What `shotlist help team` says: the commands of a group, a row each. */
import { GROUPS, type GroupName, helpOf } from './commands.ts';
import { helpWidth, rowLines, wrapped } from './help-rows.ts';

/** @param columns of the terminal; text is broken between words. */
export function groupPage(name: GroupName, columns?: number): string {
  const width = helpWidth(columns);
  const { about, commands } = GROUPS[name];
  const lines = [
    ...wrapped(`${name}: ${about}`, width),
    '',
    ...commands.flatMap(command => rowLines(`shotlist ${helpOf(command).usage}`, helpOf(command).brief, width, COLUMN)),
    '',
    ...wrapped(`shotlist help ${commands[0]}: its examples, options and exit codes; so for each of them`, width),
  ];
  return `${lines.join('\n')}\n`;
}

const COLUMN = 36;

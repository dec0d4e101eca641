/** What is answered from the table alone, before anything else is loaded: help, and what is said where no command was named. */
import { commandPage } from './command-page.ts';
import { commandIn, isGroup } from './commands.ts';
import { frontPage } from './front-page.ts';
import { groupPage } from './group-page.ts';
import { commandJson, groupJson, helpJson } from './help-json.ts';
import { commandMistake } from './mistakes.ts';

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

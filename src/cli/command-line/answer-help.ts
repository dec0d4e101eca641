/** Whether help was asked for, and what is answered: from the table alone, before anything else is loaded. */
import { commandPage } from './command-page.ts';
import { isCommand } from './commands.ts';
import { commandJson, helpJson } from './help-json.ts';
import { commandMistake } from './mistakes.ts';
import { OVERVIEW } from './overview.ts';

export interface HelpAnswer {
  readonly text: string;
  readonly to: 'stdout' | 'stderr';
  readonly exit: 0 | 2;
}

/** Undefined where something else was asked for. `words` are all behind `shotlist`. */
export function answerHelp(
  words: readonly string[],
  columns: () => number | undefined = () => undefined,
): HelpAnswer | undefined {
  const [command] = words;
  if (command === undefined) return { text: OVERVIEW, to: 'stderr', exit: 2 };
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const isAsked = command === 'help' || options.some(word => word === '--help' || word === '-h');
  if (!isAsked) return undefined;
  const [about] = (command === 'help' ? words.slice(1) : words).filter(word => !word.startsWith('-'));
  const isJson = words.includes('--json');
  if (about === undefined) return out(isJson ? json(helpJson()) : OVERVIEW);
  if (!isCommand(about)) return { text: `shotlist: ${commandMistake(about, [])}\n`, to: 'stderr', exit: 2 };
  return out(isJson ? json({ version: 1, ...commandJson(about) }) : commandPage(about, columns()));
}

const out = (text: string): HelpAnswer => ({ text, to: 'stdout', exit: 0 });
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

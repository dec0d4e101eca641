/** Whoever sits at the terminal: their keys, and how a file is shown to them. */
import { relative } from 'node:path';
import { openFile } from '../../host/open-file.ts';
import type { Person } from '../../ui/screen-options.ts';
import { type TerminalKeyboard, terminalKeyboard } from './keyboard.ts';

/** Empty where nobody can type. */
export function personAtTerminal({ fileOf, who, review }: Pick<Person, 'fileOf' | 'who' | 'review'>): {
  readonly person?: Person;
  /** Theirs, which the terminal itself can be asked through. */
  readonly keyboard?: TerminalKeyboard;
} {
  const keyboard = terminalKeyboard();
  if (!keyboard) return {};
  const person: Person = {
    ...{ keyboard, who, ...(review && { review }) },
    fileOf: sha256 => {
      const path = fileOf(sha256);
      return path && relative(process.cwd(), path);
    },
    open: async sha256 => {
      const path = fileOf(sha256);
      return path === undefined ? 'its file is not on this machine' : openFile(path, process.env);
    },
  };
  return { person, keyboard };
}

/** The functions of expressions, from the table that checks and evaluates them. */
import { type LanguageFunction, writtenForms } from '../../language/expression/function.ts';
import { FUNCTIONS } from '../../language/expression/functions.ts';
import type { Entry } from './entry.ts';

export const functionEntries = (): readonly Entry[] => FUNCTIONS.map(entryOf);

const entryOf = (row: LanguageFunction): Entry => ({
  topic: 'function',
  name: row.name,
  about: row.says,
  facts: [
    [
      'written',
      writtenForms(row)
        .map(form => `\`${form}\``)
        .join(', '),
    ],
  ],
  examples: [`${row.example.code} → ${JSON.stringify(row.example.answer)}`],
});

/** A function that is not there: the right spelling, the reason, or the nearest name. */
import { nearest } from '../../../model/text/nearest.ts';
import type { Message } from '../../checks/findings.ts';
import { withSuggestion } from '../../messages/foreign/wording.ts';
import { messages } from '../../messages/index.ts';
import { foreignFunction } from './foreign-functions.ts';
import { writtenForms } from './function.ts';
import { functionNames, rowNamed } from './functions.ts';

export function unknownFunction(name: string): Message {
  const foreign = foreignFunction(name);
  if (foreign) return messages.foreignFunction(name, foreign);
  // `strings.join`, `shot.ceil`: the last part may be right where the first is not.
  const short = name.split('.').at(-1)!;
  const meant = nearest(name, functionNames()) ?? nearest(short, functionNames());
  const found = meant === undefined ? undefined : rowNamed(meant);
  return withSuggestion(messages.unknownFunction(name, found && writtenForms(found)), name, found && meant);
}

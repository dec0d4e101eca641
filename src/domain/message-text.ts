/** What a service, a command or the network says, as it is shown: clean, in one line, and no longer than anybody reads. */
import { asLeftOnTerminal, cleanText } from './clean.ts';

/** Characters. */
const LONGEST = 2000;
const [HEAD, TAIL] = [1600, 300];
const LINE = 300;

/** A page of text keeps its beginning, and its end, where a log has its reason; all of it is in the journal. */
export function messageText(text: string): string {
  const clean = cleanText(text);
  if (clean.length <= LONGEST) return clean;
  const more = clean.length - HEAD - TAIL;
  return `${clean.slice(0, HEAD)} … (${more.toLocaleString('en-US')} characters more in the journal) … ${clean.slice(-TAIL)}`.toWellFormed();
}

/** A line of a command's output: indented as it was. */
export const outputLine = (line: string): string =>
  asLeftOnTerminal(line)
    .replaceAll(/[\t\n]/g, '  ')
    .trimEnd();

/** The beginning of it, where it was told at length before. */
export function messageInALine(text: string): string {
  const clean = cleanText(text);
  if (clean.length <= LINE) return clean;
  const start = clean.slice(0, LINE - 1).trimEnd();
  return `${start.toWellFormed()}…`;
}

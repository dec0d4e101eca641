/** A line behind its time, folded between its words for a terminal: it goes on under its first word. */
import { wrapWords } from '../../model/text/cells.ts';

const TIME = /^ +\+\S+ {2}/;

/** @param columns of the terminal; undefined where there is none. A command is never folded: it is copied. */
export function hangingLines(line: string, columns: number | undefined): string {
  const [time = ''] = TIME.exec(line) ?? [];
  if (columns === undefined || (time === '' && line.startsWith(' '))) return line;
  const rest = wrapWords(line.slice(time.length), Math.max(20, columns - time.length));
  return rest.map((part, at) => (at === 0 ? time : ' '.repeat(time.length)) + part).join('\n');
}

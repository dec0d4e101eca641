/** Rows of help: a name on the left, what is said of it on the right, broken between words at any width. */

/** Columns of the left side; a longer one has a line of its own. */
const LEFT = 24;
const NARROWEST = 40;
/** Columns that the right side needs; with fewer it begins on a line of its own. */
const LEAST_RIGHT = 28;
const WIDEST = 100;

/** How wide help is at a terminal of so many columns; absent: into a pipe. */
export const helpWidth = (columns = WIDEST): number => Math.min(WIDEST, Math.max(NARROWEST, columns));

export function rowLines(left: string, about: string, width: number, column = LEFT): readonly string[] {
  if (width - column < LEAST_RIGHT) return [`  ${left}`, ...wrapped(about, width - 6).map(line => `      ${line}`)];
  const [first = '', ...more] = wrapped(about, width - column - 2);
  const indent = ' '.repeat(column + 2);
  const head = left.length < column ? [`  ${left.padEnd(column)}${first}`] : [`  ${left}`, `${indent}${first}`];
  return [...head, ...more.map(line => `${indent}${line}`)];
}

/** Words of one cell a character: the table's texts are ours. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

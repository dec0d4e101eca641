/**
 * Text measured in terminal cells: a wide character takes two, a combining mark none, a family of emoji counts as one picture.
 * A row that is measured so never wraps by a cell.
 */
import stringWidth from 'string-width';

/** Printable ASCII and Latin-1, and our own rules, bars, arrows and marks: nearly every text has no others, and each takes one cell. */
const NARROW =
  /^[ -~\u00a1-\u00ac\u00ae-\u00ff\u2013\u2026\u2039\u203a\u2190-\u2193\u2500-\u257f\u2800-\u28ff\u2713\u2717]*$/;

export const cellWidth = (text: string): number => (NARROW.test(text) ? text.length : stringWidth(text));

/** `a long sente…` */
export function clipEnd(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  return width < 1 ? '' : `${head(text, width - 1)}…`;
}

/** `framed[beat=2…o=9:16]`: both ends of a key tell it apart from its neighbours. */
export function clipMiddle(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  if (width < 4) return clipEnd(text, width);
  const left = Math.ceil((width - 1) / 2);
  return `${head(text, left)}…${tail(text, width - 1 - left)}`;
}

/** `…[beat=3]`: the end of a key distinguishes it from its neighbours where there is no room for its beginning. */
export function clipStart(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  return width < 1 ? '' : `…${tail(text, width - 1)}`;
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - cellWidth(text)));
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - cellWidth(text))) + text;

/** Breaks at blanks; a word longer than a line (a path, an address) is broken where the line ends. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (cellWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    let rest = word;
    while (cellWidth(rest) > width) {
      const part = head(rest, Math.max(2, width));
      lines.push(part);
      rest = rest.slice(part.length);
    }
    line = rest;
  }
  return line === '' ? lines : [...lines, line];
}

let segmenter: Intl.Segmenter | undefined;

/** The first segmenter of a process costs 10 ms, so it is made where a text needs it. */
function pictures(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function head(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, width));
  let taken = '';
  let used = 0;
  for (const { segment } of pictures(text)) {
    used += cellWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

function tail(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(Math.max(0, text.length - width));
  const kept: string[] = [];
  let used = 0;
  for (const { segment } of [...pictures(text)].reverse()) {
    used += cellWidth(segment);
    if (used > width) break;
    kept.push(segment);
  }
  return kept.reverse().join('');
}

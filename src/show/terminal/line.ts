/** A line of the screen before it is painted: pieces of text with a tone. Colour is only ever one of these few tones. */

import { distinctPart, withoutAxes } from '../../model/run/key.ts';
import { cellWidth, clipEnd, clipMiddle, clipStart, wrapWords } from '../../model/text/cells.ts';

/** `accent` is the one colour for what lives and what is well; `alarm` is kept for what went wrong; `quiet` steps back. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'accent' | 'alarm';

export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}
export type Line = readonly Piece[];

export const text = (words: string, tone: Tone = 'plain'): Piece => ({ text: words, tone });

/** A paragraph, indented. */
export const wrapped = (words: string, columns: number, indent: number, tone: Tone): readonly Line[] =>
  wrapWords(words, Math.max(10, columns - indent - 1)).map(line => [text(' '.repeat(indent) + line, tone)]);

/** At most `width` cells: the piece that crosses the edge is clipped, what follows is dropped. */
export function clipped(line: Line, width: number): Line {
  const kept: Piece[] = [];
  let left = width;
  for (const piece of line) {
    const words = clipEnd(piece.text, left);
    if (words !== '') kept.push(text(words, piece.tone));
    left -= cellWidth(words);
  }
  return kept;
}

/** Exactly `width` cells. */
export function filled(line: Line, width: number): Line {
  const kept = clipped(line, width);
  const used = kept.reduce((sum, piece) => sum + cellWidth(piece.text), 0);
  return [...kept, text(' '.repeat(Math.max(0, width - used)))];
}

/** The line as a terminal takes it: SGR codes of the 16-colour set, so that the user's own theme decides; none at all without colour. */
export function painted(line: Line, color: boolean): string {
  const plain = ({ text: words }: Piece) => words;
  if (!color) return line.map(plain).join('').trimEnd();
  return withoutBlankEnd(line)
    .map(piece =>
      piece.tone === 'plain' || piece.text.trim() === '' ? piece.text : `${SGR[piece.tone]}${piece.text}\x1b[0m`,
    )
    .join('');
}

/** Blanks at the end of a line are copied with it, and cost bytes in each frame. */
function withoutBlankEnd(line: Line): Line {
  const last = line.findLastIndex(({ text: words }) => words.trim() !== '');
  return line.slice(0, last + 1).map((piece, at) => (at === last ? text(piece.text.trimEnd(), piece.tone) : piece));
}

const SGR = { strong: '\x1b[1m', quiet: '\x1b[2m', accent: '\x1b[36m', alarm: '\x1b[31m' } as const;

/** Cells: with fewer, the distinct part of a name comes before its beginning. */
const MIDDLE = 24;
/** With fewer there is no room for a step's beginning and its values. */
const BOTH = 12;
/** Of a step beside values that are cut, and beside whole ones. */
const STEP = 4;
const LEAST_STEP = 3;

/**
 * The whole name, or `shot[3,1]` for `shot[beat=3,take=1]`, or both its ends. Where there is little room, the beginning of the step and its
 * values, `sh…[lighthouse]`, `shot[12,light…]`: without it `still[lighthouse]` would read the same. With less, the end of the values.
 */
export function nameWithin(label: string, width: number): string {
  if (cellWidth(label) <= width) return label;
  const short = withoutAxes(label);
  if (cellWidth(short) <= width) return short;
  const part = distinctPart(short);
  if (width >= MIDDLE || part === short) return clipMiddle(short, width);
  const head = width - cellWidth(part);
  if (head < LEAST_STEP && width >= BOTH) {
    const step = clipEnd(short.slice(0, short.length - part.length), STEP);
    return `${step}${clipEnd(part.slice(0, -1), width - cellWidth(step) - 1)}]`;
  }
  return head >= 2 ? `${clipEnd(short, head)}${part}` : clipStart(`…${part}`, width);
}

/** Under the row of its step: `…[beat=3,take=1]`, or `…[3,1]`. */
export function partWithin(label: string, width: number): string {
  const whole = `…${distinctPart(label)}`;
  return cellWidth(whole) <= width ? whole : clipStart(`…${distinctPart(withoutAxes(label))}`, width);
}

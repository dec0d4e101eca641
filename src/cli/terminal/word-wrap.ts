/** Text that comes in pieces, broken between words: a terminal would break it wherever its edge happens to be. */
import { cellWidth } from '../../domain/cells.ts';

/**
 * Gives for each piece what can be shown now: a word is held until it is whole, and the blanks before it until it is known whether it
 * stands on the same line. A line end lets go of everything. `columns` is asked anew, because windows are pulled about.
 */
export function wordWrap(columns: () => number): (piece: string) => string {
  let column = 0;
  let gap = '';
  let word = '';
  const place = (): string => {
    const width = cellWidth(word);
    const breaks = column > 0 && column + gap.length + width > columns();
    const placed = (breaks ? '\n' : gap) + word;
    column = (breaks ? 0 : column + gap.length) + width;
    gap = '';
    word = '';
    return placed;
  };
  return piece => {
    let shown = '';
    for (const character of piece) {
      if (character === '\n') {
        shown += `${place()}\n`;
        column = 0;
      } else if (character === ' ') {
        if (word !== '') shown += place();
        gap += ' ';
      } else {
        // Chinese and Japanese are broken between any two characters.
        if (word !== '' && ALONE.test(character)) shown += place();
        word += character;
        if (ALONE.test(character)) shown += place();
      }
    }
    return shown;
  };
}

const ALONE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uff60]/u;

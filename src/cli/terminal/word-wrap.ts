/** Wraps text that arrives in pieces between words. A terminal itself would break it in the middle of one. */
import { cellWidth } from '../../domain/cells.ts';

/**
 * The returned function takes a piece and gives what can be shown now. It holds a word until the word is whole, and the blanks before it
 * until it is known whether the word stands on the same line. A line end releases both. `columns` is asked anew, because windows are
 * resized.
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
        // Chinese and Japanese may be broken between any two characters.
        if (word !== '' && ALONE.test(character)) shown += place();
        word += character;
        if (ALONE.test(character)) shown += place();
      }
    }
    return shown;
  };
}

const ALONE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uff60]/u;

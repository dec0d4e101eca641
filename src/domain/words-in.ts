/** How many words a text has, as its reader would count: a Chinese or Japanese character counts as one. */
export function wordsIn(text: string): number {
  let words = 0;
  let inside = false;
  for (const character of text) {
    const alone = character >= '\u2e80' && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character);
    const letter = !alone && /[\p{L}\p{N}'’-]/u.test(character);
    if (alone || (letter && !inside)) words += 1;
    inside = letter;
  }
  return words;
}

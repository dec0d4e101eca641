/** One argument as a person types it at a shell, quoted only where it must be. */
export const asTyped = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return OBEYED.test(word) ? `$'${word.replace(SPECIAL, coded)}'` : `'${word.replaceAll("'", "'\\''")}'`;
};

/** Characters that a terminal would obey or would not show. Typed as a code, they are neither obeyed nor lost. */
const OBEYED =
  /[\0-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u;
const SPECIAL = new RegExp(`${OBEYED.source}|['\\\\]`, 'gu');

/** Inside `$'…'` (bash, zsh, ksh, POSIX since 2024) three octal digits are one byte of the text. */
const coded = (character: string): string =>
  character === "'" || character === '\\'
    ? `\\${character}`
    : [...new TextEncoder().encode(character)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** One argument as a person types it at a shell: quoted only where it must be. */
export const asTyped = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

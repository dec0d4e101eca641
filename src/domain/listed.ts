/** `a`, `a and b`, `a, b and c`: several things as a sentence names them. */
export const listed = (things: readonly string[], last: 'and' | 'or' = 'and'): string =>
  things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} ${last} ${things.at(-1)}`;

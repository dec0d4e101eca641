import { number } from './format.ts';

/** `a`, `a and b`, `a, b and c`: several things as a sentence names them. */
export const listed = (things: readonly string[], last: 'and' | 'or' = 'and'): string =>
  things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} ${last} ${things.at(-1)}`;

/**
 * `a, b and 3 more`: the first of them by name, and how many there are beside.
 *
 * @param count of all, where `things` are the first of them.
 */
export const listedFew = (things: readonly string[], most: number, count = things.length): string =>
  things.slice(0, most).join(', ') + (count > most ? ` and ${number(count - most)} more` : '');

/** Which texts can be kept out of other texts: a short or plain one stands in every other line, and cannot be hidden there. */

/** Characters. */
const LEAST = 4;
const PLAIN = /^(true|false|null|none|auto|\d{1,5})$/i;

export const canBeHidden = (value: string): boolean => value.length >= LEAST && !PLAIN.test(value);

/** Characters of a text that an author calls a secret: shorter ones are words, and would be taken out of what a model writes. */
export const LEAST_OF_SECRET = 8;

/** What is shown in the place of what a param or a variable holds. */
export const secretMark = (name: string): string => `$${name}`;

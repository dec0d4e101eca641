/** What is wrong with words that a person is to be told. */

/** The marks of a program that did not mean to speak. */
const SLIPS =
  /\[object \w+\]|\b(undefined|NaN|TypeError|RangeError|ReferenceError|SyntaxError|UND_ERR_\w+|ERR_[A-Z_]+)\b/;
const STACK = /^\s+at .+:\d+:\d+\)?$/m;
/** C0 but tab and line ends, C1, and what turns the direction of writing. */
const HOSTILE = /[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
/** Two hundred mistakes, each with its line: more than anybody reads. */
const LONGEST = 100_000;

/** Undefined where the text may stand at a terminal as it is. */
export function slipShown(text: string, given: string): string | undefined {
  const hostile = HOSTILE.exec(text)?.[0];
  if (hostile !== undefined) return `a control character is shown: ${JSON.stringify(around(text, hostile))}`;
  return slipIn(text, given);
}

/** Undefined where these are words. What the author wrote may come back in them. */
export function slipIn(text: string, given: string): string | undefined {
  if (STACK.test(text)) return `a stack trace is shown: ${text.slice(0, 300)}`;
  const slip = SLIPS.exec(text)?.[0];
  if (slip !== undefined && !given.includes(slip)) return `“${slip}” is shown: ${around(text, slip)}`;
  if (text.length > LONGEST) return `${text.length} characters are shown: ${text.slice(0, 200)}…`;
  return undefined;
}

const around = (text: string, what: string): string => {
  const at = text.indexOf(what);
  return text.slice(Math.max(0, at - 150), at + 150);
};

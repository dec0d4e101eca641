/**
 * How the studio counts, since it has no model's own tokenizer: a token is up to four characters of one word's script, and every
 * Chinese, Japanese or Korean character is one by itself. A message's frame (its role, its ends) is four more, a picture a thousand.
 * Real tokenizers count English about the same; the plan estimates by the same rule.
 */

export const FRAME = 4;
export const PICTURE = 1_000;

/** The text in its tokens, in order: joined they are the text again. */
export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

export const countTokens = (text: string): number => tokensOf(text).length;

/** Whole characters, never half of one: `u` makes a surrogate pair one. */
const TOKEN = /[\u{2e80}-\u{10ffff}]|[^\u{2e80}-\u{10ffff}]{1,4}/gu;

/** At most so many tokens of the text. */
export const cutTo = (text: string, tokens: number): string => tokensOf(text).slice(0, tokens).join('');

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

/** How many tokens the text has. It makes none of them: a context of a million tokens is counted in a few milliseconds. */
export function countTokens(text: string): number {
  let tokens = 0;
  /** Characters of the token that is under way. */
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < OWN_TOKEN) {
      if (open === 0) tokens += 1;
      open = (open + 1) % 4;
      continue;
    }
    tokens += 1;
    open = 0;
    if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) at += 1;
  }
  return tokens;
}

/** Characters from here on are a token each; both halves of a surrogate pair lie above. */
const OWN_TOKEN = 0x2e80;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Whole characters, never half of one: `u` makes a surrogate pair one. */
const TOKEN = /[\u{2e80}-\u{10ffff}]|[^\u{2e80}-\u{10ffff}]{1,4}/gu;

/** At most so many tokens of the text. */
export const cutTo = (text: string, tokens: number): string => tokensOf(text).slice(0, tokens).join('');

/** Texts by code points, as CEL counts them: an emoji is one character, though JavaScript keeps it as two. */

const PAIRED = /[\ud800-\udfff]/;

export function sizeOfText(text: string): number {
  if (!PAIRED.test(text)) return text.length;
  let size = 0;
  for (const _ of text) size++;
  return size;
}

/** From and up to these code points; what is beyond the end of the text is not there. */
export function partOfText(text: string, from: number, to: number): string {
  if (!PAIRED.test(text)) return text.slice(from, to);
  return text.slice(unitAt(text, from), unitAt(text, to));
}

/** Where a code point begins in JavaScript's count. */
function unitAt(text: string, point: number): number {
  let unit = 0;
  for (let left = point; left > 0 && unit < text.length; left--) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** An index in JavaScript's count, in code points; -1 stays -1. */
export const pointAt = (text: string, unit: number): number => (unit < 0 ? -1 : sizeOfText(text.slice(0, unit)));

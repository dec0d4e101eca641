/**
 * Texts by code points, as CEL counts them: an emoji is one character, though JavaScript keeps it as two. And a search that takes as
 * long as its texts are: JavaScript's own looks at every character of the part for each of the text where they are made for it.
 */

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

/** The first place of a part from a position on, -1 where it is not; positions are JavaScript's. */
export function finderOf(text: string, part: string): (from: number) => number {
  if (part.length <= SHORT) return from => text.indexOf(part, from);
  const longest = overlaps(part);
  return from => {
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && unit !== part.charCodeAt(matched)) matched = longest[matched - 1]!;
      if (unit === part.charCodeAt(matched)) matched++;
      if (matched === part.length) return at - part.length + 1;
    }
    return -1;
  };
}

/** Units of a part: looking for it at every place costs no more than looking once at every unit of a longer one does. */
const SHORT = 16;

/** Knuth, Morris and Pratt: of each beginning of the part, how long the longest beginning is that it ends with. */
function overlaps(part: string): Int32Array {
  const longest = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = longest[matched - 1]!;
    if (unit === part.charCodeAt(matched)) matched++;
    longest[at] = matched;
  }
  return longest;
}

/** The last place of a part. */
export function lastIndexIn(text: string, part: string): number {
  if (part.length <= SHORT) return text.lastIndexOf(part);
  const longest = overlaps(part);
  let last = -1;
  for (let at = 0, matched = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = longest[matched - 1]!;
    if (unit === part.charCodeAt(matched)) matched++;
    if (matched < part.length) continue;
    last = at - part.length + 1;
    // The next may begin inside this one.
    matched = longest[matched - 1]!;
  }
  return last;
}

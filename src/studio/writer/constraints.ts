/** How something is wanted: its look, how many words, how long, in how many pictures. */
import { wholeOf } from './numbers.ts';
import { countBefore } from './task.ts';

const KNOWN_STYLES =
  /\b(?:35 ?mm(?: film)?|16 ?mm(?: film)?|super ?8|imax|anamorphic|film grain|black and white|monochrome|noir|film noir|documentary|cinematic|photorealistic|hyper-?realistic|watercolou?r|oil painting|hand-?drawn|hand-?painted|stop[- ]motion|claymation|anime|pixel art|paper[- ]?cut|paper cut-?out|low[- ]poly|3d animation|cel[- ]shaded|comic(?: book)?|pastel colou?rs?|muted colou?rs?|saturated colou?rs?|soft focus|shallow depth of field|long takes?|minimalist|surreal|dreamlike|retro|vintage|sepia|technicolor|cyberpunk|steampunk)\b/gi;

/** The look that was asked for, in the author's words. */
export function stylesIn(text: string): readonly string[] {
  const styled = /\b(?:in (?:the|a|an) style of|styled? like|style:|look:|in the manner of)\s+([^.,;\n]{3,60})/i.exec(
    text,
  );
  const ends = /\b(?:always )?(?:end|finish|close)s? (?:each|every|with|all)?[^"“\n]{0,30}["“]([^"”]{3,80})["”]/i.exec(
    text,
  );
  const known = [...text.matchAll(KNOWN_STYLES)].map(([word]) => word.toLowerCase());
  const own = styled
    ? [/^(?:style|look):/i.test(styled[0]) ? (styled[1] ?? '').trim() : `in the style of ${(styled[1] ?? '').trim()}`]
    : [];
  const stated = [...own, ...(ends?.[1] ? [ends[1]] : [])];
  const kept = known.filter(word => !stated.some(text => text.toLowerCase().includes(word)));
  return [...new Set([...kept, ...stated])].slice(0, 6);
}

/** `at most 40 words`, `under twenty words`, `in one sentence`. */
export function limitIn(text: string): number | undefined {
  const match =
    /\b(?:at most|max(?:imum)?(?: of)?|no more than|up to|under|within|below|fewer than|less than|about|in|to)?\s*(\w+)[- ]words?\b/i.exec(
      text,
    );
  const limit = match ? wholeOf(match[1] ?? '') : undefined;
  if (limit === undefined || limit < 2) return undefined;
  return /\b(?:under|below|fewer than|less than)\s/i.test(match?.[0] ?? '') ? limit - 1 : limit;
}

/** `a 30-second film`, `20 s in total`. */
export function secondsIn(text: string): number | undefined {
  const all = text
    .replace(/(\d)s\b/g, '$1 s')
    .matchAll(/\b(\w+)[- ](?:seconds?|secs?|s)\b(?! (?:each|per|a (?:beat|shot)))/gi);
  const match = [...all].find(([, word]) => wholeOf(word ?? '') !== undefined);
  const minutes = /\b(\w+)[- ]minutes?\b/i.exec(text);
  const long = minutes ? wholeOf(minutes[1] ?? '') : undefined;
  const seconds = match ? wholeOf(match[1] ?? '') : undefined;
  return long !== undefined ? long * 60 : seconds !== undefined && seconds >= 2 ? seconds : undefined;
}

export const pictureCount = (request: string): number | undefined =>
  [...request.matchAll(/\b(?:shots?|beats?|scenes?)\b/gi)]
    .map(({ index }) => countBefore(request, index))
    .find(count => count !== undefined && count > 1);

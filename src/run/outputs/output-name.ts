/** Names of outputs: the name that the author asked for, with the right extension where it has none. */
import { extname } from 'node:path';
import { type Format, MEDIA_EXTENSIONS } from '../../domain/media-format.ts';

export { type Format, formatOf } from '../../domain/media-format.ts';

export const TEXT: Format = { name: 'text', ends: ['.txt'] };
export const JSON_TEXT: Format = { name: 'JSON', ends: ['.json'] };

/** Extensions of texts, which no picture, film or sound should have. */
const OF_TEXTS = ['.txt', '.md', '.json', '.csv', '.srt', '.vtt', '.html', '.xml', '.yaml', '.yml'];
const OF_MEDIA = MEDIA_EXTENSIONS;
const KNOWN = new Set([...OF_MEDIA, ...OF_TEXTS]);

/** `.png` of `out/fox.png`; `''` where the name has none: the `.5` of `shot-1.5` is part of it. */
export function endOf(path: string): string {
  const end = extname(path).toLowerCase();
  return /^\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,8}$/.test(end) ? end : '';
}

/** Whether the content has to be read to know if this extension fits. */
export const saysSomething = (end: string): boolean => end === '' || KNOWN.has(end);

/** Says why this extension does not fit the content, and what to do; undefined where it fits. */
export function lieIn(end: string, { name, ends }: Format): string | undefined {
  if (!KNOWN.has(end) || ends.includes(end)) return undefined;
  return `it is ${name}, though its name ends in ${end}: end \`to:\` in ${ends[0]}, or convert it`;
}

/** A text may have any extension but those of media; only `.json` promises something. */
export function lieInText(end: string, isJson: boolean): string | undefined {
  if (OF_MEDIA.has(end)) return lieIn(end, isJson ? JSON_TEXT : TEXT);
  return end === '.json' && !isJson ? lieIn(end, TEXT) : undefined;
}

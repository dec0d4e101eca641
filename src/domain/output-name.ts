/** Names of outputs: the path that the author asked for, with the extension of what the file holds. */
import { type Format, MEDIA_EXTENSIONS } from './media-format.ts';

const TEXT: Format = { name: 'text', ends: ['.txt'] };
const JSON_TEXT: Format = { name: 'JSON', ends: ['.json'] };

/** Extensions of texts, which no picture, film or sound should have. */
const OF_TEXTS = ['.txt', '.md', '.json', '.csv', '.srt', '.vtt', '.html', '.xml', '.yaml', '.yml'];
const KNOWN = new Set([...MEDIA_EXTENSIONS, ...OF_TEXTS]);

/** `.png` of `out/fox.png`; `''` where the name has none: the `.5` of `shot-1.5` is part of it. */
export function endOf(path: string): string {
  return /[^/\\](\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,8})$/.exec(path.toLowerCase())?.[1] ?? '';
}

/** Whether the content has to be read to know if this extension fits. */
export const saysSomething = (end: string): boolean => end === '' || KNOWN.has(end);

/**
 * The path at which media of this format is placed: the path that was asked for where its extension fits or promises nothing, otherwise
 * the same path with the format's usual extension. That is added and not replaced where another output differs in its extension alone:
 * `fox.webp.png` beside `fox.mp4`.
 * @param stems of all outputs of the film, as `countStems` gives them.
 */
export function fittingPath(path: string, format: Format | undefined, stems: ReadonlyMap<string, number>): string {
  const end = endOf(path);
  const [usual] = format?.ends ?? [];
  if (usual === undefined || !KNOWN.has(end) || format?.ends.includes(end)) return path;
  return (stems.get(stemOf(path)) ?? 0) > 1 ? `${path}${usual}` : `${path.slice(0, -end.length)}${usual}`;
}

/** How many of these paths are the same but for their extension. */
export function countStems(paths: Iterable<string>, counts = new Map<string, number>()): Map<string, number> {
  for (const path of paths) counts.set(stemOf(path), (counts.get(stemOf(path)) ?? 0) + 1);
  return counts;
}

const stemOf = (path: string): string => path.slice(0, path.length - endOf(path).length).toLowerCase();

/** Why a file has another extension than `to:` asked for: `it holds PNG, so it ends in .png, where …`. */
export const renamedNote = (asked: string, path: string, { name }: Format): string =>
  `it holds ${name}, so it ends in ${endOf(path)}, where \`to:\` says ${asked}`;

/** Says why this extension does not fit the text, and what to do; undefined where it fits. Only media's and `.json` promise something. */
export function textExtensionMismatch(end: string, isJson: boolean): string | undefined {
  if (end === '.json' ? isJson : !MEDIA_EXTENSIONS.has(end)) return undefined;
  const { name, ends } = isJson ? JSON_TEXT : TEXT;
  return `it is ${name}, though its name ends in ${end}: end \`to:\` in ${ends[0]}, or convert it`;
}

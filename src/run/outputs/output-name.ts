/** Names of outputs: the name that the author asked for, with the right extension where it has none. */
import { extname } from 'node:path';
import type { MediaFacts } from '../../domain/media.ts';

/** A file format as people call it, and the extensions that its files may have: the usual one first. */
export interface Format {
  readonly name: string;
  readonly ends: readonly string[];
}

/** Undefined for an unknown format: then nothing is said about a name. */
export function formatOf({ kind, format }: Pick<MediaFacts, 'format'> & Partial<MediaFacts>): Format | undefined {
  if (format === undefined) return undefined;
  if (kind === 'audio' && format === 'mp4') return FORMATS.get('m4a');
  return FORMATS.get(format);
}

export const TEXT: Format = { name: 'text', ends: ['.txt'] };
export const JSON_TEXT: Format = { name: 'JSON', ends: ['.json'] };

/** By the format names that probing and file types use. */
const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    mp4: { name: 'MP4', ends: ['.mp4', '.m4v'] },
    m4v: { name: 'MP4', ends: ['.m4v', '.mp4'] },
    m4a: { name: 'MP4 sound', ends: ['.m4a', '.mp4', '.m4b'] },
    mov: { name: 'QuickTime', ends: ['.mov', '.qt'] },
    webm: { name: 'WebM', ends: ['.webm', '.mkv', '.weba'] },
    mkv: { name: 'Matroska', ends: ['.mkv', '.mka'] },
    avi: { name: 'AVI', ends: ['.avi'] },
    mpg: { name: 'MPEG', ends: ['.mpg', '.mpeg'] },
    mp3: { name: 'MP3', ends: ['.mp3'] },
    wav: { name: 'WAV', ends: ['.wav', '.wave'] },
    ogg: { name: 'Ogg', ends: ['.ogg', '.oga', '.ogv', '.opus'] },
    ogv: { name: 'Ogg', ends: ['.ogv', '.ogg'] },
    opus: { name: 'Opus', ends: ['.opus', '.ogg', '.oga'] },
    flac: { name: 'FLAC', ends: ['.flac'] },
    aac: { name: 'AAC', ends: ['.aac'] },
    aif: { name: 'AIFF', ends: ['.aif', '.aiff'] },
    png: { name: 'PNG', ends: ['.png'] },
    apng: { name: 'PNG', ends: ['.png', '.apng'] },
    jpg: { name: 'JPEG', ends: ['.jpg', '.jpeg'] },
    webp: { name: 'WebP', ends: ['.webp'] },
    gif: { name: 'GIF', ends: ['.gif'] },
    avif: { name: 'AVIF', ends: ['.avif'] },
    heic: { name: 'HEIC', ends: ['.heic', '.heif'] },
    tif: { name: 'TIFF', ends: ['.tif', '.tiff'] },
    bmp: { name: 'BMP', ends: ['.bmp'] },
  }),
);

/** Extensions of texts, which no picture, film or sound should have. */
const OF_TEXTS = ['.txt', '.md', '.json', '.csv', '.srt', '.vtt', '.html', '.xml', '.yaml', '.yml'];
const OF_MEDIA = new Set([...FORMATS.values()].flatMap(({ ends }) => ends));
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

/** File formats of media: what people call them, and the extensions that their files may have. */
import type { MediaFacts } from './media.ts';

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

/** Extensions of all formats of media. */
export const MEDIA_EXTENSIONS: ReadonlySet<string> = new Set([...FORMATS.values()].flatMap(({ ends }) => ends));

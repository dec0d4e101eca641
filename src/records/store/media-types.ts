/** What files are called: on the web by their media type, on a disk by their extension. */
const TYPES: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.avi': 'video/x-msvideo',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
};

const EXTENSIONS = new Map([
  ['audio/x-wav', '.wav'],
  ...Object.entries(TYPES)
    .map(([ext, type]) => [type, ext] as const)
    .reverse(),
]);

/** The media type of an extension: services look at it, and some at nothing else. */
export const contentType = (extension: string): string => TYPES[extension.toLowerCase()] ?? 'application/octet-stream';

/**
 * The extension of a stored file: from the format it was found to have, from its media type, or from the URL's own name, in this
 * order. `''` where none of them gives one.
 */
export function extensionOf(type: string | null, url: string, format?: string): string {
  if (format !== undefined && Object.hasOwn(TYPES, `.${format}`)) return `.${format}`;
  const declared = EXTENSIONS.get(type?.split(';')[0]?.trim().toLowerCase() ?? '');
  if (declared !== undefined) return declared;
  const named = /\.[A-Za-z0-9]{1,5}$/.exec(URL.parse(url)?.pathname ?? '')?.[0].toLowerCase() ?? '';
  return Object.hasOwn(TYPES, named) ? named : '';
}

/**
 * The extension of a stored file: from the format it was found to have, from its media type, or from the URL's own name, in this
 * order. `''` where none of them tells.
 */
export function extensionOf(contentType: string | null, url: string, format?: string): string {
  if (format !== undefined && KNOWN.has(`.${format}`)) return `.${format}`;
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type]!;
  const named = /\.[A-Za-z0-9]{1,5}$/.exec(URL.parse(url)?.pathname ?? '')?.[0].toLowerCase();
  return named !== undefined && KNOWN.has(named) ? named : '';
}

const BY_TYPE: Readonly<Record<string, string>> = {
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
  'video/x-matroska': '.mkv',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/avif': '.avif',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/mp4': '.m4a',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
};
const KNOWN = new Set([...Object.values(BY_TYPE), '.jpeg', '.aac', '.m4v']);

/** What came where media was expected, as one would say it: `an HTML page of 2 kB ("Sign in")`. */
import { open } from 'node:fs/promises';
import { cleanText } from '../domain/clean.ts';
import { formatBytes } from '../domain/format.ts';
import type { MediaKind } from '../domain/media.ts';

export const NAMES: { readonly [kind in MediaKind]: string } = {
  video: 'a film',
  image: 'a picture',
  audio: 'a sound',
};

/** Bytes that are looked at, and letters that are quoted. */
const HEAD = 64 * 1024;
const QUOTED = 120;

/** Of a file that is no media, or none that can be read. */
export async function cameInstead(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) return '0 bytes';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const head = buffer.subarray(0, bytesRead);
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime;
  const declared = mime?.startsWith('application/xml') ? undefined : mime;
  if (declared !== undefined) return broken(declared, size);
  if (!isText(head)) return `${formatBytes(size)} that are no picture, film or sound`;
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') return `${formatBytes(size)} of blanks`;
  if (/<svg[\s>]/i.test(text.slice(0, 1000)) && text.startsWith('<')) return 'an SVG drawing, which is no pixels';
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|meta|title|script)/i.test(text)) {
    const title = quoted(/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '');
    return `an HTML page of ${formatBytes(size)}${title === '' ? '' : ` ("${title}")`}`;
  }
  if (/^[[{]/.test(text)) return `JSON: ${quoted(text)}`;
  if (text.startsWith('<')) return `XML: ${quoted(text)}`;
  return `text: "${quoted(text)}"`;
}

/** A file that has the head of media, and cannot be read all the same. */
function broken(mime: string, size: number): string {
  if (mime.startsWith('image/')) return 'a picture that breaks off in the middle';
  if (mime.startsWith('video/')) return 'a film that breaks off before its first picture';
  if (mime.startsWith('audio/')) return 'a sound that breaks off before it begins';
  return `a file of another kind (${mime}, ${formatBytes(size)})`;
}

function quoted(text: string): string {
  const clean = cleanText(text);
  const letters = [...clean];
  return letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : clean;
}

/** A stray control character makes a page no less of one. */
function isText(bytes: Buffer): boolean {
  const odd = bytes.reduce((count, byte) => count + (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) ? 0 : 1), 0);
  return !bytes.includes(0) && odd * 100 <= bytes.length * 5;
}

/** A file that is no picture, film or sound: what it is instead, in words for its sender and for its receiver. */
import { open } from 'node:fs/promises';
import type { MediaKind } from '../../model/media/media.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatBytes } from '../../model/text/format.ts';

export const NAMES: { readonly [kind in MediaKind]: string } = {
  video: 'a film',
  image: 'a picture',
  audio: 'a sound',
};

/** The file is no picture, film or sound that can be read. The message is a sentence for its sender. */
export class NotMedia extends Error {
  override readonly name = 'NotMedia';
}

/** What a file that is no media seems to be, and what to do; undefined where its bytes give no hint. */
export function described(head: Buffer, mime: string | undefined): string | undefined {
  const kind = kindOf(startOf(head));
  switch (kind) {
    case 'page':
      return 'the file is a web page, not media: check that the address leads to the file itself and has not expired';
    case 'playlist':
      return 'the file is a list of other files, not media: send the film or the sound itself';
    case 'drawing':
      return 'the file is an SVG drawing, not pixels: export it as png, jpg or webp';
  }
  if (kind === 'JSON' && isText(head))
    return 'the file is JSON text, not media: check that the address leads to the file itself';
  if (mime !== undefined) return `the file is ${mime}, not media: send an image, a film or a sound`;
  if (isText(head)) return 'the file is text, not media: check that the address leads to the file itself';
  return undefined;
}

/** Bytes that are looked at, and letters that are quoted. */
const HEAD = 64 * 1024;
const QUOTED = 120;

/** What came where media was expected, as one would say it: `an HTML page of 2 kB ("Sign in")`. */
export async function describeUnexpectedContent(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) return '0 bytes';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const head = buffer.subarray(0, bytesRead);
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime !== undefined && !mime.startsWith('application/xml')) return broken(mime, size);
  if (!isText(head)) return `${formatBytes(size)} that are no picture, film or sound`;
  const text = startOf(head);
  if (text === '') return `${formatBytes(size)} of blanks`;
  const kind = kindOf(text);
  if (kind === 'drawing') return 'an SVG drawing, which is no pixels';
  if (kind === 'JSON' || kind === 'XML') return `${kind}: ${quoted(text)}`;
  if (kind !== 'page') return `text: "${quoted(text)}"`;
  const title = quoted(/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '');
  return `an HTML page of ${formatBytes(size)}${title === '' ? '' : ` ("${title}")`}`;
}

/** A file that has the head of media, and cannot be read all the same. */
function broken(mime: string, size: number): string {
  if (mime.startsWith('image/')) return 'a picture that breaks off in the middle';
  if (mime.startsWith('video/')) return 'a film that breaks off before its first picture';
  if (mime.startsWith('audio/')) return 'a sound that breaks off before it begins';
  return `a file of another kind (${mime}, ${formatBytes(size)})`;
}

/** A stray control character makes a text no less of one. */
function isText(head: Buffer): boolean {
  const odd = head.reduce((count, byte) => count + (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) ? 0 : 1), 0);
  return !head.includes(0) && odd * 100 <= head.length * 5;
}

const startOf = (head: Buffer): string =>
  head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();

/** By its beginning alone: a playlist is followed by players whatever comes behind its first line. */
function kindOf(text: string): 'page' | 'playlist' | 'JSON' | 'drawing' | 'XML' | 'text' {
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|meta|title|script)/i.test(text)) return 'page';
  if (/^(#EXTM3U|ffconcat\b|\[playlist\])/i.test(text)) return 'playlist';
  if (/^[[{]/.test(text)) return 'JSON';
  if (!text.startsWith('<')) return 'text';
  return /<svg[\s>]/i.test(text.slice(0, 1000)) ? 'drawing' : 'XML';
}

function quoted(text: string): string {
  const clean = cleanText(text);
  const letters = [...clean];
  return letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : clean;
}

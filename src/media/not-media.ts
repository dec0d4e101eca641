/** The file is no picture, film or sound that can be read. The message is a sentence for whoever sent it. */
export class NotMedia extends Error {
  override readonly name = 'NotMedia';
}

/** What a file that is no media seems to be; undefined when its bytes give no hint. */
export function described(head: Buffer, mime: string | undefined): string | undefined {
  const start = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^(<!doctype html|<html|<head|<body)/i.test(start)) {
    return 'the file is a web page, not media: check that the address leads to the file itself and has not expired';
  }
  if (/^[[{]/.test(start) && isText(head)) {
    return 'the file is JSON text, not media: check that the address leads to the file itself';
  }
  if (/^(#EXTM3U|ffconcat\b|\[playlist\])/i.test(start)) {
    return 'the file is a list of other files, not media: send the film or the sound itself';
  }
  if (/^(<\?xml|<!--|<svg)/i.test(start) && /<svg[\s>]/i.test(start)) {
    return 'the file is an SVG drawing, not pixels: export it as png, jpg or webp';
  }
  if (mime !== undefined) return `the file is ${mime}, not media: send an image, a film or a sound`;
  if (isText(head)) return 'the file is text, not media: check that the address leads to the file itself';
  return undefined;
}

function isText(bytes: Buffer): boolean {
  return bytes.every(byte => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** Sharp says what a picture is, and the walk that stands in for it must say the same. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { walkPicture } from '../../src/media/decode/picture-walk.ts';

const noise = Buffer.from(Uint8Array.from({ length: 61 * 37 * 4 }, (_, i) => (i * 7919) >> 5));
const picture = sharp(noise, { raw: { width: 61, height: 37, channels: 4 } });
const flat = picture.clone().removeAlpha();

const FILES = {
  'a PNG': ['png', picture.clone().png()],
  'an interlaced PNG': ['png', flat.clone().png({ progressive: true })],
  'a PNG with a palette': ['png', flat.clone().png({ palette: true, colours: 16 })],
  'a PNG of greys': ['png', flat.clone().toColourspace('b-w').png()],
  'a PNG of 16 bits': ['png', flat.clone().toColourspace('rgb16').png()],
  'a JPEG': ['jpg', flat.clone().jpeg()],
  'a JPEG that comes in scans': ['jpg', flat.clone().jpeg({ progressive: true })],
  'a JPEG held sideways': ['jpg', flat.clone().withMetadata({ orientation: 6 }).jpeg()],
  'a JPEG held upside down': ['jpg', flat.clone().withMetadata({ orientation: 3 }).jpeg()],
  'a WebP': ['webp', flat.clone().webp()],
  'a WebP with alpha': ['webp', picture.clone().webp()],
  'a WebP without loss': ['webp', flat.clone().webp({ lossless: true })],
  'a WebP held sideways': ['webp', flat.clone().withMetadata({ orientation: 8 }).webp()],
  'a GIF': ['gif', flat.clone().gif()],
} as const;

describe.each(Object.entries(FILES))('%s', (_, [format, made]) => {
  test('has the size that sharp says', async () => {
    const bytes = await made.toBuffer();
    const { autoOrient } = await sharp(bytes).metadata();
    expect(walkPicture(bytes, format)).toEqual({ width: autoOrient.width, height: autoOrient.height });
  });

  test('is none when it breaks off, wherever it does, or ends in zeros', async () => {
    const bytes = await made.toBuffer();
    const cuts = Array.from({ length: 60 }, (_, part) => Math.floor((bytes.length * part) / 60));
    expect(cuts.filter(at => walkPicture(bytes.subarray(0, at), format) !== undefined)).toEqual([]);
    if (format === 'webp') return; // `verifyMedia` looks for its hole.
    const holes = cuts.filter(at => at > 200).map(at => Buffer.from(bytes).fill(0, at));
    expect(holes.filter(hole => walkPicture(hole, format) !== undefined)).toEqual([]);
  });
});

test('a PNG whose bytes were changed on the way is none', async () => {
  const bytes = await picture.clone().png().toBuffer();
  const changed = Buffer.from(bytes);
  changed[Math.floor(bytes.length / 2)]! ^= 1;
  expect(walkPicture(changed, 'png')).toBeUndefined();
});

test('rubbish behind the head of a picture ends the walk, and nothing else', () => {
  for (let seed = 0; seed < 200; seed++)
    for (const format of ['png', 'jpg', 'webp', 'gif']) {
      const rubbish = Buffer.from(Uint8Array.from({ length: 300 }, (_, i) => (i * 7919 * (seed + 1)) >> 7));
      if (format === 'jpg') rubbish.writeUInt16BE(0xffd8);
      expect(() => walkPicture(rubbish, format)).not.toThrow();
    }
});

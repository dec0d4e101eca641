import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { verifyMedia } from '../../src/media/decode/verify.ts';
import type { MediaKind } from '../../src/model/media/media.ts';
import { workFolder } from '../support/temp.ts';
import { silentWav } from '../support/wav.ts';
import { film } from './footage.ts';

const folder = await workFolder();
const whole = await readFile(await film(join(folder, 'whole.mp4'), { width: 320, height: 180, frames: 48 }));

let things = 0;
async function told(bytes: string | Uint8Array, kind: MediaKind) {
  // What was read of a path is remembered.
  const path = join(folder, `thing-${++things}.bin`);
  await writeFile(path, bytes);
  const found = await verifyMedia(path, kind);
  return 'misfit' in found ? found.misfit : `${found.kind} ${found.format}`;
}

const noise = Buffer.from(Uint8Array.from({ length: 300 * 200 * 3 }, (_, i) => (i * 7919) >> 5));
const picture = sharp(noise, { raw: { width: 300, height: 200, channels: 3 } });
const emptied = (bytes: Buffer, from: number) => Buffer.from(bytes).fill(0, Math.floor(bytes.length * from));

describe('what a model makes', () => {
  test('is kept: films, pictures and sounds that are whole', async () => {
    expect(await told(whole, 'video')).toBe('video mp4');
    for (const [format, name] of [
      ['png', 'png'],
      ['jpeg', 'jpg'],
      ['webp', 'webp'],
      ['avif', 'avif'],
      ['gif', 'gif'],
    ] as const)
      expect(await told(await picture.clone().toFormat(format).toBuffer(), 'image')).toBe(`image ${name}`);
  });

  test('is no film when it breaks off, wherever it does', async () => {
    for (let part = 1; part < 40; part++) {
      const cut = await told(whole.subarray(0, Math.floor((whole.length * part) / 40)), 'video');
      expect([part, cut]).toEqual([part, expect.stringMatching(/^a film that breaks off /)]);
    }
    expect(await told(whole.subarray(0, -1), 'video')).toBe('a film that breaks off in the middle');
  });

  test('is no film when its length is right and its bytes never came', async () => {
    const mdat = whole.indexOf('mdat') + 4;
    for (const from of [0.6, 0.9, 0.99])
      expect(await told(emptied(whole, from), 'video')).toBe('a film without its end');
    const rubbish = Buffer.from(whole);
    for (let at = mdat; at < rubbish.length; at++) rubbish[at] = (at * 7919) >> 3;
    expect(await told(rubbish, 'video')).toBe('a film that no player can show');
  });

  test('is kept where it is plain: all of it, or below', async () => {
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#a1b2c3' } });
    for (const [width, height] of [
      [1024, 1024],
      [3840, 2160],
    ] as const)
      for (const made of [
        plain(width, height),
        plain(width, height).composite([{ input: await picture.clone().png().toBuffer(), top: 0, left: 0 }]),
      ]) {
        const bytes = await made.webp().toBuffer();
        expect(bytes.subarray(-64).every(byte => byte === 0)).toBe(true);
        expect(await told(bytes, 'image')).toBe('image webp');
      }
  });

  test('is no picture when it breaks off, or its second half is a hole', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif'] as const) {
      const bytes = await picture.clone().toFormat(format).toBuffer();
      for (const part of [0.2, 0.5, 0.8, 0.95])
        expect([format, part, await told(bytes.subarray(0, Math.floor(bytes.length * part)), 'image')]).toEqual([
          format,
          part,
          'a picture that breaks off in the middle',
        ]);
      expect([format, await told(emptied(bytes, 0.5), 'image')]).toEqual([
        format,
        'a picture that breaks off in the middle',
      ]);
    }
  });

  test('is no sound when it breaks off; silence is a sound', async () => {
    const silence = silentWav(1);
    expect(await told(silence, 'audio')).toBe('audio wav');
    expect(await told(silence.subarray(0, 9000), 'audio')).toBe('a sound that breaks off in the middle');
  });

  test('is not of another kind', async () => {
    const png = await picture.clone().png().toBuffer();
    expect([await told(png, 'video'), await told(whole, 'image'), await told(whole, 'audio')]).toEqual([
      'a picture where a film was expected',
      'a film where a picture was expected',
      'a film where a sound was expected',
    ]);
  });
});

test.each([
  ['', '0 bytes'],
  ['<!DOCTYPE html><html><title>Sign\u001b[2J in\n</title><p>…', 'an HTML page of 54 B ("Sign in")'],
  [`<!-- portal -->\n<HTML>${'x'.repeat(3000)}`, 'an HTML page of 3 kB'],
  ['{"error":"expired"}', 'JSON: {"error":"expired"}'],
  [`[${'1,'.repeat(500)}1]`, `JSON: [${'1,'.repeat(59)}1…`],
  [
    '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>',
    'XML: <?xml version="1.0"?> <Error><Code>AccessDenied</Code></Error>',
  ],
  ['Request has expired\r\n', 'text: "Request has expired"'],
  ['  \n', '3 B of blanks'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'an SVG drawing, which is no pixels'],
  ['%PDF-1.7\n', 'a file of another kind (application/pdf, 9 B)'],
  [new Uint8Array(5000), '5 kB that are no picture, film or sound'],
])('%j is told as what it is', async (bytes, message) => {
  expect([await told(bytes, 'video'), await told(bytes, 'image')]).toEqual([message, message]);
});

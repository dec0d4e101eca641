/** What strangers send: the real renderers look at it, in their own processes. Each fails its generation with a sentence. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { renderWorkers } from '../../src/studio/animatic/process/render-workers.ts';
import { silentWav } from '../support/wav.ts';
import { type TestStudio, testStudio } from './fake-studio.ts';

let folder: string;
let own: string;
let studio: TestStudio;
/** A film and a sound that were made here, as bytes. */
let film: Buffer;
let sound: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  own = join(folder, 'own');
  await mkdir(own);
  const renderer = renderWorkers({ clock: systemClock, log: () => {}, environment: {} });
  // The test's own clock stands still: a render here ends by itself.
  studio = await testStudio({ folder: join(folder, 'studio'), renderer, localFiles: [own] });
  const id = await studio.enqueue({ model: 'V-T2V-A', prompt: 'a fox', duration: 2, resolution: '720P' });
  await studio.until(id, 'succeeded');
  film = await readFile(join(folder, 'studio', 'results', id, 'result.mp4'));
  sound = silentWav(3);
});
afterAll(async () => {
  await studio.close();
  await rm(folder, { recursive: true });
});

async function put(name: string, bytes: string | Buffer): Promise<string> {
  await writeFile(join(own, name), bytes);
  return pathToFileURL(join(own, name)).href;
}

const FIELDS = {
  input_image: { model: 'V-I2V-A', prompt: 'push in' },
  input_video: { model: 'V-UP' },
  audio_url: { model: 'V-T2V-A', prompt: 'a fox', duration: 2 },
  input_audios: { model: 'V-REF', prompt: 'a fox' },
} as const;

async function said(field: keyof typeof FIELDS, name: string, bytes: string | Buffer): Promise<unknown> {
  const id = await studio.enqueue({
    ...FIELDS[field],
    [field]: field === 'input_audios' ? [await put(name, bytes)] : await put(name, bytes),
  });
  return (await studio.until(id, 'failed')).error_message;
}

describe('a file that is not what it seems', () => {
  const drawing = (head: string) =>
    `${head}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>`;
  const LIST = 'the file is a list of other files, not media: send the film or the sound itself';
  const SVG = 'the file is an SVG drawing, not pixels: export it as png, jpg or webp';
  const PAGE = 'the file is a web page, not media: check that the address leads to the file itself and has not expired';
  const hls = (name: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${name}\n#EXT-X-ENDLIST\n`;
  const PICTURE = 'the file is a png image that cannot be decoded: send a whole png, jpg or webp';
  const FILM =
    'the file looks like mp4, but holds no picture or sound that can be read: send a whole mp4, mov, webm, mp3 or wav';
  const table: readonly (readonly [name: string, bytes: () => string | Buffer, sentence: string])[] = [
    ['empty.png', () => '', 'the file is empty: fetch or export it again'],
    ['drawing.png', () => drawing(''), SVG],
    ['declared.png', () => drawing('<?xml version="1.0"?><!-- 狐 -->\n'), SVG],
    ['page.mp4', () => '\n<!DOCTYPE html><html><body>Sign in', PAGE],
    ['list.mp4', () => hls('secret.mp4'), LIST],
    // A zero byte among the text once made a reader follow the list to another file of this machine.
    ['bytes.m3u8', () => Buffer.from(`${hls('/etc/secret.mp4')}\0\0\0`), LIST],
    ['concat.mp4', () => Buffer.from('ffconcat version 1.0\nfile secret.mp4\n\0'), LIST],
    [
      'head.mp4',
      () => film.subarray(0, film.indexOf('mdat', film.indexOf('free')) + 8),
      'the file breaks off before its first picture or sound: fetch or export it again',
    ],
    ['noise.mp4', () => Buffer.concat([film.subarray(0, 64), Buffer.alloc(4000, 0x5a)]), FILM],
    ['noise.png', () => Buffer.concat([png(8, 8).subarray(0, 40), Buffer.alloc(500, 7)]), PICTURE],
    ['huge.png', () => png(60_000, 60_000), PICTURE],
  ];
  test.each(table)('%s', async (name, bytes, sentence) => {
    await put('secret.mp4', film);
    const field = name.endsWith('.png') ? 'input_image' : 'input_video';
    expect(await said(field, name, bytes())).toBe(`${field} cannot be used: ${sentence}`);
  });

  test('a list that also plays as a sound is not followed either', async () => {
    await put('secret.mp4', film);
    const both = Buffer.concat([Buffer.from(hls('secret.mp4')), Buffer.alloc(1), sound]);
    expect(await said('audio_url', 'song.mp3', both)).toBe(`audio_url cannot be used: ${LIST}`);
  });
});

test('a film whose head is whole and whose pictures are not', async () => {
  const broken = Buffer.from(film);
  broken.fill(0x5a, broken.indexOf('mdat') + 4000);
  expect(await said('input_video', 'broken.mp4', broken)).toBe(
    'input_video is damaged: it cannot be decoded to its end; export it again',
  );
});

describe('a file too large to be held', () => {
  test('a few kilobytes that unpack to 110 megapixels', async () => {
    const bomb = png(11_000, 10_000, deflateSync(Buffer.alloc(11_001 * 10_000)));
    expect(bomb.length).toBeLessThan(300_000);
    expect(await said('input_image', 'bomb.png', bomb)).toBe(
      'input_image is 11000×10000 pixels large; the studio takes at most 100 megapixels: send a smaller copy',
    );
  });
  test('a sound of an hour: the document’s limit is said where it has one, else the studio’s own', async () => {
    const hour = silentWav(3600);
    expect(await said('audio_url', 'hour.wav', hour)).toBe('audio_url is 54.9 MB large; V-T2V-A takes at most 15 MB');
    expect(await said('input_audios', 'hour.wav', hour)).toBe(
      'input_audios[0] is 60 minutes long; the studio takes at most 30: send the part you need',
    );
  });
});

test('and the studio goes on: a whole files are drawn from, and this process never loaded a decoder', async () => {
  // What a file is called says nothing.
  for (const request of [
    { model: 'V-UP', resolution: '1080p', input_video: await put('whole.png', film) },
    { model: 'V-T2V-A', prompt: 'a fox', duration: 2, resolution: '720P', audio_url: await put('song.txt', sound) },
  ])
    expect(await studio.until(await studio.enqueue(request), 'succeeded')).toMatchObject({ error_message: null });
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
  expect(sharedObjects.filter(path => /node-av|libav|sharp|vips|canvas|skia/.test(path))).toEqual([]);
});

/** A grey picture of that size; the head alone tells the size, whatever the pixels are. */
function png(width: number, height: number, pixels = deflateSync(Buffer.alloc(9 * 8))): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const chunk = (type: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), bytes]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(bytes.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

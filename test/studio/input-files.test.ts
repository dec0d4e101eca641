import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { type TestStudio, testStudio, WEBP } from './fake-studio.ts';

const folder = await mkdtemp(join(tmpdir(), 'films-'));
afterAll(() => rm(folder, { recursive: true }));
const own = join(folder, 'own');
await mkdir(own);

/** Writes a file in the folder that the studio may read, and gives its address. */
async function file(name: string, bytes: string | Buffer): Promise<string> {
  await writeFile(join(own, name), bytes);
  return pathToFileURL(join(own, name)).href;
}

const clip: MediaFacts = { kind: 'video', format: 'mp4', width: 640, height: 360, duration: 6, audio_codec: 'aac' };

/** A studio that may read the folder, and to which every file has these facts. */
const knowing = (facts: MediaFacts) => testStudio({ localFiles: [own], probe: async () => facts });

/** The sentence a generation fails with. */
async function failure(studio: TestStudio, request: JsonObject): Promise<unknown> {
  return (await studio.until(await studio.enqueue(request), 'failed')).error_message;
}

const retake = (input_video: string, more = {}) => ({ model: 'V-RT', input_video, ...more });
const reframe = (input_video: string) => ({ model: 'V-RF', input_video, prompt: 'snow', aspect_ratio: '9:16' });

test('a file in an allowed folder is read where it is', async () => {
  await using studio = await knowing(clip);
  await studio.enqueue(reframe(await file('clip.mp4', 'clip')));
  const { job } = await studio.renderer.next();
  expect(job.inputs).toEqual({ input_video: [{ path: join(own, 'clip.mp4'), facts: clip }] });
});

test('an earlier result is taken from disk with its clean plate, whatever port it was made on', async () => {
  await using studio = await testStudio();
  await studio.enqueue({ model: 'I-GEN-A', prompt: 'fox' });
  const first = await studio.renderer.next();
  await writeFile(join(first.job.folder, 'plate.webp'), WEBP);
  await writeFile(join(first.job.folder, 'scratch.yuv'), 'frames');
  await first.finish({ cleanPlate: 'plate.webp' });
  await studio.until('gen-1', 'succeeded');
  const image = 'http://localhost:1/results/gen-1/result.webp';
  await studio.enqueue({ model: 'V-I2V-A', prompt: 'run', input_image: image, reference_image_urls: [image] });
  const { job } = await studio.renderer.next();
  const input = {
    path: join(studio.folder, 'results/gen-1/result.webp'),
    cleanPlate: join(studio.folder, 'results/gen-1/plate.webp'),
    facts: { kind: 'image', format: 'webp', width: 3, height: 1 },
  };
  expect(job.inputs).toEqual({ input_image: [input], reference_image_urls: [input] });
  expect(await readFile(input.cleanPlate)).toEqual(WEBP);
});

test('so many files, or such large ones, that they would fill the disk', async () => {
  await using studio = await knowing({ kind: 'image', format: 'png', width: 8, height: 8 });
  const small = await file('small.png', 'x');
  const many = { model: 'V-REF', prompt: 'a fox', input_images: Array.from({ length: 51 }, () => small) };
  expect(await failure(studio, many)).toBe(
    'input_images[50] is one file too many; the studio takes at most 50 in one request',
  );
  const large = await file('large.png', 'x');
  // A hole: it takes no room here.
  await truncate(join(own, 'large.png'), 600 * 1024 * 1024);
  expect(await failure(studio, { ...many, input_images: [small, large, large] })).toBe(
    'with input_images[2] the files of this request are larger than 1024 MB: send fewer or smaller ones',
  );
});

test('padding and estimates within a tenth of a second break no limit', async () => {
  await using studio = await knowing({ ...clip, duration: 30.08 });
  await studio.enqueue(reframe(await file('clip.mp4', 'clip')));
  expect((await studio.renderer.next()).job.label).toBe('V-RF');
});

test('a section to retake lies within its clip', async () => {
  await using studio = await knowing(clip);
  const url = await file('clip.mp4', 'clip');
  const said = (start: number, duration: number) =>
    failure(studio, retake(url, { retake_start_time: start, retake_duration: duration }));
  expect(await said(5, 3)).toBe(
    'the section to retake is 5.0 s to 8.0 s, but input_video is 6.0 s long: choose a section that lies within it',
  );
  expect(await said(9, 0)).toMatch(/^the section to retake is 9.0 s to 9.0 s, but/);
  expect(await said(-1, 2)).toMatch(/^the section to retake is -1.0 s to 1.0 s, but/);
  await studio.enqueue(retake(url, { retake_start_time: 5, retake_duration: 1 }));
  expect((await studio.renderer.next()).job.label).toBe('V-RT');
});

test('files outside the allowed folders do not exist, through links neither', async () => {
  const secret = join(folder, 'secret.mp4');
  await writeFile(secret, 'clip');
  await symlink(secret, join(own, 'link.mp4'));
  await mkdir(join(folder, 'own-too'), { recursive: true });
  await writeFile(join(folder, 'own-too', 'clip.mp4'), 'clip');
  await using studio = await knowing(clip);
  for (const path of [
    secret,
    join(own, 'link.mp4'),
    join(folder, 'own-too/clip.mp4'),
    join(own, 'none.mp4'),
    '/etc/passwd',
    own,
  ]) {
    const { href } = pathToFileURL(path);
    expect(await failure(studio, retake(href))).toBe(
      `input_video: no such file in a folder this studio may read: ${href}`,
    );
  }
  expect(await failure(studio, retake(`file://elsewhere${own}/clip.mp4`))).toBe(
    `input_video: no such file in a folder this studio may read: file://elsewhere${own}/clip.mp4`,
  );
  await mkdir(join(own, 'inner'));
  expect(await failure(studio, retake(pathToFileURL(join(own, 'inner')).href))).toBe(
    'input_video is not a file: name one video',
  );
});

test('addresses that lead nowhere fail, each with its own sentence', async () => {
  await using studio = await testStudio();
  for (const [url, sentence] of [
    [
      'http://127.0.0.1:9/results/gen-7/result.mp4',
      'input_video names a result that this studio does not have: gen-7/result.mp4',
    ],
    ['http://127.0.0.1:9/results/..%2f..%2f/studio.sqlite', 'input_video: http: addresses are not fetched: use https:'],
    ['http://example.com/clip.mp4', 'input_video: http: addresses are not fetched: use https:'],
    ['ftp://example.com/clip.mp4', 'input_video: ftp: addresses are not fetched: use https:'],
    ['data:video/mp4;base64,AAAA', 'input_video: data: addresses are not fetched: use https:'],
    [
      'https://127.0.0.1/clip.mp4',
      'input_video: 127.0.0.1 is in a private network, where the studio does not read: use a public address',
    ],
    [
      'https://2130706433/clip.mp4',
      'input_video: 127.0.0.1 is in a private network, where the studio does not read: use a public address',
    ],
    [
      'https://[::ffff:10.0.0.1]/clip.mp4',
      'input_video: ::ffff:a00:1 is in a private network, where the studio does not read: use a public address',
    ],
    [
      'https://0xa9fea9fe/latest/meta-data',
      'input_video: 169.254.169.254 is in a private network, where the studio does not read: use a public address',
    ],
  ] as const) {
    expect(await failure(studio, retake(url))).toBe(sentence);
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStudio, testStudio, WEBP } from './fake-studio.ts';

let studio: TestStudio;
let url: string;
beforeAll(async () => {
  studio = await testStudio();
  await studio.enqueue({ model: 'I-GEN-A', prompt: 'a red fox' });
  await (await studio.renderer.next()).finish();
  url = String((await studio.until('gen-1', 'succeeded')).result_url);
});
afterAll(() => studio[Symbol.asyncDispose]());

const ETAG = `"gen-1-${WEBP.length}"`;

/** What a client sees of an answer: no date, no connection headers. */
async function seen(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers });
  const told = ['content-type', 'content-length', 'content-range', 'etag', 'accept-ranges'];
  return {
    status: response.status,
    ...Object.fromEntries(
      told.flatMap(name => (response.headers.has(name) ? [[name, response.headers.get(name)]] : [])),
    ),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const whole = {
  status: 200,
  'content-type': 'image/webp',
  'content-length': `${WEBP.length}`,
  'accept-ranges': 'bytes',
  etag: ETAG,
  bytes: WEBP,
};

const part = (start: number, end: number) => ({
  ...whole,
  status: 206,
  'content-length': `${end - start + 1}`,
  'content-range': `bytes ${start}-${end}/${WEBP.length}`,
  bytes: WEBP.subarray(start, end + 1),
});

test('a result is read whole, without the key', async () => {
  expect(await seen(url)).toEqual(whole);
  expect(await seen(url, {}, 'HEAD')).toEqual({ ...whole, bytes: Buffer.alloc(0) });
});

test('a part of a result is read by Range', async () => {
  const last = WEBP.length - 1;
  expect(await seen(url, { range: 'bytes=0-0' })).toEqual(part(0, 0));
  expect(await seen(url, { range: 'bytes=4-9' })).toEqual(part(4, 9));
  expect(await seen(url, { range: 'bytes=30-' })).toEqual(part(30, last));
  expect(await seen(url, { range: 'bytes=30-9999' })).toEqual(part(30, last));
  expect(await seen(url, { range: 'bytes=-4' })).toEqual(part(last - 3, last));
  expect(await seen(url, { range: 'bytes=-9999' })).toEqual(part(0, last));
});

test('ranges that make no sense get the whole file, ranges past its end 416', async () => {
  for (const range of ['bytes=9-4', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,4-5']) {
    expect(await seen(url, { range })).toEqual(whole);
  }
  for (const range of [`bytes=${WEBP.length}-`, 'bytes=99-', 'bytes=-0']) {
    expect(await seen(url, { range })).toEqual({
      status: 416,
      'accept-ranges': 'bytes',
      'content-length': '0',
      'content-range': `bytes */${WEBP.length}`,
      etag: ETAG,
      bytes: Buffer.alloc(0),
    });
  }
});

test('a resumed download continues only the same file', async () => {
  expect(await seen(url, { range: 'bytes=4-', 'if-range': ETAG })).toEqual(part(4, WEBP.length - 1));
  expect(await seen(url, { range: 'bytes=4-', 'if-range': '"another"' })).toEqual(whole);
  expect(await seen(url, { 'if-none-match': `"x", ${ETAG}` })).toMatchObject({ status: 304, etag: ETAG });
});

test('nothing beside the result is served', async () => {
  for (const path of [
    '/results/gen-1/result.mp4',
    '/results/gen-1/',
    '/results/gen-1/..%2Fgen-1%2Fresult.webp',
    '/results/gen-1/..%2f..%2fstudio.sqlite',
    '/results/..%2f/studio.sqlite',
    '/results/gen-2/result.webp',
  ]) {
    expect([path, (await fetch(studio.url + path)).status]).toEqual([path, 404]);
  }
});

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { type Downloaded, type DownloadOptions, download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { json, redirect, type Stub, silent, stubServer, text } from '../support/stub-server.ts';
import { temporaryFolder } from '../support/temp.ts';
import { type Film, filmServer, footage } from './film-server.ts';

const FILM = footage(300_000);
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function room(stub: Stub, more: Partial<DownloadOptions> = {}) {
  const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const clock = new FakeClock();
  const signal = new AbortController().signal;
  const options: DownloadOptions = { store, id: 'g-1', allow: guardFor(stub.url), clock, signal, ...more };
  return { store, clock, options };
}

/** One that is begun at a server of one film. `again` lets the time pass that it waits before it tries again. */
async function begun(given: Partial<Film> = {}, more: Partial<DownloadOptions> = {}) {
  const server = await filmServer({ bytes: FILM, ...given });
  const { store, clock, options } = await room(server.stub, more);
  const again = async (ms = 1000) => clock.advance(await clock.asleep(left => left === ms));
  return { ...server, store, clock, again, outcome: download(server.url, options) };
}
const broken = (how: 'cut' | 'end' | 'hold', times = 1, after = 100_000) =>
  Array.from({ length: times }, () => ({ after, how }));

const whole = (store: LocalStore, bytes: Buffer): Downloaded => ({
  is: 'ok',
  sha256: sha(bytes),
  bytes: bytes.length,
  file: join(store.folder, sha(bytes).slice(0, 2), `${sha(bytes)}-${bytes.length}.mp4`),
  contentType: 'video/mp4',
});

/** One line for each request: the range that was asked for. */
const asked = (stub: Stub) =>
  stub.seen.map(({ headers }) => `${headers.range ?? 'all'}${headers['if-range'] ? ` if ${headers['if-range']}` : ''}`);

test('a result comes into the store with its digest, and nothing is left behind', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const progress: [number, number | null][] = [];
  const { store, options } = await room(stub, { onProgress: (bytes, total) => progress.push([bytes, total]) });
  const got = await download(url, options);
  expect(got).toEqual(whole(store, FILM));
  expect(got.is === 'ok' && (await readFile(got.file)).equals(FILM)).toBe(true);
  expect(await readdir(store.partials)).toEqual([]);
  expect([progress[0], progress.at(-1)]).toEqual([
    [0, 300_000],
    [300_000, 300_000],
  ]);
  expect(stub.seen[0]).toMatchObject({ method: 'GET', path: '/films/fox.mp4?signature=abc' });
  expect(stub.seen[0]?.headers.authorization).toBeUndefined();
});

test('an empty result is a result of no bytes', async () => {
  const { store, outcome } = await begun({ bytes: Buffer.alloc(0) });
  expect(await outcome).toEqual(whole(store, Buffer.alloc(0)));
});

test('a connection that is cut is taken up where it broke off, as often as it takes', async () => {
  const { stub, store, outcome, again } = await begun({ breaks: broken('end', 9, 30_000) });
  for (let n = 1; n <= 9; n++) await again();
  expect(await outcome).toEqual(whole(store, FILM));
  expect(asked(stub)).toEqual(['all', ...Array.from({ length: 9 }, (_, n) => `bytes=${(n + 1) * 30_000}- if "v1"`)]);
});

test('called off in the middle, it goes on from there in the next run, though the URL is another by then', async () => {
  const { stub, url, film } = await filmServer({ bytes: FILM });
  film.breaks.push({ after: 100_000, how: 'hold' });
  const stop = new AbortController();
  const { store, options } = await room(stub, {
    signal: stop.signal,
    onProgress: bytes => void (bytes === 100_000 && stop.abort({ is: 'interrupted' })),
  });
  expect(await download(url, options)).toEqual({
    is: 'failed',
    message: 'the download was called off; run again to go on with it',
  });
  const again = { ...options, store: await LocalStore.open(store.folder), signal: new AbortController().signal };
  expect(await download(`${url}&fresh=1`, again)).toEqual(whole(store, FILM));
  expect(asked(stub)).toEqual(['all', 'bytes=100000- if "v1"']);
});

test('killed in the middle, it goes on from the last bytes that were surely on the disk', async () => {
  const MiB = 1024 * 1024;
  const long = Buffer.alloc(24 * MiB, footage(1009));
  const { stub, url, film } = await filmServer({ bytes: long });
  film.breaks.push({ after: 20 * MiB, how: 'hold' });
  const { store, options } = await room(stub);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'download-child.ts'), url, stub.url, store.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const gone = new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal)));
  for await (const line of child.stdout.setEncoding('utf8'))
    if (String(line).includes(`${20 * MiB}\n`)) child.kill('SIGKILL');
  expect(await gone).toBe('SIGKILL');
  expect(await download(url, options)).toEqual(whole(store, long));
  const resumed = Number(/^bytes=(\d+)- if "v1"$/.exec(asked(stub)[1] ?? '')?.[1]);
  expect([resumed >= 16 * MiB, resumed <= 20 * MiB]).toEqual([true, true]);
});

test('a file that changed in between comes anew, whole', async () => {
  const { stub, film, store, outcome, clock } = await begun({ breaks: broken('end') });
  await clock.asleep(left => left === 1000);
  film.bytes = footage(250_000, 5);
  film.etag = '"v2"';
  await clock.advance(1000);
  expect(await outcome).toEqual(whole(store, film.bytes));
  expect(asked(stub)).toEqual(['all', 'bytes=100000- if "v1"']);
});

test('a server that ignores ranges is read from the beginning', async () => {
  const { stub, store, outcome, again } = await begun({ ranges: false, breaks: broken('end') });
  await again();
  expect(await outcome).toEqual(whole(store, FILM));
  expect(asked(stub)).toEqual(['all', 'bytes=100000- if "v1"']);
});

test('without a strong ETag the date must do, and without either it begins anew', async () => {
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
  for (const [etag, lastModified, second] of [
    ['W/"v1"', date, `bytes=100000- if ${date}`],
    ['W/"v1"', undefined, 'all'],
    [undefined, undefined, 'all'],
  ] as const) {
    const { stub, store, outcome, clock } = await begun({ etag, lastModified, breaks: broken('end') });
    await clock.advance(await clock.asleep(left => left <= 2000));
    expect(await outcome).toEqual(whole(store, FILM));
    expect(asked(stub)).toEqual(['all', second]);
  }
});

test('a piece that was not asked for is not glued on', async () => {
  const { stub, store, outcome, clock, again } = await begun({ breaks: broken('end') });
  await clock.asleep(left => left === 1000);
  const good = filmAnswers(FILM);
  stub.answer((response, request) => {
    if (request.headers.range === undefined) return good(response);
    response.writeHead(206, { 'content-range': 'bytes 0-299999/300000', 'content-type': 'video/mp4' }).end(FILM);
  });
  await clock.advance(1000);
  await again(2000);
  expect(await outcome).toEqual(whole(store, FILM));
  expect(asked(stub)).toEqual(['all', 'bytes=100000- if "v1"', 'all']);
});

const filmAnswers = (bytes: Buffer) => (response: import('node:http').ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);

test('a wrong length is refused, and nothing of it enters the store', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub, { expected: { bytes: 299_999 } });
  const message = 'the result has 300000 bytes where 299999 were expected';
  expect(await download(url, options)).toEqual({ is: 'failed', message });
  // The bytes are counted where no length was told beforehand.
  stub.answer(filmAnswers(FILM));
  expect(await download(url, options)).toEqual({ is: 'failed', message });
  expect(store.file(sha(FILM))).toBeUndefined();
  // The next attempt does not build on bytes that were refused.
  expect(await download(url, { ...options, expected: { bytes: 300_000 } })).toEqual(whole(store, FILM));
});

test('a URL that has expired is told apart, so that a fresh one is asked for', async () => {
  for (const status of [400, 401, 403, 404, 410]) {
    const stub = await stubServer(text(status, 'Request has expired'));
    const { options } = await room(stub);
    expect(await download(`${stub.url}/x.mp4`, options)).toEqual({
      is: 'gone',
      status,
      message: `the result's URL answers ${status}: it has expired, or was taken away`,
    });
    expect(stub.seen.length).toBe(1);
  }
});

test('trouble is tried again with longer and longer waits, then given up with what to do', async () => {
  const stub = await stubServer(json(503, {}));
  const { options, clock } = await room(stub);
  const told: string[] = [];
  const onTrouble = (message: string, again: number) => void told.push(`${message}: ${again}`);
  const outcome = download(`${stub.url}/x.mp4`, { ...options, onTrouble });
  const waits: number[] = [];
  for (let n = 0; n < 5; n++) {
    waits.push(await clock.asleep(left => left !== 60_000));
    await clock.advance(waits.at(-1) ?? 0);
  }
  expect(await outcome).toEqual({ is: 'failed', message: "the result's URL answers 503; run again to go on with it" });
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000]);
  // Each wait is reported when it begins.
  expect(told).toEqual(waits.map(ms => `the result's URL answers 503: ${ms}`));
  expect(stub.seen.length).toBe(6);
});

test('a storage that says when to come back is believed', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const good = filmAnswers(FILM);
  stub.answer(text(429, 'slow down', { 'retry-after': '7' }));
  const { store, options, clock } = await room(stub);
  const outcome = download(url, options);
  await clock.asleep(left => left === 7000);
  stub.answer(good);
  await clock.advance(7000);
  expect(await outcome).toEqual(whole(store, FILM));
});

test('a storage that goes silent is given up after a minute, and tried again', async () => {
  const there = Promise.withResolvers<void>();
  const onProgress = (bytes: number) => void (bytes === 100_000 && there.resolve());
  const { stub, store, outcome, clock, again } = await begun({ breaks: broken('hold') }, { onProgress });
  await there.promise;
  await clock.advance(60_000);
  await again();
  expect(await outcome).toEqual(whole(store, FILM));
  expect(asked(stub)).toEqual(['all', 'bytes=100000- if "v1"']);
});

test('one that never answers at all can be called off, whatever the reason is made of', async () => {
  const stub = await stubServer(silent);
  const stop = new AbortController();
  const { options } = await room(stub, { signal: stop.signal });
  const outcome = download(`${stub.url}/x.mp4`, options);
  await stub.arrived(1);
  stop.abort({ is: 'interrupted' });
  expect(await outcome).toEqual({ is: 'failed', message: 'the download was called off; run again to go on with it' });
});

test('a redirect is followed, five times at most, and never into a private network', async () => {
  const { stub: films, url } = await filmServer({ bytes: FILM });
  const stub = await stubServer(redirect(302, url));
  const { store, options } = await room(stub);
  expect(await download(`${stub.url}/1`, options)).toEqual(whole(store, FILM));
  expect(films.seen.length).toBe(1);

  stub.answer(redirect(307, '/again'));
  expect(await download(`${stub.url}/1`, options)).toEqual({
    is: 'failed',
    message: "the result's URL redirects more than 5 times",
  });
  expect(stub.seen.length).toBe(1 + 6);

  for (const [to, why] of [
    ['https://169.254.169.254/latest', '169.254.169.254 is a private address'],
    ['https://[::ffff:192.168.0.1]/x', '::ffff:c0a8:1 is a private address'],
    ['https://167772161/x', '10.0.0.1 is a private address'],
    ['http://192.168.0.1/x', '192.168.0.1 is a private address'],
    ['file:///etc/passwd', 'file: is no way to fetch a result'],
  ] as const) {
    stub.answer(redirect(302, to));
    expect(await download(`${stub.url}/1`, options)).toEqual({
      is: 'failed',
      message: `the result's URL is refused: ${why}`,
    });
  }
});

test('a name that leads into a private network is not connected to', async () => {
  const { stub } = await filmServer({ bytes: FILM });
  const trap = (_: string, callback: (error: null, found: { address: string; family: number }[]) => void) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const { options } = await room(stub, { allow: guardFor('https://hub.example', trap) });
  const port = new URL(stub.url).port;
  expect(await download(`https://cdn.example:${port}/x.mp4`, options)).toEqual({
    is: 'failed',
    message: "the result's URL is refused: cdn.example leads to 127.0.0.1, a private address",
  });
  expect(stub.connections).toBe(0);
});

test('an id that is a path leads nowhere', async () => {
  const stop = new AbortController();
  const onProgress = (bytes: number) => void (bytes === 100_000 && stop.abort());
  const evil = { id: '../../evil', signal: stop.signal, onProgress };
  const { store, outcome } = await begun({ breaks: broken('hold') }, evil);
  await outcome;
  const parts = await readdir(store.partials);
  expect(parts.map(part => part.replace(/rest-\w+/, 'rest-…'))).toEqual(
    ['part', 'part.json'].map(end => `${sha(Buffer.from('../../evil'))}.rest-….${end}`),
  );
  expect(await readdir(join(store.folder, '..'))).toEqual(['store']);
});

test('more bytes than were announced are refused, not written', async () => {
  const { stub, store, outcome, clock } = await begun({ breaks: broken('end') });
  await clock.asleep(left => left === 1000);
  // A rest without a length of its own that does not stop where the whole should.
  stub.answer(response => {
    response.writeHead(206, { 'content-range': 'bytes 100000-299999/300000', 'content-type': 'video/mp4' });
    response.end(footage(400_000));
  });
  await clock.advance(1000);
  expect(await outcome).toEqual({ is: 'failed', message: 'the result is longer than it was said to be' });
  expect(store.file(sha(FILM))).toBeUndefined();
});

test('what is whole already, but was not put away before a kill, is not fetched again', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub);
  const note = { source: { validator: '"v1"', total: 300_000, contentType: 'video/mp4' }, bytes: 300_000 };
  await writeFile(join(store.partials, 'g-1.part'), FILM);
  await writeFile(join(store.partials, 'g-1.part.json'), JSON.stringify(note));
  expect(await download(url, options)).toEqual(whole(store, FILM));
  expect(stub.seen).toEqual([]);
});

test('a note that cannot be read, or tells of more than is there, is not believed', async () => {
  for (const note of ['', '{"bytes": -1}', '[]', '{"source": {"validator": "\\"v1\\""}, "bytes": 200000}']) {
    const { stub, url } = await filmServer({ bytes: FILM });
    const { store, options } = await room(stub);
    await writeFile(join(store.partials, 'g-1.part'), FILM.subarray(0, 100_000));
    await writeFile(join(store.partials, 'g-1.part.json'), note);
    expect(await download(url, options)).toEqual(whole(store, FILM));
    expect(asked(stub)).toEqual(['all']);
  }
});

test('a disk that does not take it is told as it is', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub);
  const partials = join(store.folder, 'no-folder');
  await writeFile(partials, 'a file where a folder should be');
  const outcome = await download(url, {
    ...options,
    store: { partials, adopt: (path, ext) => store.adopt(path, ext) },
  });
  expect(outcome).toEqual({
    is: 'failed',
    message: `${partials}: a folder is needed on the way there, and something else is in its place; move that away, then run again`,
  });
});

test('two generations with the same content are both there, once', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub);
  const both = await Promise.all([download(url, { ...options, id: 'g-1' }), download(url, { ...options, id: 'g-2' })]);
  expect(both).toEqual([whole(store, FILM), whole(store, FILM)]);
  expect(await readdir(store.partials)).toEqual([]);
});

test('a compressed answer is not taken for the result', async () => {
  const stub = await stubServer(text(200, 'x', { 'content-encoding': 'gzip' }));
  const { options } = await room(stub);
  expect(await download(`${stub.url}/x.mp4`, options)).toEqual({
    is: 'failed',
    message: 'the result comes gzip-compressed, though it was asked for as it is',
  });
});

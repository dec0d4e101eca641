/** One result that is wanted more than once: by a fan-out, by two runs, by a caller that leaves early; and one over a bad line. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { type Downloaded, type DownloadOptions, download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { SingleFlight } from '../../src/records/store/single-flight.ts';
import { Dice } from '../simulate/dice.ts';
import { FakeClock } from '../support/fake-clock.ts';
import type { Stub } from '../support/stub-server.ts';
import { temporaryFolder } from '../support/temp.ts';
import { filmServer, footage } from './film-server.ts';

const FILM = footage(300_000);
const SHA = createHash('sha256').update(FILM).digest('hex');
const CALLED_OFF = { is: 'failed', message: 'the download was called off; run again to go on with it' };

async function room(stub: Stub) {
  const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const signal = new AbortController().signal;
  const underWay = new SingleFlight<Downloaded, [number, number | null]>();
  const options: DownloadOptions = {
    store,
    underWay,
    id: 'input-1',
    allow: guardFor(stub.url),
    clock: new FakeClock(),
    signal,
  };
  return { store, options };
}

/** Settles when so many bytes have come. */
function reached(bytes: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { there: promise, onProgress: (soFar: number) => void (soFar >= bytes && resolve()) };
}

test('a fan-out of readers of one address downloads it once, and all have it whole', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub);
  const told: number[] = [];
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      download(url, { ...options, onProgress: bytes => void (bytes === 300_000 && told.push(n)) }),
    ),
  );
  for (const got of all) expect(got).toMatchObject({ is: 'ok', sha256: SHA, bytes: 300_000 });
  expect(stub.seen.length).toBe(1);
  expect(told.length).toBe(20);
  expect((await readFile(store.file(SHA) ?? '')).equals(FILM)).toBe(true);
  expect(await readdir(store.partials)).toEqual([]);
});

test('whoever leaves leaves alone; the last one calls it off, and what came is gone on with', async () => {
  const { stub, url, film } = await filmServer({ bytes: FILM });
  film.breaks.push({ after: 100_000, how: 'hold' });
  const { options } = await room(stub);
  const [first, second] = [new AbortController(), new AbortController()];
  const { there, onProgress } = reached(100_000);
  const one = download(url, { ...options, signal: first.signal, onProgress });
  const two = download(url, { ...options, signal: second.signal });
  await there;
  first.abort();
  expect(await one).toEqual(CALLED_OFF);
  expect(stub.open).toBe(1);
  second.abort();
  await new Promise(setImmediate);
  // A caller that comes while it is being called off does not end with it.
  const three = download(url, options);
  expect(await two).toEqual(CALLED_OFF);
  expect(await three).toMatchObject({ is: 'ok', sha256: SHA });
  expect(stub.seen.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100000-']);
});

test('both leave by one signal, and it ends', async () => {
  const { stub, url, film } = await filmServer({ bytes: FILM });
  film.breaks.push({ after: 100_000, how: 'hold' });
  const { options } = await room(stub);
  const stop = new AbortController();
  const { there, onProgress } = reached(100_000);
  const both = [1, 2].map(() => download(url, { ...options, signal: stop.signal, onProgress }));
  await there;
  stop.abort();
  expect(await Promise.all(both)).toEqual([CALLED_OFF, CALLED_OFF]);
  expect(await download(url, options)).toMatchObject({ is: 'ok', sha256: SHA });
});

test('two runs of one project that want the same at once never write into one file', async () => {
  for (let round = 0; round < 10; round++) {
    // The service changes its mind in between: glued together, the bytes of two versions would make a third.
    const { stub, url, film } = await filmServer({ bytes: FILM });
    const { store, options } = await room(stub);
    film.breaks.push({ after: 100_000 + round, how: 'hold' });
    const { there, onProgress } = reached(100_000);
    const stop = new AbortController();
    const one = download(url, { ...options, signal: stop.signal, onProgress });
    await there;
    film.bytes = footage(200_000, 9);
    film.etag = '"v2"';
    // Another process has a store of its own over the same folder.
    const other = await LocalStore.open(store.folder);
    const two = await download(url, { ...options, store: other, underWay: new SingleFlight() });
    expect(two).toMatchObject({ is: 'ok', bytes: 200_000 });
    if (two.is === 'ok') expect((await readFile(two.file)).equals(film.bytes)).toBe(true);
    stop.abort();
    expect(await one).toEqual(CALLED_OFF);
    expect((await readdir(store.partials)).length).toBe(2);
    // And whoever goes on with the first one's beginning is told that it does not fit any more.
    expect(await download(url, { ...options, store: other, underWay: new SingleFlight() })).toMatchObject({
      is: 'ok',
      bytes: 200_000,
    });
    expect(await readdir(store.partials)).toEqual([]);
  }
});

test('what is not what it should be is thrown away, and said', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { store, options } = await room(stub);
  const seen: string[] = [];
  const check = async (path: string) => {
    seen.push(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
    return { misfit: 'an HTML page of 2 kB ("Sign in")' };
  };
  expect(await download(url, { ...options, check })).toEqual({
    is: 'misfit',
    message: 'the result\'s URL gave an HTML page of 2 kB ("Sign in"); run again to ask for a fresh one',
  });
  expect([seen, store.file(SHA), await readdir(store.partials)]).toEqual([[SHA], undefined, []]);
  // The next attempt begins at the beginning, and its file is called by what it is.
  const right = async () => ({ kind: 'image' as const, format: 'webp' });
  const got = await download(url, { ...options, check: right });
  expect(got).toMatchObject({ is: 'ok', media: { kind: 'image', format: 'webp' } });
  expect(got.is === 'ok' && got.file.endsWith('-300000.webp')).toBe(true);
  expect(stub.seen.length).toBe(2);
});

test('what nobody could look at stays, and is not fetched again', async () => {
  // It has no validator, and no length was told. It is whole all the same.
  const { stub, url } = await filmServer({ bytes: FILM, etag: undefined });
  stub.answer(response => void response.writeHead(200, { 'content-type': 'video/mp4' }).end(FILM));
  const { options } = await room(stub);
  const check = async () => {
    throw new Error('there is no memory for it; free some, then run again');
  };
  expect(await download(url, { ...options, check })).toEqual({
    is: 'failed',
    message: 'the result came, and could not be looked at: there is no memory for it; free some, then run again',
  });
  const right = async () => ({ kind: 'video' as const, format: 'mp4' });
  expect(await download(url, { ...options, check: right })).toMatchObject({ is: 'ok', sha256: SHA });
  expect(stub.seen.length).toBe(1);
});

test('whoever wants it checked does not share with one who does not care', async () => {
  const { stub, url } = await filmServer({ bytes: FILM });
  const { options } = await room(stub);
  const check = async () => ({ misfit: '0 bytes' });
  const both = await Promise.all([download(url, options), download(url, { ...options, check })]);
  expect(both.map(({ is }) => is)).toEqual(['ok', 'misfit']);
});

const SEEDS = Array.from({ length: 40 }, (_, n) => n + 1);

test.each(SEEDS)(
  'whatever breaks and changes on the way, what enters the store is one whole version of the film: seed %i',
  async seed => {
    const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
    const dice = new Dice(seed);
    const versions = [footage(200_000 + seed, 1), footage(150_000 + seed, 2)];
    const { stub, film, url } = await filmServer({ bytes: versions[0]!, ranges: dice.chance(0.8) });
    if (dice.chance(0.2)) film.etag = undefined;
    const bad = dice.between(1, 6);
    for (let n = 0; n < bad; n++) {
      film.breaks.push({
        after: dice.below(120_000),
        how: dice.pick(['cut', 'end', 'hold'] as const),
      });
    }
    const changesAfter = dice.chance(0.3) ? dice.below(bad) : undefined;
    const clock = new FakeClock();

    // Weather: called off and begun again in between, while time goes by.
    let got = await attempt();
    for (let n = 0; got.is !== 'ok' && n < 20; n++) got = await attempt();

    expect(got.is).toBe('ok');
    if (got.is !== 'ok') return;
    const bytes = await readFile(got.file);
    expect(versions.some(version => version.equals(bytes))).toBe(true);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(got.sha256);

    async function attempt() {
      const stop = new AbortController();
      const allow = guardFor(stub.url);
      const outcome = download(url, { store, id: `g-${seed}`, allow, clock, signal: stop.signal });
      const over = outcome.then(() => true);
      for (;;) {
        const slept = clock.asleep().then(() => false);
        if (await Promise.race([over, slept])) return outcome;
        if (stub.seen.length - 1 === changesAfter) [film.bytes, film.etag] = [versions[1]!, '"v2"'];
        if (dice.chance(0.05)) stop.abort();
        await clock.advance(2000);
      }
    }
    expect(await readdir(store.partials)).toEqual([]);
  },
);

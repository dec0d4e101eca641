/** The whole way of a result: over the wire, looked at by the real reader, into the store or away. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fetchResults } from '../../src/app/results/fetch-results.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { stubServer, text } from '../support/stub-server.ts';
import { temporaryFolder } from '../support/temp.ts';

test('only what the model makes is kept; what a command reads may be anything', async () => {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .webp()
    .toBuffer();
  const stub = await stubServer(
    text(200, '<!doctype html><title>Please sign in</title>', { 'content-type': 'image/png' }),
  );
  const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const fetchResult = fetchResults(store, stub.url);
  const { signal } = new AbortController();
  const fetched = () => fetchResult(`${stub.url}/still.png`, 'g-1', signal, 'image');

  const no = (misfit: string) => ({
    is: 'misfit',
    message: `the result's URL gave ${misfit}; run again to ask for a fresh one`,
  });
  expect(await fetched()).toEqual(no('an HTML page of 44 B ("Please sign in")'));
  stub.answer(text(200, '{"error":"expired"}'));
  expect(await fetched()).toEqual(no('JSON: {"error":"expired"}'));
  stub.answer(text(200, ''));
  expect(await fetched()).toEqual(no('0 bytes'));
  const half = picture.subarray(0, picture.length / 2);
  stub.answer(response => void response.writeHead(200, { 'content-length': half.length }).end(half));
  expect(await fetched()).toEqual(no('a picture that breaks off in the middle'));
  expect(await readdir(store.folder)).toEqual(['partial']);
  expect(await readdir(store.partials)).toEqual([]);

  // It lies about its type: the file is called by what it is.
  stub.answer(response => void response.writeHead(200, { 'content-type': 'image/png' }).end(picture));
  const kept = await fetched();
  expect(kept).toMatchObject({ is: 'ok', media: { kind: 'image', format: 'webp', width: 60, height: 40 } });
  if (kept.is !== 'ok') return;
  const file = await store.pathOf(kept.sha256);
  expect([file.endsWith('.webp'), (await readFile(file)).equals(picture)]).toEqual([true, true]);

  stub.answer(text(200, '{"lut": [1, 2]}', { 'content-type': 'application/json' }));
  expect(await fetchResult(`${stub.url}/table.json`, 'input-1', signal)).toMatchObject({ is: 'ok', bytes: 15 });
});

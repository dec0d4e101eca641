/** Frames in the store: taken once, noted, and let go of on a disk that says no. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DerivedMedia } from '../../src/model/media/derived-media.ts';
import { DerivedIndex } from '../../src/records/store/derived-index.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { DerivedFiles, type TakePart } from '../../src/run/local/derived-files.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { temporaryFolder } from '../support/temp.ts';

const never = () => new AbortController().signal;

async function room(disk?: ReturnType<typeof faultyDisk>) {
  const folder = await temporaryFolder();
  const plain = await LocalStore.open(join(folder, 'store'));
  const video = await plain.put([Buffer.from('a film')], '.mp4');
  const store = disk ? await LocalStore.open(join(folder, 'store'), disk) : plain;
  const turns: (() => void)[] = [];
  let ids = 0;
  let takes = 0;
  const take: TakePart = async (_path, what, out) => {
    takes++;
    await new Promise<void>(resolve => turns.push(resolve));
    writeFileSync(out, `a ${what.is}`);
    return { is: 'ok', facts: { kind: 'image', format: 'png' } };
  };
  const index = new DerivedIndex(join(folder, 'store/derived'));
  const files = new DerivedFiles({ store, index, take, newId: () => String(++ids) });
  const last: DerivedMedia = { of: video.sha256, what: { is: 'last_frame' } };
  /** Lets everything that is being taken be finished, until nothing is. */
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setInterval(() => {
      for (const turn of turns.splice(0)) turn();
    }, 1);
    return work.finally(() => clearInterval(timer));
  };
  return { folder, store, files, last, finish, took: () => takes };
}

test('ten readers at the same time have it made once; who leaves does not take it from the others', async () => {
  const { files, last, finish, took } = await room();
  const leaves = new AbortController();
  const left = files.get(last, leaves.signal);
  const all = Array.from({ length: 9 }, () => files.get(last, never()));
  leaves.abort();
  expect(await left).toEqual({ is: 'stopped' });
  const outcomes = await finish(Promise.all(all));
  expect(took()).toBe(1);
  expect(new Set(outcomes.map(outcome => (outcome.is === 'ok' ? outcome.sha256 : outcome.is))).size).toBe(1);
});

test('two frames of a video are two, and are noted for who comes later', async () => {
  const { folder, store, files, last, finish, took } = await room();
  const first: DerivedMedia = { of: last.of, what: { is: 'first_frame' } };
  const [one, two] = await finish(Promise.all([files.get(last, never()), files.get(first, never())]));
  expect(one).not.toEqual(two);
  const index = new DerivedIndex(join(folder, 'store/derived'));
  const take: TakePart = async () => ({ is: 'failed', message: 'it was asked again' });
  const later = new DerivedFiles({ store, index, take, newId: () => 'later' });
  expect(await later.get(last, never())).toEqual(one);
  expect(took()).toBe(2);
});

test('a full disk is told in words, leaves nothing half, and is no reason not to try again', async () => {
  const disk = faultyDisk({ nth: 3, code: 'ENOSPC', lasting: false });
  const { folder, files, last, finish } = await room(disk);
  const failed = await finish(files.get(last, never()));
  expect(failed).toMatchObject({ is: 'failed', message: expect.stringMatching(/disk is full|no space/i) });
  expect(readdirSync(join(folder, 'store/partial'))).toEqual([]);
  expect(await finish(files.get(last, never()))).toMatchObject({ is: 'ok', extension: '.png' });
});

test('a video that is not here any more is told', async () => {
  const { files } = await room();
  expect(await files.get({ of: 'ab'.repeat(32), what: { is: 'sound' } }, never())).toEqual({
    is: 'failed',
    message: 'it is not on this machine any more; run again to fetch it',
    here: true,
  });
});

/** Every error of a disk, at every call that the store and the downloads make. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Disk, plainDisk } from '../../src/machine/files/disk.ts';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { temporaryFolder } from '../support/temp.ts';
import { filmServer, footage } from './film-server.ts';

const CODES = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE', 'EISDIR', 'ENAMETOOLONG'];
const SENTENCE = /^[^\n]+: [^\n]+(?:then run again)$/;
const FILM = footage(3000);

/** The names in the store whose files do not hold what the name says. */
async function wrongNames(folder: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const shelf of await readdir(folder)) {
    if (shelf === 'partial') continue;
    for (const name of await readdir(join(folder, shelf))) {
      const bytes = await readFile(join(folder, shelf, name));
      const right = `${createHash('sha256').update(bytes).digest('hex')}-${bytes.length}`;
      if (!name.startsWith(right)) wrong.push(name);
    }
  }
  return wrong;
}

describe.each(CODES)('%s', code => {
  test('a download survives it wherever it comes: a sentence, nothing wrong in the store, and the next attempt has it', async () => {
    const { stub, url } = await filmServer({ bytes: FILM });
    let faults = 0;
    for (let nth = 0; ; nth++) {
      const folder = join(await temporaryFolder(), 'store');
      const mended = await LocalStore.open(folder);
      const disk = faultyDisk({ nth: Number.POSITIVE_INFINITY, code });
      const store = await LocalStore.open(folder, disk);
      const breaking = faultyDisk({ nth, code, lasting: true });
      Object.assign(disk, breaking);
      const clock = new FakeClock();
      const options = { id: 'g-1', allow: guardFor(stub.url), clock, signal: new AbortController().signal };
      const check = async () => ({ kind: 'video' as const, format: 'mp4' });
      const got = await download(url, { store, disk, ...options, check });
      expect([code, nth, await wrongNames(folder)]).toEqual([code, nth, []]);
      if (breaking.done.length <= nth) break;
      faults++;
      // A fault in what is only tidied up costs nothing.
      if (got.is !== 'ok') expect(got).toEqual({ is: 'failed', message: expect.stringMatching(SENTENCE) });
      const again = await download(url, { store: mended, ...options, check });
      expect([code, nth, again.is]).toEqual([code, nth, 'ok']);
    }
    expect(faults).toBeGreaterThan(15);
  });

  test('what a command made is taken in whole or stays where it is, wherever it comes', async () => {
    let faults = 0;
    for (const way of ['adopt', 'include'] as const) {
      for (let nth = 0; ; nth++) {
        const folder = await temporaryFolder();
        const fox = join(folder, 'fox.mp4');
        await writeFile(fox, FILM);
        const disk: Disk = { ...plainDisk };
        const store = await LocalStore.open(join(folder, 'store'), disk);
        const breaking = faultyDisk({ nth, code });
        Object.assign(disk, breaking);
        const got = await store[way](fox, '.mp4').catch(error => error);
        expect([code, way, nth, await wrongNames(store.folder)]).toEqual([code, way, nth, []]);
        if (breaking.done.length <= nth) break;
        faults++;
        const mended = await LocalStore.open(join(folder, 'store'));
        const kept = mended.file(createHash('sha256').update(FILM).digest('hex'));
        if (got instanceof Error) {
          expect(got).toBeInstanceOf(DiskError);
          expect(got.message).toMatch(SENTENCE);
          // The bytes are either here or there, and never lost.
          const bytes = await readFile(kept ?? fox);
          expect([code, way, nth, bytes.equals(FILM)]).toEqual([code, way, nth, true]);
        } else expect([code, way, nth, kept]).toEqual([code, way, nth, got.file]);
      }
    }
    expect(faults).toBeGreaterThan(16);
  });
});

test('a store that cannot be read is not taken for an empty one: that would be paid for again', async () => {
  const folder = join(await temporaryFolder(), 'store');
  const noted = await LocalStore.open(folder);
  const fox = join(folder, 'fox');
  await writeFile(fox, FILM);
  const { sha256 } = await noted.adopt(fox, '.mp4');
  const broken = await LocalStore.open(folder, {
    ...plainDisk,
    readdirSync: path => {
      throw Object.assign(new Error('EIO: i/o error, scandir'), { code: 'EIO', syscall: 'scandir', path });
    },
  });
  expect(() => broken.file(sha256)).toThrow(
    `${join(folder, sha256.slice(0, 2))}: the disk failed (EIO); see whether it is still sound, or choose another place, then run again`,
  );
});

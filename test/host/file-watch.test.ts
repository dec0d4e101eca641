/** Saves as editors do them, on a real disk; only the time between two looks is the test's. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileWatch } from '../../src/host/file-watch.ts';
import { FakeClock } from '../support/fake-clock.ts';

let folder: string;
let film: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shotlist-watch-')));
  film = join(folder, 'film.yaml');
  writeFileSync(film, 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a save is told once, by the name of the file', async () => {
  await using watching = await watched(film);
  writeFileSync(film, 'two');
  expect(await watching.told()).toEqual(['film.yaml']);
  writeFileSync(film, 'three');
  expect(await watching.told()).toEqual(['film.yaml']);
});

test('a file that was touched, or written as it was, has not changed; one that we write beside it is not looked at', async () => {
  await using watching = await watched(film);
  utimesSync(film, new Date(), new Date());
  writeFileSync(film, 'one');
  writeFileSync(join(folder, 'film.lock.yaml'), 'ours');
  expect(await watching.isQuiet()).toBe(true);
});

test('a file that is replaced by a rename is looked at on', async () => {
  await using watching = await watched(film);
  for (const text of ['two', 'three']) {
    writeFileSync(`${film}.tmp`, text);
    renameSync(`${film}.tmp`, film);
    expect(await watching.told()).toEqual(['film.yaml']);
  }
});

test('a file that is moved away, as vim does for its backup, and comes back as it was, has not changed', async () => {
  await using watching = await watched(film);
  renameSync(film, `${film}~`);
  await watching.look(100);
  writeFileSync(film, 'one');
  expect(await watching.isQuiet()).toBe(true);
});

test('a file that stays away is told, and told again when it is back', async () => {
  await using watching = await watched(film);
  rmSync(film);
  expect(await watching.told()).toEqual(['film.yaml']);
  writeFileSync(film, 'two');
  expect(await watching.told()).toEqual(['film.yaml']);
});

test('saves that follow one another closely are told together', async () => {
  const data = join(folder, 'beats.csv');
  writeFileSync(data, '1');
  await using watching = await watched(film, data);
  writeFileSync(film, '');
  await watching.look(20);
  writeFileSync(film, 'two');
  await watching.look(20);
  writeFileSync(data, '2');
  expect(await watching.told()).toEqual(['film.yaml', 'beats.csv']);
  expect(await watching.isQuiet()).toBe(true);
});

test('a file that is not there yet, in a folder that is not there yet, is told when it comes', async () => {
  const late = join(folder, 'data', 'late.csv');
  await using watching = await watched(film, late);
  mkdirSync(join(folder, 'data'));
  writeFileSync(late, '1');
  expect(await watching.told()).toEqual(['late.csv']);
});

test('what is saved between reading a film and looking at it again is told', async () => {
  const data = join(folder, 'beats.csv');
  writeFileSync(data, 'now');
  await using watching = await watched(film);
  await watching.watch.begin();
  writeFileSync(film, 'while it is read');
  const before = 'digest of what was read';
  await watching.watch.follow({ files: new Set([film, data]), lists: new Map(), read: new Map([[data, before]]) });
  expect(await watching.told()).toEqual(['film.yaml', 'beats.csv']);
});

test('what a pattern matches is looked at as well', async () => {
  let names = ['1.jpg'];
  await using watching = await watched(film);
  const lists = new Map([['in/*.jpg', () => names.join()]]);
  await watching.watch.follow({ files: new Set([film]), lists, read: new Map() });
  names = ['1.jpg', '2.jpg'];
  expect(await watching.told()).toEqual(['*.jpg']);
});

test('whoever stops is told of nothing', async () => {
  await using watching = await watched(film);
  const told = watching.watch.changed(watching.stop.signal);
  watching.stop.abort();
  expect(await told).toEqual([]);
});

async function watched(...files: readonly string[]) {
  const clock = new FakeClock();
  const watch = new FileWatch(clock);
  const stop = new AbortController();
  await watch.follow({ files: new Set(files), lists: new Map(), read: new Map() });
  let telling: Promise<readonly string[]> | undefined;
  const begun = () => (telling ??= watch.changed(stop.signal));
  /** Lets the time pass in which it looks; undefined where it has nothing to tell. */
  const look = async (ms: number) => {
    const told = begun();
    await Promise.race([clock.asleep(), told]);
    await clock.advance(ms);
  };
  return {
    watch,
    stop,
    look,
    told: async () => {
      const told = begun();
      let isTold = false;
      void told.then(() => {
        isTold = true;
      });
      while (!isTold) await look(1_000);
      telling = undefined;
      await watch.begin();
      return (await told).map(name => basename(name));
    },
    isQuiet: async () => {
      const told = begun();
      let isTold = false;
      void told.then(() => {
        isTold = true;
      });
      for (let looks = 0; looks < 6; looks++) await look(1_000);
      return !isTold;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await telling;
      watch.close();
    },
  };
}

/** Saves as editors do them, on a real disk; only the time between two looks is the test's. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileWatch, type Listen } from '../../src/machine/files/file-watch.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { settled } from '../support/settled.ts';
import { EVENT_VICES } from './watch-vices.ts';

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

test('an empty file, and its text a moment later, are one save', async () => {
  await using watching = await watched(film);
  writeFileSync(film, '');
  for (let looks = 0; looks < 6; looks++) await watching.look(50);
  writeFileSync(film, 'two');
  expect(await watching.told()).toEqual(['film.yaml']);
  expect(await watching.isQuiet()).toBe(true);
});

test('a file that stays empty is told', async () => {
  await using watching = await watched(film);
  writeFileSync(film, '');
  expect(await watching.told()).toEqual(['film.yaml']);
});

test('twenty saves in a tenth of a second are told once, and it is the last one that is there', async () => {
  await using watching = await watched(film);
  for (let save = 1; save <= 20; save++) {
    writeFileSync(film, `save ${save}`);
    await watching.look(5);
  }
  expect(await watching.told()).toEqual(['film.yaml']);
  expect(await watching.isQuiet()).toBe(true);
});

test('saves that never rest are told after two seconds', async () => {
  await using watching = await watched(film);
  let isTold = false;
  for (let save = 1; save <= 60 && !isTold; save++) {
    writeFileSync(film, `save ${save}`);
    await watching.look(50);
    isTold = await watching.hasTold();
  }
  expect(isTold).toBe(true);
});

describe('other bytes under the same name', () => {
  /** More than is read at each look. */
  const large = (letter: string) => letter.repeat(300_000);
  let photo: string;
  beforeEach(() => {
    photo = join(folder, 'photo.png');
    writeFileSync(photo, large('a'));
  });

  test('are told, also where the size is the same', async () => {
    await using watching = await watched(film, photo);
    writeFileSync(photo, large('b'));
    expect(await watching.told()).toEqual(['photo.png']);
  });

  test('are told where the file that took its place is as old', async () => {
    const { atime, mtime } = statSync(photo);
    await using watching = await watched(film, photo);
    writeFileSync(`${photo}.tmp`, large('b'));
    utimesSync(`${photo}.tmp`, atime, mtime);
    renameSync(`${photo}.tmp`, photo);
    expect(await watching.told()).toEqual(['photo.png']);
  });

  test('are no change where it was only touched', async () => {
    await using watching = await watched(film, photo);
    utimesSync(photo, new Date(), new Date());
    expect(await watching.isQuiet()).toBe(true);
  });

  test('are told where they came between reading it and looking at it', async () => {
    await using watching = await watched(film);
    await watching.watch.begin();
    const read = createHash('sha256').update(large('a')).digest('hex');
    writeFileSync(photo, large('b'));
    await watching.watch.follow({ files: new Set([film, photo]), lists: new Map(), read: new Map([[photo, read]]) });
    expect(await watching.told()).toEqual(['photo.png']);
  });
});

describe.each(Object.keys(EVENT_VICES) as (keyof typeof EVENT_VICES)[])('where the system %s', vice => {
  const seen = { folders: [] as string[], wakes: [] as (() => void)[] };
  const listen = EVENT_VICES[vice](seen);

  test('a save is told within a second, by looking', async () => {
    await using watching = await watchedWith(listen, film);
    writeFileSync(film, 'two');
    await watching.look(1_000);
    expect(await watching.told()).toEqual(['film.yaml']);
    renameSync(film, `${film}~`);
    await watching.look(100);
    writeFileSync(film, 'two');
    expect(await watching.isQuiet()).toBe(true);
  });
});

test('a folder in which somebody writes all the time is looked at twenty times a second, and not more often', async () => {
  const seen = { folders: [] as string[], wakes: [] as (() => void)[] };
  // The test tells it each time, in the place of an interval: how many times that is must not hang on how busy the machine is.
  await using watching = await watchedWith((_, { wake }) => {
    seen.wakes.push(wake);
    return { close: () => {} };
  }, film);
  let looks = 0;
  const counted = () => {
    looks++;
    return 'the same';
  };
  await watching.watch.follow({ files: new Set([film]), lists: new Map([['count', counted]]), read: new Map() });
  looks = 0;
  for (let passed = 0; passed < 1_000; passed += 10) {
    for (const wake of seen.wakes) wake();
    await watching.look(10);
    await settled();
  }
  expect(looks).toBeGreaterThan(10);
  expect(looks).toBeLessThanOrEqual(21);
});

test('a folder that is replaced is listened to anew', async () => {
  const seen = { folders: [] as string[], wakes: [] as (() => void)[] };
  const inside = join(folder, 'shots', 'film.yaml');
  mkdirSync(join(folder, 'shots'));
  writeFileSync(inside, 'one');
  await using watching = await watchedWith(EVENT_VICES['tells nothing'](seen), inside);
  expect(seen.folders).toEqual([join(folder, 'shots')]);
  renameSync(join(folder, 'shots'), join(folder, 'shots.old'));
  mkdirSync(join(folder, 'shots'));
  writeFileSync(inside, 'one');
  expect(await watching.isQuiet()).toBe(true);
  expect(seen.folders).toEqual([join(folder, 'shots'), join(folder, 'shots')]);
});

test('a link is listened to where it leads', async () => {
  const seen = { folders: [] as string[], wakes: [] as (() => void)[] };
  mkdirSync(join(folder, 'elsewhere'));
  const real = join(folder, 'elsewhere', 'film.yaml');
  writeFileSync(real, 'one');
  const link = join(folder, 'link.yaml');
  symlinkSync(real, link);
  await using watching = await watchedWith(EVENT_VICES['tells nothing'](seen), link);
  expect(new Set(seen.folders)).toEqual(new Set([folder, join(folder, 'elsewhere')]));
  writeFileSync(real, 'two');
  expect(await watching.told()).toEqual(['link.yaml']);
});

test('whoever stops is told of nothing', async () => {
  await using watching = await watched(film);
  const told = watching.watch.changed(watching.stop.signal);
  watching.stop.abort();
  expect(await told).toEqual([]);
});

const watched = (...files: readonly string[]) => watchedWith(undefined, ...files);

async function watchedWith(listen: Listen | undefined, ...files: readonly string[]) {
  const clock = new FakeClock();
  const watch = new FileWatch(clock, listen);
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
  /** Whether it has something to tell at this moment. */
  const hasTold = async () => {
    const nothing = new Promise(resolve => setImmediate(resolve, undefined));
    return (await Promise.race([begun(), nothing])) !== undefined;
  };
  return {
    ...{ watch, stop, look, clock },
    hasTold,
    told: async () => {
      while (!(await hasTold())) await look(1_000);
      const told = await begun();
      telling = undefined;
      await watch.begin();
      return told.map(name => basename(name));
    },
    isQuiet: async () => {
      for (let looks = 0; looks < 6; looks++) await look(1_000);
      return !(await hasTold());
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await telling;
      watch.close();
    },
  };
}

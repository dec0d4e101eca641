import { createHash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Disk, systemDisk as disk, plainDisk } from '../../src/machine/files/disk.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { temporaryFolder } from '../support/temp.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const FOX = sha('a red fox');

/** A store beside a file that says "a red fox". */
async function room() {
  const folder = await temporaryFolder();
  const store = await LocalStore.open(join(folder, 'store'));
  const fox = join(folder, 'fox.mp4');
  await writeFile(fox, 'a red fox');
  return { folder, store, fox };
}

test('what is adopted is kept under its content, read-only', async () => {
  const { folder, store, fox } = await room();
  const file = join(folder, 'store', FOX.slice(0, 2), `${FOX}-9.mp4`);
  expect(await store.adopt(fox, '.mp4')).toEqual({ sha256: FOX, bytes: 9, file });
  expect((await stat(file)).mode & 0o777).toBe(0o444);
});

test('what is included stays where it was', async () => {
  const { store, fox } = await room();
  const { file } = await store.include(fox, '.mp4');
  expect([await readFile(fox, 'utf8'), await readFile(file, 'utf8')]).toEqual(['a red fox', 'a red fox']);
  await writeFile(fox, 'a blue fox');
  expect(await readFile(file, 'utf8')).toBe('a red fox');
  expect(await readdir(store.partials)).toEqual([]);
});

test('a file that somebody cut is not trusted, and is replaced by the whole one', async () => {
  const { folder, store, fox } = await room();
  const { file } = await store.adopt(fox, '.mp4');
  await chmod(file, 0o644);
  await truncate(file, 4);
  expect(store.file(FOX)).toBeUndefined();
  const again = join(folder, 'again.mp4');
  await writeFile(again, 'a red fox');
  await store.adopt(again, '.mp4');
  expect(await readFile(store.file(FOX) ?? '', 'utf8')).toBe('a red fox');
});

test('what cannot be read is told, and leaves nothing behind', async () => {
  const { folder, store } = await room();
  const nothing = join(folder, 'nothing.mp4');
  const message = `${nothing}: it is not there, or was taken away meanwhile; put it back, then run again`;
  await expect(store.include(nothing, '.mp4')).rejects.toThrow(message);
  expect(await readdir(store.partials)).toEqual([]);
});

test('a file is named by what it holds, whatever anybody says about it', async () => {
  const { store, fox } = await room();
  const { sha256, bytes } = await store.place(fox, '.mp4');
  expect([sha256, bytes]).toEqual([FOX, 9]);
});

test('what is written to while it is taken in gets the name of what is there in the end', async () => {
  const { folder, fox } = await room();
  // The program that made it still has it open, and changes it between our reading and our naming.
  const writer = await open(fox, 'r+');
  let looks = 0;
  const store = await LocalStore.open(join(folder, 'store'), {
    ...plainDisk,
    stat: (async (path: string) => {
      looks++;
      if (looks === 1) await writer.write('a blu fox', 0);
      return plainDisk.stat(path);
    }) as typeof plainDisk.stat,
  });
  const { sha256, file } = await store.adopt(fox, '.mp4');
  await writer.close();
  expect([sha256, await readFile(file, 'utf8')]).toEqual([sha('a blu fox'), 'a blu fox']);
  expect(store.file(FOX)).toBeUndefined();
});

test('what never stops being written to is left where it is, and said', async () => {
  const { folder, fox } = await room();
  const writer = await open(fox, 'r+');
  let looks = 0;
  const store = await LocalStore.open(join(folder, 'store'), {
    ...plainDisk,
    stat: (async (path: string) => {
      await writer.write(String(looks++ % 10), 0);
      return plainDisk.stat(path);
    }) as typeof plainDisk.stat,
  });
  await expect(store.adopt(fox, '.mp4')).rejects.toThrow(
    `${fox}: it is still being written to; let what writes it end first, then run again`,
  );
  await writer.close();
  expect([existsSync(fox), await readdir(store.partials)]).toEqual([true, []]);
  const shelves = (await readdir(store.folder)).filter(name => name !== 'partial');
  for (const shelf of shelves) expect(await readdir(join(store.folder, shelf))).toEqual([]);
});

// Their file was measured before either had its place, and comes there right after ours.
test.each(['rename', 'stat'] as const)(
  'two processes place the same bytes at once, theirs after our %s: neither takes them away',
  async moment => {
    const folder = await temporaryFolder();
    const file = (name: string) => {
      writeFileSync(join(folder, name), 'the same film');
      return join(folder, name);
    };
    const [mine, theirs] = [file('mine'), file('theirs')];
    utimesSync(theirs, 1_700_000_000, 1_700_000_000);
    let other: Promise<unknown> | undefined;
    const theirsCome = async (to: string) => {
      other ??= disk.rename(theirs, to);
      await other;
    };
    const takenAway: string[] = [];
    const rename: Disk['rename'] = async (from, to) => {
      if (String(from).endsWith('.mp4')) takenAway.push(String(from));
      await disk.rename(from, to);
      if (moment === 'rename' && String(to).endsWith('.mp4')) await theirsCome(String(to));
    };
    const stat = async (path: Parameters<Disk['stat']>[0]) => {
      const found = await disk.stat(path);
      if (moment === 'stat' && String(path).endsWith('.mp4')) await theirsCome(String(path));
      return found;
    };
    const store = await LocalStore.open(join(folder, 'store'), { ...disk, rename, stat: stat as Disk['stat'] });
    const placed = await store.place(mine, '.mp4');
    expect(other).toBeDefined();
    expect(takenAway).toEqual([]);
    expect(store.file(placed.sha256)).toBe(placed.file);
    expect(readFileSync(placed.file, 'utf8')).toBe('the same film');
  },
);

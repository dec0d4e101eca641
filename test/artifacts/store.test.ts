import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import { draftOf } from '../../src/artifacts/materialise.ts';
import { plainDisk } from '../../src/host/disk.ts';
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

test('what is adopted moves in under its content, read-only, and is found again by another process', async () => {
  const { folder, store, fox } = await room();
  const file = join(folder, 'store', FOX.slice(0, 2), `${FOX}-9.mp4`);
  expect(store.file(FOX)).toBeUndefined();
  expect(await store.adopt(fox, '.mp4')).toEqual({ sha256: FOX, bytes: 9, file });
  expect(existsSync(fox)).toBe(false);
  expect((await stat(file)).mode & 0o777).toBe(0o444);
  expect((await LocalStore.open(join(folder, 'store'))).file(FOX)).toBe(file);
  expect(await readdir(store.partials)).toEqual([]);
});

test('what is included stays where it was', async () => {
  const { store, fox } = await room();
  const { file } = await store.include(fox, '.mp4');
  expect([await readFile(fox, 'utf8'), await readFile(file, 'utf8')]).toEqual(['a red fox', 'a red fox']);
  await writeFile(fox, 'a blue fox');
  expect(await readFile(file, 'utf8')).toBe('a red fox');
  expect(await readdir(store.partials)).toEqual([]);
});

test('the same content is kept once', async () => {
  const { folder, store, fox } = await room();
  const first = await store.adopt(fox, '.mp4');
  const { ino } = await stat(first.file);
  const again = join(folder, 'again.mp4');
  await writeFile(again, 'a red fox');
  expect(await store.adopt(again, '.mp4')).toEqual(first);
  expect((await stat(first.file)).ino).toBe(ino);
  expect(existsSync(again)).toBe(false);
});

test('a link is read, not moved', async () => {
  const { folder, store, fox } = await room();
  const link = join(folder, 'link.mp4');
  await symlink(fox, link);
  await store.adopt(link, '.mp4');
  expect([existsSync(link), existsSync(fox), store.file(FOX) !== undefined]).toEqual([false, true, true]);
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

test('no name leads out of the store', async () => {
  const { store, fox } = await room();
  expect(store.file('../../etc/passwd')).toBeUndefined();
  const { file } = await store.adopt(fox, '/../../x');
  expect(file.endsWith(`${FOX}-9`)).toBe(true);
  expect(store.file(FOX)).toBe(file);
});

test('an output is a copy of its own, whole and writable, in folders made for it', async () => {
  const { folder, store, fox } = await room();
  const { file } = await store.adopt(fox, '.mp4');
  const target = join(folder, 'out/deep/fox.mp4');
  await store.materialise(FOX, target);
  expect(await readFile(target, 'utf8')).toBe('a red fox');
  expect((await stat(target)).mode & 0o777).toBe(0o644);
  expect((await stat(target)).ino).not.toBe((await stat(file)).ino);
  await writeFile(target, 'edited');
  expect(await readFile(file, 'utf8')).toBe('a red fox');
  expect(await readdir(join(folder, 'out/deep'))).toEqual(['fox.mp4']);
});

test('an output that is there already is not touched; one that differs is replaced', async () => {
  const { folder, store, fox } = await room();
  await store.adopt(fox, '.mp4');
  const target = join(folder, 'out/fox.mp4');
  await store.materialise(FOX, target);
  const { ino } = await stat(target);
  await store.materialise(FOX, target);
  expect((await stat(target)).ino).toBe(ino);
  // Somebody touched it without changing it: read, found the same, left alone.
  await utimes(target, 1, 1);
  await store.materialise(FOX, target);
  expect((await stat(target)).ino).toBe(ino);
  // Same length, another content.
  await writeFile(target, 'a dad fox');
  await store.materialise(FOX, target);
  expect(await readFile(target, 'utf8')).toBe('a red fox');
  // What a crash left of an earlier attempt is in nobody's way.
  await writeFile(target, 'x');
  await writeFile(draftOf(target), 'half of somethi');
  await store.materialise(FOX, target);
  expect(await readFile(target, 'utf8')).toBe('a red fox');
  expect(await readdir(join(folder, 'out'))).toEqual(['fox.mp4']);
});

test('an output that is a link is replaced, not written through', async () => {
  const { folder, store, fox } = await room();
  await store.adopt(fox, '.mp4');
  const elsewhere = join(folder, 'elsewhere');
  await writeFile(elsewhere, 'mine');
  await mkdir(join(folder, 'out'));
  await symlink(elsewhere, join(folder, 'out/fox.mp4'));
  await store.materialise(FOX, join(folder, 'out/fox.mp4'));
  expect([await readFile(elsewhere, 'utf8'), await readFile(join(folder, 'out/fox.mp4'), 'utf8')]).toEqual([
    'mine',
    'a red fox',
  ]);
});

test('what cannot be read is told, and leaves nothing behind', async () => {
  const { folder, store } = await room();
  const nothing = join(folder, 'nothing.mp4');
  const message = `${nothing}: it is not there, or was taken away meanwhile; put it back, then run again`;
  await expect(store.include(nothing, '.mp4')).rejects.toThrow(message);
  await expect(store.adopt(nothing, '.mp4')).rejects.toThrow(message);
  expect(await readdir(store.partials)).toEqual([]);
});

test('an output whose content is gone is an error that says what to do', async () => {
  const { folder, store } = await room();
  await expect(store.materialise(FOX, join(folder, 'out/fox.mp4'))).rejects.toThrow(
    `the store has no ${FOX}; run again to fetch it`,
  );
  expect(existsSync(join(folder, 'out'))).toBe(false);
});

test('an output that cannot take its place leaves nothing behind, and a pipe is not replaced', async () => {
  const { folder, store, fox } = await room();
  await store.adopt(fox, '.mp4');
  await mkdir(join(folder, 'out/fox.mp4/mine'), { recursive: true });
  await expect(store.materialise(FOX, join(folder, 'out/fox.mp4'))).rejects.toThrow('EISDIR');
  expect(await readdir(join(folder, 'out'))).toEqual(['fox.mp4']);
  expect(spawnSync('mkfifo', [join(folder, 'out/pipe')]).status).toBe(0);
  await expect(store.materialise(FOX, join(folder, 'out/pipe'))).rejects.toThrow(
    'is a pipe or a device, and no place for a file: choose another name',
  );
  expect((await stat(join(folder, 'out/pipe'))).isFIFO()).toBe(true);
});

test('an output may have the longest name that a disk takes, and what is called `.part` beside it is not ours', async () => {
  const { folder, store, fox } = await room();
  await store.adopt(fox, '.mp4');
  const name = `${'x'.repeat(251)}.mp4`;
  await store.materialise(FOX, join(folder, 'out', name));
  await writeFile(join(folder, 'out/fox.mp4.part'), 'a download of somebody');
  await store.materialise(FOX, join(folder, 'out/fox.mp4'));
  expect((await readdir(join(folder, 'out'))).sort()).toEqual(['fox.mp4', 'fox.mp4.part', name]);
});

test('many at once, the same and different, all end in the store', async () => {
  const { folder, store } = await room();
  const texts = Array.from({ length: 40 }, (_, n) => `film ${n % 10}`);
  await Promise.all(
    texts.map(async (text, n) => {
      const path = join(folder, `film-${n}`);
      await writeFile(path, text);
      await store.adopt(path, '.mp4');
    }),
  );
  for (const text of texts) expect(await readFile(store.file(sha(text)) ?? '', 'utf8')).toBe(text);
});

test('a file is named by what it holds, whatever anybody says about it', async () => {
  const { store, fox } = await room();
  const { sha256, bytes } = await store.place(fox, '.mp4');
  expect([sha256, bytes]).toEqual([FOX, 9]);
});

test('what is written to while it is taken in gets the name of what is there in the end', async () => {
  const { folder, fox } = await room();
  // Whoever made it still has it open, and changes it between our reading and our naming.
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

test('a file that has a second name elsewhere is copied: whoever edits that one edits his own', async () => {
  const { folder, store, fox } = await room();
  const other = join(folder, 'other.mp4');
  await link(fox, other);
  const { file } = await store.adopt(fox, '.mp4');
  await writeFile(other, 'a blue fox');
  expect([existsSync(fox), await readFile(file, 'utf8')]).toEqual([false, 'a red fox']);
});

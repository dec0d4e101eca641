/** Rules that hold for every store, wherever it keeps the bytes. One story each; `store.test.ts` runs them against each kind of store. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import { draftOf } from '../../src/records/store/materialise.ts';
import type { Store } from '../../src/records/store/store.ts';

export interface StoreFixture {
  /** A folder of this machine for the case's own files, on the device of the store. */
  readonly folder: string;
  /** The store, as a process opens it that was not there before: each call is one more process. */
  open(): Promise<Store>;
  /** From here on nothing that is on another machine can be reached. */
  cutOff(): Promise<void>;
}

type Case = (fixture: StoreFixture) => Promise<void>;

export const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const FOX = sha('a red fox');

/** A store and a file beside it that says "a red fox". */
async function room(fixture: StoreFixture) {
  const fox = join(fixture.folder, 'fox.mp4');
  await writeFile(fox, 'a red fox');
  return { ...fixture, store: await fixture.open(), fox };
}

const textOf = async (store: Store, sha256: string) => readFile(await store.pathOf(sha256), 'utf8');

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

const INDEX_CASES: Readonly<Record<string, Case>> = {
  'content is owned once it was adopted, and another process finds it': async fixture => {
    const { store, fox, open } = await room(fixture);
    expect([store.has(FOX), store.file(FOX)]).toEqual([false, undefined]);
    expect(await store.adopt(fox, '.mp4')).toEqual({ sha256: FOX, bytes: 9, file: store.file(FOX) });
    for (const each of [store, await open()]) {
      expect([each.has(FOX), each.file(FOX)]).toEqual([true, await each.pathOf(FOX)]);
      expect(await textOf(each, FOX)).toBe('a red fox');
    }
  },
  'the index answers while all other machines are out of reach': async fixture => {
    const { store, fox, cutOff } = await room(fixture);
    await store.adopt(fox, '.mp4');
    await cutOff();
    expect([store.has(FOX), store.has(sha('a blue fox'))]).toEqual([true, false]);
    expect(store.file(FOX)).toBeTypeOf('string');
  },
  'what is no digest is not owned, and no name leads out of the store': async fixture => {
    const { store, fox } = await room(fixture);
    for (const name of ['', '../../etc/passwd', FOX.toUpperCase(), `${FOX}-9`]) expect(store.has(name)).toBe(false);
    const { file } = await store.adopt(fox, '/../../x');
    expect([file.endsWith(`${FOX}-9`), store.file(FOX)]).toEqual([true, file]);
  },
};

const BYTES_CASES: Readonly<Record<string, Case>> = {
  'an adopted file is moved, and nothing is left where files wait': async fixture => {
    const { store, fox } = await room(fixture);
    await store.adopt(fox, '.mp4');
    expect([existsSync(fox), await readdir(store.partials)]).toEqual([false, []]);
  },
  'the same content is kept once': async fixture => {
    const { store, folder, fox } = await room(fixture);
    const first = await store.adopt(fox, '.mp4');
    const { ino } = await stat(await store.pathOf(FOX));
    const again = join(folder, 'again.mp4');
    await writeFile(again, 'a red fox');
    expect(await store.adopt(again, '.mp4')).toEqual(first);
    expect([(await stat(await store.pathOf(FOX))).ino === ino, existsSync(again)]).toEqual([true, false]);
  },
  'a link is read, not moved': async fixture => {
    const { store, folder, fox } = await room(fixture);
    const shortcut = join(folder, 'link.mp4');
    await symlink(fox, shortcut);
    await store.adopt(shortcut, '.mp4');
    expect([existsSync(shortcut), existsSync(fox), store.has(FOX)]).toEqual([false, true, true]);
  },
  'whoever edits a file by its second name does not edit the stored one': async fixture => {
    const { store, folder, fox } = await room(fixture);
    const other = join(folder, 'other.mp4');
    await link(fox, other);
    await store.adopt(fox, '.mp4');
    await writeFile(other, 'a blue fox');
    expect([existsSync(fox), await textOf(store, FOX)]).toEqual([false, 'a red fox']);
  },
  'a file that is not there cannot be adopted, and that leaves nothing behind': async fixture => {
    const { store, folder } = await room(fixture);
    const nothing = join(folder, 'nothing.mp4');
    const error = await store.adopt(nothing, '.mp4').catch(error => error);
    expect(error).toBeInstanceOf(DiskError);
    expect(error.message).toBe(`${nothing}: it is not there, or was taken away meanwhile; put it back, then run again`);
    expect(await readdir(store.partials)).toEqual([]);
  },
  'a stream is taken in': async fixture => {
    const { store, open } = await room(fixture);
    const stored = await store.put(pieces('a red', ' ', 'fox'), '.txt');
    expect(stored).toEqual({ sha256: FOX, bytes: 9, file: await store.pathOf(FOX) });
    expect(await store.put([Buffer.from('a red fox')], '.txt')).toEqual(stored);
    expect(await textOf(await open(), FOX)).toBe('a red fox');
    expect((await store.put([], '')).sha256).toBe(sha(''));
    expect(await readdir(store.partials)).toEqual([]);
  },
  'nothing of a stream that breaks is taken in': async fixture => {
    const { store } = await room(fixture);
    async function* broken() {
      yield Buffer.from('a red');
      throw new Error('the line was cut');
    }
    await expect(store.put(broken(), '.txt')).rejects.toThrow('the line was cut');
    expect([store.has(sha('a red')), await readdir(store.partials)]).toEqual([false, []]);
  },
  'many at once, the same and different, all end in the store': async fixture => {
    const { store, folder } = await room(fixture);
    const texts = Array.from({ length: 40 }, (_, n) => `film ${n % 10}`);
    await Promise.all(
      texts.map(async (text, n) => {
        if (n % 4 === 0) return store.put(pieces(text), '.mp4');
        const path = join(folder, `film-${n}`);
        await writeFile(path, text);
        return store.adopt(path, '.mp4');
      }),
    );
    for (const text of texts) expect(await textOf(store, sha(text))).toBe(text);
  },
  'content that is not owned has no path, and is put nowhere': async fixture => {
    const { store, folder } = await room(fixture);
    const missing = `the store has no ${FOX}; run again to fetch it`;
    await expect(store.pathOf(FOX)).rejects.toThrow(missing);
    await expect(store.materialise(FOX, join(folder, 'out/fox.mp4'))).rejects.toThrow(missing);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  },
};

const MATERIALISE_CASES: Readonly<Record<string, Case>> = {
  'an output is a copy of its own, whole and writable, in folders made for it': async fixture => {
    const { folder, store, fox } = await room(fixture);
    await store.adopt(fox, '.mp4');
    const target = join(folder, 'out/deep/fox.mp4');
    await store.materialise(FOX, target);
    expect(await readFile(target, 'utf8')).toBe('a red fox');
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    expect((await stat(target)).ino).not.toBe((await stat(await store.pathOf(FOX))).ino);
    await writeFile(target, 'edited');
    expect(await textOf(store, FOX)).toBe('a red fox');
    expect(await readdir(join(folder, 'out/deep'))).toEqual(['fox.mp4']);
  },
  'an output that is there already is not touched; one that differs is replaced': async fixture => {
    const { folder, store, fox } = await room(fixture);
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
    await utimes(target, 2, 2);
    await store.materialise(FOX, target);
    expect(await readFile(target, 'utf8')).toBe('a red fox');
    // The rest of an earlier attempt that crashed is in nobody's way.
    await writeFile(target, 'x');
    await writeFile(draftOf(target), 'half of somethi');
    await store.materialise(FOX, target);
    expect(await readFile(target, 'utf8')).toBe('a red fox');
    expect(await readdir(join(folder, 'out'))).toEqual(['fox.mp4']);
  },
  'an output that is a link is replaced, not written through': async fixture => {
    const { folder, store, fox } = await room(fixture);
    await store.adopt(fox, '.mp4');
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'mine');
    await mkdir(join(folder, 'out'));
    const target = join(folder, 'out/fox.mp4');
    await symlink(elsewhere, target);
    await store.materialise(FOX, target);
    expect([await readFile(elsewhere, 'utf8'), await readFile(target, 'utf8')]).toEqual(['mine', 'a red fox']);
  },
  'an output that cannot take its place leaves nothing behind, and a pipe is not replaced': async fixture => {
    const { folder, store, fox } = await room(fixture);
    await store.adopt(fox, '.mp4');
    await mkdir(join(folder, 'out/fox.mp4/mine'), { recursive: true });
    await expect(store.materialise(FOX, join(folder, 'out/fox.mp4'))).rejects.toThrow('EISDIR');
    expect(await readdir(join(folder, 'out'))).toEqual(['fox.mp4']);
    expect(spawnSync('mkfifo', [join(folder, 'out/pipe')]).status).toBe(0);
    await expect(store.materialise(FOX, join(folder, 'out/pipe'))).rejects.toThrow(
      'is a pipe or a device, and no place for a file: choose another name',
    );
    expect((await stat(join(folder, 'out/pipe'))).isFIFO()).toBe(true);
  },
  'an output may have the longest name that a disk takes, and what is called `.part` beside it is not ours':
    async fixture => {
      const { folder, store, fox } = await room(fixture);
      await store.adopt(fox, '.mp4');
      const name = `${'x'.repeat(251)}.mp4`;
      await store.materialise(FOX, join(folder, 'out', name));
      await writeFile(join(folder, 'out/fox.mp4.part'), 'a download of somebody');
      await store.materialise(FOX, join(folder, 'out/fox.mp4'));
      expect((await readdir(join(folder, 'out'))).sort()).toEqual(['fox.mp4', 'fox.mp4.part', name]);
    },
};

export const STORE_CASES: Readonly<Record<string, Case>> = { ...INDEX_CASES, ...BYTES_CASES, ...MATERIALISE_CASES };

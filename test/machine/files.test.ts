import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUp, readIfThere, rewriteAtomically, writeAtomically } from '../../src/machine/files/files.ts';
import { findProject, isInside } from '../../src/machine/files/project.ts';
import { temporaryFolder } from '../support/temp.ts';

test('a file is written whole, into folders that need not be there, and leaves no draft', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'cuts/fox.lock.yaml');
  await writeAtomically(path, 'one');
  await Promise.all([writeAtomically(path, 'two'), writeAtomically(path, 'two')]);
  expect(await readIfThere(path)).toBe('two');
  expect(await readdir(join(folder, 'cuts'))).toEqual(['fox.lock.yaml']);
});

test('a file that cannot be put in its place leaves the old one and no draft', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'fox.lock.yaml/notes'), { recursive: true });
  await expect(writeAtomically(join(folder, 'fox.lock.yaml'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(await readdir(folder)).toEqual(['fox.lock.yaml']);
});

test('a file may have the longest name that a disk takes', async () => {
  const folder = await temporaryFolder();
  const name = `${'x'.repeat(245)}.lock.yaml`;
  await writeAtomically(join(folder, name), 'new');
  expect(await readdir(folder)).toEqual([name]);
});

test('what was changed since it was read is not written over', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'fox.lock.yaml');
  expect(await rewriteAtomically(path, 'one', 'something')).toBe(false);
  expect(await rewriteAtomically(path, 'one', null)).toBe(true);
  expect(await rewriteAtomically(path, 'two', null)).toBe(false);
  expect(await rewriteAtomically(path, 'two', 'one')).toBe(true);
  expect([await readIfThere(path), await readdir(folder)]).toEqual(['two', ['fox.lock.yaml']]);
});

test('what is not there reads as null; what cannot be read is an error', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), 'text');
  expect(await readIfThere(join(folder, 'none'))).toBe(null);
  expect(await readIfThere(join(folder, 'file/inside'))).toBe(null);
  await expect(readIfThere(folder)).rejects.toThrow('is a folder');
});

test('the nearest folder above wins', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'a/b/c'), { recursive: true });
  await writeFile(join(folder, 'flag'), '');
  await writeFile(join(folder, 'a/b/other'), '');
  expect(await findUp(join(folder, 'a/b/c'), ['flag'])).toBe(folder);
  expect(await findUp(join(folder, 'a/b/c'), ['flag', 'other'])).toBe(join(folder, 'a/b'));
  expect(await findUp(join(folder, 'a/b/c'), ['no such flag'])).toBe(null);
});

test.each(['shotlist.config.yaml', '.shotlist', '.git'])('%s marks the root of a project', async mark => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'film/pipelines'), { recursive: true });
  await mkdir(join(folder, 'film', mark));
  const expected = {
    root: join(folder, 'film'),
    pipelineFile: join(folder, 'film/pipelines/fox.yaml'),
    settingsFile: join(folder, 'film/shotlist.config.yaml'),
    stateFolder: join(folder, 'film/.shotlist'),
  };
  expect(await findProject('pipelines/fox.yaml', join(folder, 'film'))).toEqual(expected);
  expect(await findProject('fox.yaml', join(folder, 'film/pipelines'))).toEqual(expected);
  expect(await findProject('film/pipelines/fox.yaml', folder)).toEqual(expected);
});

test('without a mark the root is where one stands, when the file is below, else where the file is', async () => {
  const folder = await temporaryFolder();
  expect((await findProject('deep/er/fox.yaml', folder)).root).toBe(folder);
  expect((await findProject('fox.yaml', folder)).root).toBe(folder);
  expect((await findProject(join(folder, 'film/fox.yaml'), join(folder, 'elsewhere'))).root).toBe(join(folder, 'film'));
});

test('inside means strictly below', () => {
  const inside = ['/a/b', '/a/b/c', '/a/..b'].map(path => isInside(path, '/a'));
  const outside = ['/a', '/', '/ab', '/a/../b'].map(path => isInside(path, '/a'));
  expect([inside, outside]).toEqual([
    [true, true, true],
    [false, false, false, false],
  ]);
});

test('two writers at once leave one whole text', async () => {
  const path = join(await temporaryFolder(), 'lock.yaml');
  const texts = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(100_000));
  await Promise.all(texts.map(text => writeAtomically(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
});

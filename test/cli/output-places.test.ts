import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { takenPlaces } from '../../src/app/results/output-places.ts';
import type { Store } from '../../src/records/store/store.ts';
import { planOf } from '../plan/support.ts';
import { temporaryFolder } from '../support/temp.ts';

const FILM = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox }, save: out/fox.mp4 }
`;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const storeOf = (...owned: readonly string[]) =>
  ({
    has: (digest: string) => owned.includes(digest),
    wrote: (digest: string) => digest === '',
  }) as Partial<Store> as Store;

async function room(store: Store | undefined, inputs: readonly string[] = []) {
  const root = await temporaryFolder();
  const asked: string[] = [];
  const look = async () => {
    const found = await takenPlaces(planOf(FILM), {
      root,
      inputs: inputs.map(path => join(root, path)),
      store: async () => {
        asked.push('store');
        return store;
      },
    });
    return found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  };
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  return { root, look, write, asked };
}

test('a place that is free, or holds what a run made, is nobody’s business; the store is asked only where a file is', async () => {
  const { look, write, asked } = await room(storeOf(sha('an earlier fox')));
  expect(await look()).toEqual([]);
  expect(asked).toEqual([]);
  await write('out/fox.mp4', '');
  expect(await look()).toEqual([]);
  await write('out/fox.mp4', 'an earlier fox');
  expect(await look()).toEqual([]);
  expect(asked).toEqual(['store']);
});

test('a file that no run wrote is told before anything is paid for, and an input is not written over', async () => {
  const taken = [
    'warning output-taken: "out/fox.mp4" is there already, and no run of this project wrote it; move it away, or choose another path (it would be kept beside the new one)',
  ];
  for (const store of [storeOf(), undefined]) {
    const { look, write } = await room(store);
    await write('out/fox.mp4', 'somebody’s fox');
    expect(await look()).toEqual(taken);
  }
  const { look, write } = await room(storeOf(), ['out/Fox.mp4']);
  await write('out/fox.mp4', 'the input');
  expect(await look()).toEqual([
    'error output-over-input: "out/fox.mp4" is an input of this film, and would be written over; choose another path, like `out/fox-made.mp4`',
  ]);
});

test.skipIf(process.platform === 'win32')('what cannot be looked at is told by the run that writes there', async () => {
  const { root, look, write } = await room(storeOf());
  await write('out', 'a file where a folder should be');
  expect(await look()).toEqual([]);
  const other = await room(storeOf());
  await mkdir(join(other.root, 'out'));
  await symlink('fox.mp4', join(other.root, 'out/fox.mp4'));
  expect(await other.look()).toEqual([]);
  expect(root).not.toBe(other.root);
});

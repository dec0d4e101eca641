import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openSpillFile } from '../../src/machine/files/spill-file.ts';
import { temporaryFolder } from '../support/temp.ts';

test('bytes come back in their order, and nothing is left in the folder, not even while it is open', async () => {
  const folder = await temporaryFolder();
  const file = openSpillFile(folder);
  expect(await readdir(folder)).toEqual([]);
  file.append(Buffer.from('one two'));
  expect(Buffer.from(file.take(4)).toString()).toBe('one ');
  file.append(Buffer.from(' three'));
  expect(Buffer.from(file.take(100)).toString()).toBe('two three');
  expect(file.take(100).length).toBe(0);
  file.append(Buffer.from('again'));
  expect(Buffer.from(file.take(100)).toString()).toBe('again');
  file.close();
});

/** Where the state of a project goes: a disk that does not let it is told in words. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateFolders } from '../../src/app/state-folders.ts';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import { temporaryFolder } from '../support/temp.ts';

const at = (root: string, stateFolder: string) => ({
  ...{ root, stateFolder, pipelineFile: join(root, 'film.yaml'), settingsFile: join(root, 'shotlist.config.yaml') },
});

test('folders above it that are not there are made', async () => {
  const root = await temporaryFolder();
  expect((await stateFolders(at(root, join(root, 'a', 'b', '.shotlist')))).store).toBe(
    join(root, 'a/b/.shotlist/store'),
  );
});

test('what cannot be made is told as a disk that says no', async () => {
  const root = await temporaryFolder();
  await symlink(join(root, 'unmounted', 'state'), join(root, 'state'));
  const refused = stateFolders(at(root, join(root, 'state', '.shotlist')));
  await expect(refused).rejects.toThrow(DiskError);
  await expect(refused).rejects.toThrow(
    /state: a folder is needed .*, and something else is in its place; move that away, then run again/,
  );
});

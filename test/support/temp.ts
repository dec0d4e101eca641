import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder of the test's own, gone when the test is. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.splice(0).map(folder => rm(folder, { recursive: true, force: true }))));

/** A folder of the test file's own, gone when the file is through. */
export async function workFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-'));
  folders.push(folder);
  return folder;
}

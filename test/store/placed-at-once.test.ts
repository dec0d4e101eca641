/** Two processes of one project that bring home the same bytes at the same moment. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Disk, systemDisk as disk } from '../../src/machine/files/disk.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-at-once-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Their file was measured before either had its place, and comes there right after ours.
test.each(['rename', 'stat'] as const)('after our %s: neither takes them away', async moment => {
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
});

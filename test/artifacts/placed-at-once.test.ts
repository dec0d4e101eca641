/** Two processes of one project that bring home the same bytes at the same moment. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import { type Disk, systemDisk as disk } from '../../src/host/disk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-at-once-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('each finds them in their place, and neither takes them away', async () => {
  const file = (name: string) => {
    writeFileSync(join(folder, name), 'the same film');
    return join(folder, name);
  };
  const [mine, theirs] = [file('mine'), file('theirs')];
  utimesSync(theirs, 1_700_000_000, 1_700_000_000);
  let other: Promise<unknown> | undefined;
  const takenAway: string[] = [];
  const rename: Disk['rename'] = async (from, to) => {
    if (String(from).endsWith('.mp4')) takenAway.push(String(from));
    // Their file was measured before either had its place, and comes there right after ours.
    await disk.rename(from, to);
    if (other !== undefined || !String(to).endsWith('.mp4')) return;
    other = disk.rename(theirs, to);
    await other;
  };
  const store = await LocalStore.open(join(folder, 'store'), { ...disk, rename });
  const placed = await store.place(mine, '.mp4');
  expect(other).toBeDefined();
  expect(takenAway).toEqual([]);
  expect(store.file(placed.sha256)).toBe(placed.file);
  expect(readFileSync(placed.file, 'utf8')).toBe('the same film');
});

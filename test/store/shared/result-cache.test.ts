/** What a worker keeps of a team's results is bounded: the oldest goes, what is being read stays, and what the team has not got is never lost. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Disk, systemDisk } from '../../../src/machine/files/disk.ts';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { LocalStore } from '../../../src/records/store/local-store.ts';
import { ResultCache } from '../../../src/records/store/shared/result-cache.ts';
import { SharedResults } from '../../../src/records/store/shared/shared-results.ts';
import { SharedStore } from '../../../src/records/store/shared/shared-store.ts';
import type { Store } from '../../../src/records/store/store.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { BUCKET_TEAM, FOLDER_TEAM, type Team } from './teams.ts';

const KILOBYTE = 1_000;
const NEVER = new AbortController().signal;

interface Worker {
  readonly cache: ResultCache;
  readonly store: Store;
  readonly shared: SharedResults;
  readonly local: LocalStore;
}

/** One more worker over the same folder, or over one of its own. */
async function worker(team: Team, { folder, most = 10 * KILOBYTE, disk = systemDisk }: Given): Promise<Worker> {
  const place = team.place();
  const kept = async (digests: readonly string[]) => {
    const there = new Set<string>();
    for (const sha256 of digests) {
      const looked = await place.look(sha256, NEVER);
      if (looked.is === 'fault') throw new Error(looked.message);
      if (looked.is === 'there') there.add(sha256);
    }
    return there;
  };
  const cache = new ResultCache({ folder, most, kept, clock: systemClock, newId: randomUUID });
  const local = await LocalStore.open(join(folder, 'foxes', 'store'), disk);
  const bounded = cache.over(local);
  const shared = new SharedResults({ place, store: bounded, clock: systemClock, write: true });
  onTestFinished(() => shared.end({ wait: 'for nothing' }).then(() => {}));
  return { cache, store: new SharedStore(bounded, shared), shared, local };
}

interface Given {
  readonly folder: string;
  readonly most?: number;
  readonly disk?: Disk;
}

/** A kilobyte of its own each, used a minute after the one before; of a worker before this one, which had room for all. */
async function films(names: string, team: Team, folder: string, sent = true): Promise<readonly string[]> {
  const { store, shared } = await worker(team, { folder, most: 1e9 });
  const digests: string[] = [];
  for (const [n, name] of [...names].entries()) {
    const { sha256, file } = await store.put([Buffer.from(name.repeat(KILOBYTE))], '.mp4');
    const at = Date.now() / 1000 - 3_600 + n * 60;
    utimesSync(file, at, at);
    if (sent) expect(await shared.sent({ sha256, extension: '.mp4' }, NEVER)).toBe(true);
    utimesSync(file, at, at);
    digests.push(sha256);
  }
  return digests;
}

const held = ({ local }: Worker, digests: readonly string[]) =>
  digests.map(one => (local.has(one) ? 'x' : '.')).join('');

for (const [kind, opened] of [
  ['a folder', FOLDER_TEAM],
  ['a bucket', BUCKET_TEAM],
] as const)
  test(`before ${kind}: what was used longest ago goes first, and comes again when it is needed`, async () => {
    const team = await opened();
    const folder = await temporaryFolder();
    const digests = await films('abcdefghijkl', team, folder);
    const one = await worker(team, { folder });
    await one.store.pathOf(digests[0] ?? '');
    await one.cache.tidy();
    // Nine tenths are left, so that the next result is no reason to look again.
    expect(held(one, digests)).toBe('x...xxxxxxxx');
    expect(await readFile(await one.store.pathOf(digests[1] ?? ''), 'utf8')).toBe('b'.repeat(KILOBYTE));
  });

test('what is being read stays, however much it is, and goes when nobody reads it any more', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const digests = await films('abcd', team, folder);
  const one = await worker(team, { folder, most: 2 * KILOBYTE });
  const work = one.cache.atWork();
  const paths = await Promise.all(digests.map(sha256 => one.store.pathOf(sha256)));
  await one.cache.tidy();
  expect(paths.map(path => existsSync(path))).toEqual([true, true, true, true]);
  work[Symbol.dispose]();
  await one.cache.tidy();
  expect(paths.filter(path => existsSync(path))).toHaveLength(1);
});

test('what another worker of this machine reads stays as well, until that one is gone', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const digests = await films('abcd', team, folder);
  const one = await worker(team, { folder, most: 2 * KILOBYTE });
  const other = await worker(team, { folder, most: 2 * KILOBYTE });
  const work = other.cache.atWork();
  await other.store.pathOf(digests[0] ?? '');
  await one.cache.tidy();
  expect(held(one, digests)).toBe('x...');
  work[Symbol.dispose]();
  // A worker that was killed has left its sign; nobody waits for it for ever.
  const killed = await worker(team, { folder });
  killed.cache.atWork();
  await killed.store.pathOf(digests[3] ?? '');
  const signs = join(folder, '.at-work');
  for (const name of readdirSync(signs)) utimesSync(join(signs, name), 0, 0);
  const third = await worker(team, { folder, most: 1 });
  await third.cache.tidy();
  expect(held(one, digests)).toBe('....');
});

test('a sign of another worker is never seen half written, and nothing goes while one cannot be read', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const digests = await films('abcd', team, folder);
  const one = await worker(team, { folder, most: 2 * KILOBYTE });
  const other = await worker(team, { folder });
  using _work = other.cache.atWork();
  const signs = join(folder, '.at-work');
  const [name = ''] = readdirSync(signs);
  // Whoever has begun to read it when it is written anew reads the one before to its end.
  const reading = await open(join(signs, name));
  using _more = other.cache.atWork();
  expect(Number(await reading.readFile('utf8'))).toBeGreaterThan(0);
  expect((await stat(join(signs, name))).ino).not.toBe((await reading.stat()).ino);
  await reading.close();
  expect(readdirSync(signs)).toEqual([name]);
  await writeFile(join(signs, name), '');
  await one.cache.tidy();
  expect(held(one, digests)).toBe('xxxx');
  await rm(join(signs, name));
  await mkdir(join(signs, name));
  await one.cache.tidy();
  expect(held(one, digests)).toBe('xxxx');
});

test('what the team has not got stays, and nothing goes while it cannot be asked', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const one = await worker(team, { folder, most: KILOBYTE });
  const mine = await films('abc', team, folder, false);
  await one.cache.tidy();
  expect(held(one, mine)).toBe('xxx');
  const theirs = await films('def', team, folder);
  await team.cutOff();
  await expect(one.cache.tidy()).rejects.toThrow(/not there/);
  expect(held(one, [...mine, ...theirs])).toBe('xxxxxx');
});

test('a file that the disk has cut or changed is downloaded again, and never used', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const [cut = '', changed = ''] = await films('ab', team, folder);
  // As a worker finds them that starts a day later.
  const later = await worker(team, { folder });
  for (const [sha256, bytes] of [
    [cut, 'a'.repeat(10)],
    [changed, 'x'.repeat(KILOBYTE)],
  ] as const) {
    const path = later.local.file(sha256) ?? '';
    await chmod(path, 0o644);
    await writeFile(path, bytes);
  }
  expect(await readFile(await later.store.pathOf(cut), 'utf8')).toBe('a'.repeat(KILOBYTE));
  expect(await readFile(await later.store.pathOf(changed), 'utf8')).toBe('b'.repeat(KILOBYTE));
  const copy = join(await temporaryFolder(), 'copy.mp4');
  await later.store.materialise(changed, copy);
  expect(await readFile(copy, 'utf8')).toBe('b'.repeat(KILOBYTE));
});

test('a changed file that the team has not got any more is told as missing, and is not handed out', async () => {
  const folder = await temporaryFolder();
  const [sha256 = ''] = await films('a', await FOLDER_TEAM(), folder);
  const later = await worker(await FOLDER_TEAM(), { folder });
  const path = later.local.file(sha256) ?? '';
  await chmod(path, 0o644);
  await writeFile(path, 'x'.repeat(KILOBYTE));
  await expect(later.store.pathOf(sha256)).rejects.toThrow(sha256);
  expect(existsSync(path)).toBe(false);
});

test('a full disk is no reason to fail while there is something that may go', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const [needed = ''] = await films('z', team, await temporaryFolder());
  await films('abcd', team, folder);
  // Room for four kilobytes, and none for a fifth.
  const full: Disk = {
    ...systemDisk,
    open: async (path, flags, mode) => {
      const stored = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.mp4'));
      if (flags === 'wx' && stored.length >= 4)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
      return systemDisk.open(path, flags, mode);
    },
  };
  const one = await worker(team, { folder, disk: full });
  expect(await one.shared.download(needed, NEVER)).toEqual({ is: 'ok' });
  expect(await readFile(await one.store.pathOf(needed), 'utf8')).toBe('z'.repeat(KILOBYTE));
});

test('what was given up counts as there for whoever is to send it', async () => {
  const team = await FOLDER_TEAM();
  const folder = await temporaryFolder();
  const [sha256 = ''] = await films('a', team, folder);
  const one = await worker(team, { folder, most: 1 });
  await one.cache.tidy();
  expect(one.local.has(sha256)).toBe(false);
  const anew = new SharedResults({ place: team.place(), store: one.local, clock: systemClock, write: true });
  expect(await anew.sent({ sha256, extension: '.mp4' }, NEVER)).toBe(true);
  await anew.end({ wait: 'for nothing' });
});

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/machine/time/clock.ts';
import type { GenerationId, InstanceKey } from '../../src/model/run/key.ts';
import type { MediaResult } from '../../src/model/run/result.ts';
import { digestOf } from '../../src/records/lock/lock-file.ts';
import { type LockDisk, LockKeeper, lockOnDisk } from '../../src/records/lock/lock-keeper.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';
import { type Locked, lockWith } from './locked.ts';

const result = (id: string): MediaResult => ({
  is: 'media',
  result_url: `https://house.test/${id}.mp4`,
  sha256: 'ab'.repeat(32),
  extension: '',
  bytes: 1234,
  generation_id: id as GenerationId,
  request: {},
  cost: 0.5,
  media: { kind: 'video', format: 'mp4' },
});
const key = (name: string) => name as InstanceKey;

/** A lock file in memory, which others may write to while nobody looks. */
class FakeDisk implements LockDisk {
  text: string | null = null;
  aside: string | undefined;
  writes = 0;
  /** What the next reads and writes meet. */
  readonly trouble: string[] = [];
  /** What another process does between our reading and our writing. */
  readonly meanwhile: (() => void)[] = [];

  async read() {
    return this.text;
  }
  async write(text: string, over: string | null) {
    this.#refuse();
    this.meanwhile.shift()?.();
    if (this.text !== over) return false;
    this.text = text;
    this.writes += 1;
    return true;
  }
  async writeAside(text: string) {
    this.#refuse();
    this.aside = text;
    return 'fox.lock.new.yaml';
  }
  #refuse() {
    const code = this.trouble.shift();
    if (code !== undefined) throw Object.assign(new Error(`${code}: refused`), { code });
  }
}

const keeperOf = (given: Partial<ConstructorParameters<typeof LockKeeper>[0]>): LockKeeper =>
  new LockKeeper({
    ...{ disk: new FakeDisk(), clock: new FakeClock(), service: 'house', path: 'fox.lock.yaml', found: undefined },
    ...{ isOurs: false, written: () => {}, stale: () => {}, ...given },
  });

function room(found?: string, isOurs = false) {
  const disk = new FakeDisk();
  disk.text = found ?? null;
  const clock = new FakeClock();
  const notes: string[] = [];
  const open = (text: string | undefined, ours: boolean, service = 'house') =>
    keeperOf({
      ...{ disk, clock, service, found: text, isOurs: ours, stale: () => notes.push('stale') },
      written: digest => notes.push(digest === digestOf(disk.text ?? '') ? 'written' : 'a digest of something else'),
    });
  return { disk, clock, notes, open, keeper: open(found, isOurs) };
}

/** `service/key: generation` of every entry. */
function entries(text: string | null | undefined): readonly string[] {
  const told: string[] = [];
  let service = '';
  let name = '';
  for (const line of (text ?? '').split('\n')) {
    service = /^ {2}(\S+):/.exec(line)?.[1] ?? service;
    name = /^ {4}(\S+):$/.exec(line)?.[1] ?? name;
    const generation = /^ {6}generation: (\S+)/.exec(line)?.[1];
    if (generation) told.push(`${service}/${name}: ${generation}`);
  }
  return told;
}

const locked = (name: string, id = `g-${name}`, fingerprint = `f-${name}`): Locked => ({
  ...{ key: name, model: 'M', fingerprint },
  result: result(id),
});
const lockOf = (names: readonly string[], service = 'house', before?: string): string =>
  lockWith(
    names.map(name => locked(name)),
    before,
    service,
  );
const learn = (keeper: LockKeeper, name: string, id = `g-${name}`, fingerprint = `f-${name}`) =>
  keeper.learn(key(name), 'M', fingerprint, result(id));
const reuse = (keeper: LockKeeper, name: string) => keeper.reuse(key(name), 'M', `f-${name}`, result(`g-${name}`));

test('a run that is killed has left in the lock what it made up to ten seconds before', async () => {
  const { disk, clock, keeper } = room();
  learn(keeper, 'shot');
  await clock.advance(9_999);
  expect(disk.text).toBeNull();
  await clock.advance(1);
  expect(entries(disk.text)).toEqual(['house/shot: g-shot']);
  // And no more than that for the next: then it is quiet.
  learn(keeper, 'cut');
  learn(keeper, 'song');
  await clock.advance(9_999);
  expect(disk.writes).toBe(1);
  await clock.advance(1);
  expect([disk.writes, entries(disk.text)]).toEqual([
    2,
    ['house/cut: g-cut', 'house/shot: g-shot', 'house/song: g-song'],
  ]);
  await clock.advance(60_000);
  expect([disk.writes, clock.sleeping]).toEqual([2, []]);
});

test('at its end it writes what is missing, once, and waits for nothing', async () => {
  const { disk, clock, keeper } = room();
  learn(keeper, 'shot');
  await Promise.all([keeper.close(), keeper.close()]);
  expect([disk.writes, entries(disk.text), clock.sleeping]).toEqual([1, ['house/shot: g-shot'], []]);
  expect(keeper.problem()).toBeUndefined();
});

test('where there is nothing to keep, no empty file is left in git, and a lock that has it all is not touched', async () => {
  const empty = room();
  await empty.keeper.close({ instances: [key('shot')] });
  expect([empty.disk.text, empty.notes]).toEqual([null, []]);
  const text = lockOf(['shot']);
  const { disk, notes, keeper } = room(text, true);
  reuse(keeper, 'shot');
  await keeper.close({ instances: [key('shot')] });
  expect([disk.text, disk.writes, notes]).toEqual([text, 0, []]);
});

test('what an earlier run made and did not live to write is written by the next', async () => {
  const { disk, notes, keeper } = room(lockOf(['shot']), true);
  reuse(keeper, 'shot');
  reuse(keeper, 'cut');
  await keeper.close({ instances: [key('shot'), key('cut')] });
  expect(entries(disk.text)).toEqual(['house/cut: g-cut', 'house/shot: g-shot']);
  expect(notes).toEqual(['written']);
});

test('a lock that says something else for an owned instance is corrected, unless that came in the meantime', async () => {
  const other = lockWith([locked('shot', 'g-of-b', 'f-of-b')]);
  const back = room(other, true);
  reuse(back.keeper, 'shot');
  await back.keeper.close({ instances: [key('shot')] });
  expect(entries(back.disk.text)).toEqual(['house/shot: g-shot']);
  const pulled = room(lockOf(['shot']), true);
  reuse(pulled.keeper, 'shot');
  pulled.disk.text = other;
  await pulled.keeper.close({ instances: [key('shot')] });
  expect(entries(pulled.disk.text)).toEqual(['house/shot: g-of-b']);
});

test('the note that the journal knows the lock is untrue from the first result to the write, and again after the next', async () => {
  const { clock, notes, keeper } = room(lockOf(['shot']), true);
  learn(keeper, 'cut');
  learn(keeper, 'song');
  expect(notes).toEqual(['stale']);
  await clock.advance(10_000);
  expect(notes).toEqual(['stale', 'written']);
  learn(keeper, 'end');
  await keeper.close();
  expect(notes).toEqual(['stale', 'written', 'stale', 'written']);
});

test('a result that comes while the file is written is written next', async () => {
  const { disk, clock, notes, keeper } = room();
  learn(keeper, 'shot');
  disk.meanwhile.push(() => learn(keeper, 'cut'));
  await clock.advance(10_000);
  expect([entries(disk.text), notes.at(-1)]).toEqual([['house/shot: g-shot'], 'stale']);
  await clock.advance(10_000);
  expect([entries(disk.text), notes.at(-1)]).toEqual([['house/cut: g-cut', 'house/shot: g-shot'], 'written']);
});

test('what a git pull brings during the run survives: other keys, other services, entries of steps we do not know', async () => {
  const { disk, clock, keeper } = room(lockOf(['gone', 'shot']));
  learn(keeper, 'shot', 'g-new', 'f-new');
  await clock.advance(10_000);
  // A beat takes nothing out.
  expect(entries(disk.text)).toEqual(['house/gone: g-gone', 'house/shot: g-new']);
  // A colleague's commit: our entry is not in it, theirs are, and another service's.
  disk.text = lockOf(['theirs'], 'hosted', lockOf(['gone', 'shot', 'theirs']));
  learn(keeper, 'cut');
  await keeper.close({ instances: [key('shot'), key('cut')] });
  expect(entries(disk.text)).toEqual([
    'hosted/theirs: g-theirs',
    'house/cut: g-cut',
    'house/shot: g-new',
    'house/theirs: g-theirs',
  ]);
});

test('a run that stopped early takes nothing out', async () => {
  const { disk, keeper } = room(lockOf(['gone']));
  learn(keeper, 'shot');
  await keeper.close();
  expect(entries(disk.text)).toEqual(['house/gone: g-gone', 'house/shot: g-shot']);
});

test('a choice is written by a run that stopped early, though it has made nothing', async () => {
  const { disk, keeper } = room();
  const [from, called] = [['f-shot', 'f-cut'], ['shot', 'cut'].map(key)];
  keeper.decided({ key: key('best'), from, called, chosen: ['f-cut'], by: 'person', who: 'Ada', at: 0 });
  await keeper.close();
  expect(disk.text).toContain('best:\n      chosen: cut\n      by: person\n      who: Ada\n');
});

test('two processes that write at once lose no entry of each other', async () => {
  const { disk, open } = room();
  const one = open(undefined, false);
  const other = open(undefined, false, 'hosted');
  const third = open(undefined, false);
  for (let n = 0; n < 20; n++) {
    learn(one, `one_${n}`);
    learn(other, `other_${n}`);
    learn(third, `third_${n}`);
  }
  await Promise.all([one.close(), other.close(), third.close()]);
  expect(entries(disk.text)).toHaveLength(60);
});

test('a file that a merge left in pieces is never overwritten: told, tried again, and written once it is mended', async () => {
  const { disk, clock, keeper } = room(lockOf(['shot']));
  const pieces = `<<<<<<< HEAD\n${lockOf(['shot'])}=======\n${lockOf(['cut'])}>>>>>>> theirs\n`;
  disk.text = pieces;
  learn(keeper, 'song');
  await clock.advance(10_000);
  expect(disk.text).toBe(pieces);
  expect(keeper.problem()).toBe(
    'fox.lock.yaml is not readable YAML (line 1), perhaps after a merge; mend it, or delete it: what is owned is still in the journal',
  );
  disk.text = lockOf(['shot', 'cut']);
  await clock.advance(10_000);
  expect(entries(disk.text)).toEqual(['house/cut: g-cut', 'house/shot: g-shot', 'house/song: g-song']);
  expect(keeper.problem()).toBeUndefined();
});

test('in pieces to the end, all that would have been in it stands beside it', async () => {
  const { disk, keeper } = room(lockOf(['shot']));
  disk.text = '<<<<<<< HEAD\n';
  learn(keeper, 'cut');
  await keeper.close({ instances: [key('shot'), key('cut')] });
  expect(disk.text).toBe('<<<<<<< HEAD\n');
  expect(entries(disk.aside)).toEqual(['house/cut: g-cut', 'house/shot: g-shot']);
  expect(keeper.problem()).toMatch(
    /^fox\.lock\.yaml .*journal\. What this run would have written is in fox\.lock\.new\.yaml: run again when the lock is mended, and delete that$/,
  );
});

test.each([
  ['ENOSPC', 'the disk is full: free some space'],
  ['EROFS', 'the disk can only be read: make it writable, or choose another place'],
  ['EIO', 'the disk failed (EIO): see whether it is still sound, or choose another place'],
  ['EACCES', 'this user may not write there: change the rights of the folder, or choose another place'],
])('%s is a sentence, the run goes on, and the next beat tries again', async (code, words) => {
  const { disk, clock, notes, keeper } = room();
  disk.trouble.push(code);
  learn(keeper, 'shot');
  await clock.advance(10_000);
  expect(keeper.problem()).toBe(
    `fox.lock.yaml could not be written: ${words}; what is missing in it is in the journal, and the next run writes it`,
  );
  expect([disk.text, notes]).toEqual([null, []]);
  await clock.advance(10_000);
  expect([keeper.problem(), entries(disk.text)]).toEqual([undefined, ['house/shot: g-shot']]);
  disk.trouble.push(code);
  learn(keeper, 'cut');
  await keeper.close();
  expect(keeper.problem()).toContain(words);
});

test('too many open files is waited for, also at the end', async () => {
  const { disk, clock, keeper } = room();
  disk.trouble.push('EMFILE', 'EMFILE');
  learn(keeper, 'shot');
  const closed = keeper.close();
  await clock.advance(await clock.asleep());
  await clock.advance(await clock.asleep());
  await closed;
  expect([keeper.problem(), entries(disk.text)]).toEqual([undefined, ['house/shot: g-shot']]);
});

test('on a real disk: one file, whole, beside nothing; a text that changed since is not written over', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'fox.lock.yaml');
  const disk = lockOnDisk(path);
  expect([await disk.read(), await disk.write('one\n', null)]).toEqual([null, true]);
  expect([await disk.write('two\n', 'something else'), await disk.write('three\n', null)]).toEqual([false, false]);
  await writeFile(path, 'theirs\n');
  expect([await disk.write('four\n', 'one\n'), await disk.write('five\n', 'theirs\n')]).toEqual([false, true]);
  expect([await disk.writeAside('six\n'), await readFile(path, 'utf8')]).toEqual(['fox.lock.new.yaml', 'five\n']);
  expect((await readdir(folder)).sort()).toEqual(['fox.lock.new.yaml', 'fox.lock.yaml']);
});

test('a journal that takes no note breaks neither the run nor the lock', async () => {
  const disk = new FakeDisk();
  const refuse = () => {
    throw new Error('database or disk is full');
  };
  const keeper = keeperOf({ disk, isOurs: true, written: refuse, stale: refuse });
  learn(keeper, 'shot');
  await keeper.close();
  expect([keeper.problem(), entries(disk.text)]).toEqual([undefined, ['house/shot: g-shot']]);
});

test('where the same is put into the same file, that is not read, and what is different is written', async () => {
  const settled: (string | undefined)[] = [];
  const keeper = (disk: FakeDisk, over: Parameters<typeof keeperOf>[0]) =>
    keeperOf({ disk, found: disk.text ?? undefined, isOurs: true, written: (_, what) => settled.push(what), ...over });
  const first = new FakeDisk();
  const run = keeper(first, { isOurs: false });
  learn(run, 'shot');
  learn(run, 'final');
  const instances = [key('shot'), key('final')];
  await run.close({ instances });
  // No lock at all: a run that read it would be refused.
  const unread = new FakeDisk();
  unread.text = '<<<<<<< mine';
  const again = keeper(unread, { settled: settled[0] });
  reuse(again, 'shot');
  reuse(again, 'final');
  await again.close({ instances });
  expect([again.problem(), unread.writes, unread.aside]).toEqual([undefined, 0, undefined]);
  const fewer = keeper(first, { settled: settled[0] });
  reuse(fewer, 'shot');
  await fewer.close({ instances: [key('shot')] });
  expect([entries(first.text), settled[1] !== settled[0]]).toEqual([['house/shot: g-shot'], true]);
});

test('its beat does not keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const before = timers();
  const asked: (string | undefined)[] = [];
  const clock: Clock = {
    now: systemClock.now,
    sleep: (ms, signal, where) => {
      asked.push(where);
      return systemClock.sleep(ms, signal, where);
    },
  };
  const keeper = keeperOf({ clock });
  learn(keeper, 'shot');
  // Node lists only those that it would wait for.
  expect([asked, timers()]).toEqual([['in the background'], before]);
  await keeper.close();
});

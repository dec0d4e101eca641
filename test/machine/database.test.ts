import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { inOneTransaction, openDatabase } from '../../src/machine/files/database.ts';
import { DatabaseBusy, DatabaseRefused, refusalOf } from '../../src/machine/files/database-error.ts';
import { isMissing } from '../support/needs.ts';
import { mount, remount, unmount } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temp.ts';
import { notes } from './notes.ts';

const HOLDER = join(import.meta.dirname, 'holding-database.ts');

/** A notebook with enough in it to have an inside. */
async function written(): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, 'notes.sqlite');
  const database = openDatabase(notes(path));
  for (let n = 0; n < 500; n++) database.exec(`INSERT INTO notes (text) VALUES ('${'take '.repeat(20)}${n}')`);
  database.close();
  return { folder, path };
}

const texts = (database: DatabaseSync) =>
  database
    .prepare('SELECT text FROM notes')
    .all()
    .map(row => row.text);

test('a new file is made with its tables, in folders that need not be there, and is opened again as it was left', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'films/notes.sqlite');
  const first = openDatabase(notes(path));
  first.exec("INSERT INTO notes (text) VALUES ('a red fox')");
  expect(first.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(first.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  first.close();
  expect(await readdir(join(folder, 'films'))).toEqual(['notes.sqlite']);
  const second = openDatabase(notes(path));
  expect(texts(second)).toEqual(['a red fox']);
  second.close();
});

test('only its owner may read the file and its log; an older file that others could read is closed to them', async () => {
  const { folder, path } = await written();
  await chmod(path, 0o644);
  const shared = notes(path, { hold: 'together' });
  const database = openDatabase(shared);
  database.exec("INSERT INTO notes (text) VALUES ('a red fox')");
  const modes = async () =>
    (await readdir(folder)).map(name => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  const files = ['notes.sqlite', 'notes.sqlite-shm', 'notes.sqlite-wal'];
  expect(await modes()).toEqual(files.map(name => [name, '600']));
  for (const name of files) await chmod(join(folder, name), 0o664);
  openDatabase(shared).close();
  expect(await modes()).toEqual(files.map(name => [name, '600']));
  database.close();
});

test('an older file is brought to the newest version, all the way or not at all', async () => {
  const { path } = await written();
  const migrations = [...notes(path).migrations, 'CREATE TABLE takes (n INTEGER) STRICT'];
  const broken = [...migrations, 'CREATE TABLE cuts (n INTEGER); CREATE TABLE notes (n INTEGER)'];
  expect(() => openDatabase(notes(path, { migrations: broken }))).toThrow('table notes already exists');
  const database = openDatabase(notes(path, { migrations }));
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  expect([tables.map(({ name }) => name), texts(database).length]).toEqual([['notes', 'takes'], 500]);
  database.close();
});

test('a file with nothing in it has lost what it held, and is not taken for a new one', async () => {
  const path = join(await temporaryFolder(), 'notes.sqlite');
  await writeFile(path, '');
  const refused = new DatabaseRefused(`${path} cannot be read (it is empty); restore it from a backup`);
  expect(() => openDatabase(notes(path))).toThrow(refused);
  expect(await readFile(path, 'utf8')).toBe('');
});

test('a file that is gone while its last writes are still beside it is not begun anew', async () => {
  const { folder, path } = await written();
  const holder = spawn(process.execPath, [HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface(holder.stdout), 'line');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(await readdir(folder)).toContain('notes.sqlite-wal');
  await rm(path);
  expect(() => openDatabase(notes(path))).toThrow(
    `${path} cannot be read (it is gone, and its last writes are still there beside it); restore it from a backup`,
  );
  expect(await readdir(folder)).toContain('notes.sqlite-wal');
});

test('half a file, and one with garbage in its middle or at its head, are refused and left as they are', async () => {
  for (const spoil of [
    async (path: string) => truncate(path, 20_480),
    async (path: string) => truncate(path, 50),
    async (path: string) => writeFile(path, Buffer.alloc(8_192, 'garbage ')),
    async (path: string) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill('garbage ', 8_192, 16_384));
    },
  ]) {
    const { path } = await written();
    await spoil(path);
    const before = await readFile(path);
    expect(() => openDatabase(notes(path))).toThrow(/notes\.sqlite cannot be read \(.+\); restore it from a backup$/);
    expect(() => openDatabase(notes(path))).toThrow(DatabaseRefused);
    expect((await readFile(path)).equals(before)).toBe(true);
  }
});

test('a file that a newer version wrote is refused, and not touched', async () => {
  const { path } = await written();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 7');
  database.close();
  expect(() => openDatabase(notes(path))).toThrow(
    `${path} was written by a newer shotlist (version 7, this one reads 2): the notebook records what was paid or made, so use that newer version`,
  );
});

test("another program's file is refused, whatever number it carries", async () => {
  for (const version of [-1, 0, 1, 2]) {
    const path = join(await temporaryFolder(), 'notes.sqlite');
    const other = new DatabaseSync(path);
    other.exec(`CREATE TABLE songs (title TEXT); PRAGMA user_version = ${version}`);
    other.close();
    expect(() => openDatabase(notes(path))).toThrow(
      `${path} is an SQLite file but not the notebook of shotlist; move it away, nothing was changed in it`,
    );
    const after = new DatabaseSync(path);
    const tables = after.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.map(({ name }) => name)).toEqual(['songs']);
    after.close();
  }
});

test('held by another process it is busy, until that process ends, however it ends', async () => {
  const { path } = await written();
  const holder = spawn(process.execPath, [HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface(holder.stdout), 'line');
  expect(() => openDatabase(notes(path))).toThrow(new DatabaseBusy('somebody is writing in it: wait'));
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const database = openDatabase(notes(path));
  expect(texts(database).at(-1)).toBe('paid');
  database.close();
});

test('two may hold one together, and each reads what the other wrote', async () => {
  const path = join(await temporaryFolder(), 'notes.sqlite');
  const [one, two] = [openDatabase(notes(path, { hold: 'together' })), openDatabase(notes(path, { hold: 'together' }))];
  one.exec("INSERT INTO notes (text) VALUES ('from one')");
  two.exec("INSERT INTO notes (text) VALUES ('from two')");
  expect([texts(one), texts(two)]).toEqual([
    ['from one', 'from two'],
    ['from one', 'from two'],
  ]);
  one.close();
  two.close();
});

test('whoever makes it while another has made it takes what is there, and does not put an empty one over it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'notes.sqlite');
  // While the second makes its draft, the first finishes and writes.
  let first: DatabaseSync | undefined;
  const second = openDatabase(
    notes(path, {
      hold: 'together',
      migrations: [
        database => {
          database.exec('CREATE TABLE notes (text TEXT NOT NULL) STRICT');
          if (database.location() === null || first !== undefined) return;
          first = openDatabase(
            notes(path, { hold: 'together', migrations: ['CREATE TABLE notes (text TEXT NOT NULL) STRICT'] }),
          );
          first.exec("INSERT INTO notes (text) VALUES ('already paid')");
        },
      ],
    }),
  );
  expect(texts(second)).toEqual(['already paid']);
  second.close();
  first?.close();
  expect(await readdir(folder)).toEqual(['notes.sqlite']);
});

test('a crash between making and naming leaves nothing in the way, and what it left is swept when nobody can be making it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'notes.sqlite');
  const { signal } = spawnSync(process.execPath, [HOLDER, path, 'before the name']);
  const [left = '', ...more] = await readdir(folder);
  expect([signal, left, more]).toEqual(['SIGKILL', expect.stringMatching(/^notes\.sqlite\.[\w-]+\.new$/), []]);
  openDatabase(notes(path)).close();
  expect((await readdir(folder)).sort()).toEqual(['notes.sqlite', left]);
  // The file has two names now: the next opening finds it there, and makes nothing.
  await rm(path);
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(folder, left), longAgo, longAgo);
  openDatabase(notes(path)).close();
  expect(await readdir(folder)).toEqual(['notes.sqlite']);
});

test('a folder that may only be read is found when the file is opened or made, in words', async () => {
  const { folder, path } = await written();
  await chmod(path, 0o444);
  await chmod(folder, 0o555);
  asNobody(() => {
    for (const name of [path, join(folder, 'new.sqlite'), join(folder, 'deeper/new.sqlite')]) {
      expect(() => openDatabase(notes(name))).toThrow(DatabaseRefused);
      expect(() => openDatabase(notes(name))).toThrow(
        /^the notebook (at \S+ cannot be (written \(read-only\): make it writable|read or written \(.+\); mend the disk or its permissions)|cannot be used: \S+: it may not be used by you; change its permissions \(chmod, chown\), or choose another place), then run again$/,
      );
    }
  });
  await chmod(folder, 0o755);
  expect(await readdir(folder)).toEqual(['notes.sqlite']);
});

/** Root may write everything, so another user tries. */
function asNobody(act: () => void): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a full disk is told as that, nothing of the transaction stays, and the next one goes on', async () => {
  const { path } = await written();
  const database = openDatabase(notes(path));
  const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  // SQLite's own bound on the file stands in for the disk's end: it ends a transaction in the same way.
  database.exec(`PRAGMA max_page_count = ${page_count + 2}`);
  const add = (text: string) => database.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
  let thrown: unknown;
  try {
    inOneTransaction(database, () => [add('small'), add('x'.repeat(100_000))]);
  } catch (error) {
    thrown = error;
  }
  expect(refusalOf(thrown, notes(path))?.message).toBe(
    `the disk is full: the notebook at ${path} cannot be written; make room, then run again`,
  );
  expect([texts(database).length, database.isTransaction]).toEqual([500, false]);
  inOneTransaction(database, () => add('small'));
  expect(texts(database).length).toBe(501);
  database.close();
});

test.skipIf(isMissing('the right to mount a disk'))(
  '"disk I/O error" is explained by what the disk itself says, and a disk that cannot lock by that',
  async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'notes.sqlite');
    const explained = (errcode: number, message = 'disk I/O error') =>
      refusalOf(Object.assign(new Error(message), { errcode }), notes(path))?.message;
    mount(folder, 'size=16k');
    try {
      const [write, lock, shmMap, protocol] = [778, 3850, 5386, 15];
      const cannotLock = (message: string) =>
        `the notebook at ${path} cannot be locked (${message}): some network disks cannot lock files; move the project to a disk of this machine, then run again`;
      expect(explained(lock)).toBe(cannotLock('disk I/O error'));
      expect(explained(shmMap)).toBe(cannotLock('disk I/O error'));
      expect(explained(protocol, 'locking protocol')).toBe(cannotLock('locking protocol'));
      expect(explained(write)).toBe(
        `the notebook at ${path} cannot be read or written (disk I/O error); mend the disk or its permissions, then run again`,
      );
      await writeFile(path, Buffer.alloc(16 * 1024, 1));
      expect(explained(write)).toBe(
        `the notebook at ${path} cannot be written: the disk is full; free some space, then run again`,
      );
      expect(remount(folder, 'ro')).toBe(true);
      for (const code of [write, lock])
        expect(explained(code)).toBe(
          `the notebook at ${path} cannot be written (read-only): make it writable, then run again`,
        );
    } finally {
      unmount(folder);
    }
  },
);

test('what stands in its place, or in the place of its folder, is said with the reason', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'folder.sqlite'));
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling.sqlite'));
  const told = (name: string) => {
    const path = join(folder, name);
    try {
      openDatabase(notes(path)).close();
    } catch (error) {
      return (error as Error).message.replaceAll(path, '~').replaceAll(folder, '..');
    }
    return 'nothing';
  };
  expect(told('folder.sqlite')).toBe(
    'the notebook at ~ cannot be read or written (unable to open database file); mend the disk or its permissions, then run again',
  );
  expect(told(`${'x'.repeat(300)}.sqlite`)).toMatch(
    /^the notebook cannot be used: \S+: the name is too long for this disk; shorten it, or move the project to a shorter path, then run again$/,
  );
  expect([told('file/notes.sqlite'), told('dangling.sqlite')]).toEqual([
    'the notebook cannot be used: ../file: a folder is needed here, and something else is in its place; move that away, then run again',
    'the notebook cannot be used: ~: it is not there, or was taken away meanwhile; put it back, then run again',
  ]);
});

test('a mistake of ours is not told as damage', async () => {
  const path = join(await temporaryFolder(), 'notes.sqlite');
  expect(() => openDatabase(notes(path, { migrations: ['CREATE TABEL notes (text TEXT)'] }))).toThrow('syntax error');
  const database = openDatabase(notes(path));
  expect(() => database.exec('SELECT * FROM nowhere')).toThrow('no such table');
  const wrong = (() => {
    try {
      database.exec('SELECT * FROM nowhere');
    } catch (error) {
      return error;
    }
  })();
  expect(refusalOf(wrong, notes(path))).toBe(undefined);
  database.close();
});

test('a second name of the file is held like the first', async () => {
  const { folder, path } = await written();
  await link(path, join(folder, 'again.sqlite'));
  const database = openDatabase(notes(path));
  expect(() => openDatabase(notes(join(folder, 'again.sqlite')))).toThrow(DatabaseBusy);
  database.close();
});

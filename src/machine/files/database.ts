/**
 * Opens a file of ours in SQLite: holds it, checks it, and brings it to the newest version. Its content is money or work,
 * so a file that cannot be read is refused with the reason and never started over.
 *
 * A new file is made under another name and linked to its own when its tables are in it. So a file that is there and empty has lost
 * its content; and when two processes make it at once, the second takes the first one's.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { codeOf } from '../error-code.ts';
import { type DatabaseLabel, DatabaseRefused, damage, refusalOf } from './database-error.ts';

export interface DatabaseSpec extends DatabaseLabel {
  readonly path: string;
  /** Each entry takes the tables one version further; entries are never edited once released. */
  readonly migrations: readonly (string | ((database: DatabaseSync) => void))[];
  /** `alone`: no other process may have it open, until it is closed or the process ends, however it ends. */
  readonly hold: 'alone' | 'together';
  /** Milliseconds to wait for another process that has it. By default a file that is held alone is not waited for. */
  readonly busyTimeout?: number;
}

/** Milliseconds to wait for another process that is just writing. */
const BUSY_TIMEOUT = 5_000;
/** Bytes up to which a file is read through for damage when it is opened. In a larger file, damage is found where it is read. */
const CHECK_UP_TO = 32 * 1024 * 1024;
/** Endings of the files beside a database in WAL mode. */
const LOG_FILES = ['-wal', '-shm'];
/** Error codes of a mode that cannot be changed: another user's file, a read-only disk, a disk without modes. */
const UNCHANGEABLE: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'EROFS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
]);

/** Durable at every commit: WAL, and a sync with each. Only its owner may read it, and the log beside it. @throws {DatabaseRefused} */
export function openDatabase(kept: DatabaseSpec): DatabaseSync {
  try {
    makeFolder(dirname(kept.path));
    if (!existsSync(kept.path)) make(kept);
    if (statSync(kept.path).size === 0) throw new DatabaseRefused(damage(kept, 'it is empty'));
    for (const end of ['', ...LOG_FILES]) makePrivate(kept.path + end);
    return open(kept.path, kept);
  } catch (error) {
    throw error instanceof DatabaseRefused ? error : (refusalOf(error, kept) ?? error);
  }
}

/** SQL → its statement: reading the text costs more than carrying it out. */
export function statementsOf(database: DatabaseSync): (sql: string) => StatementSync {
  const known = new Map<string, StatementSync>();
  return sql => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
}

/** Does all of the work or none of it, and is durable when it returns. Throws what the work, or the disk, throws. */
export function inOneTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk ends the transaction by itself, and there is nothing left to roll back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Makes folders one by one: where several are missing on a read-only disk, Node's own `recursive` fails with "not there". */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const isThere = codeOf(error) === 'EEXIST' && statSync(folder).isDirectory();
    // Another process was quicker.
    if (isThere) return;
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}

/** Log files that SQLite makes get the mode of the database. A file of another user's keeps its mode, as does one on a read-only disk. */
function makePrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    if (!UNCHANGEABLE.has(codeOf(error) ?? '')) throw error;
  }
}

function make(kept: DatabaseSpec): void {
  // SQLite would play the old log into the new, empty file.
  const lastWrites = `${kept.path}-wal`;
  if (existsSync(lastWrites) && statSync(lastWrites).size > 0)
    throw new DatabaseRefused(damage(kept, 'it is gone, and its last writes are still there beside it'));
  sweepDrafts(kept.path);
  const draft = draftOf(kept.path);
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const database = open(draft, { ...kept, hold: 'alone' });
    try {
      // Closing does not fail where the disk is full, and leaves the rest in the log; but only the file itself is given its name.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      database.close();
    }
    place(draft, kept.path);
  } finally {
    for (const end of ['', ...LOG_FILES, '-journal']) rmSync(draft + end, { force: true });
  }
}

function open(path: string, kept: DatabaseSpec): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${kept.busyTimeout ?? (kept.hold === 'alone' ? 0 : BUSY_TIMEOUT)}`);
    if (kept.hold === 'alone') database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // The lock is taken, and a disk that cannot be written is found, before anything hangs on it.
    database.exec(kept.hold === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
    database.exec('COMMIT');
    if (statSync(path).size <= CHECK_UP_TO) check(database, kept);
    migrate(database, kept);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function check(database: DatabaseSync, kept: DatabaseSpec): void {
  const found = String(Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]);
  if (found !== 'ok') throw new DatabaseRefused(damage(kept, found.split('\n').join(' ')));
}

function migrate(database: DatabaseSync, kept: DatabaseSpec): void {
  refuseForeign(database, versionOf(database), kept);
  if (versionOf(database) === kept.migrations.length) return;
  inOneTransaction(database, () => {
    // Read again: another process may have been quicker.
    const version = versionOf(database);
    refuseNewer(version, kept);
    applyMigrations(database, kept.migrations.slice(Math.max(0, version)));
    database.exec(`PRAGMA user_version = ${kept.migrations.length}`);
  });
}

function refuseNewer(version: number, { path, migrations, words }: DatabaseSpec): void {
  if (version <= migrations.length) return;
  throw new DatabaseRefused(
    `${path} was written by a newer shotlist (version ${version}, this one reads ${migrations.length}): ${words.what} records what was paid or made, so use that newer version`,
  );
}

/** Another program's file may carry one of our version numbers. Its tables show that it is not ours. */
function refuseForeign(database: DatabaseSync, version: number, { path, migrations, words }: DatabaseSpec): void {
  const tables = tablesOf(database);
  const ours = tablesAt(migrations.slice(0, Math.max(0, version)));
  const isForeign = ours.length === 0 ? tables.length > 0 && version <= 0 : ours.some(name => !tables.includes(name));
  if (!isForeign || version > migrations.length) return;
  throw new DatabaseRefused(
    `${path} is an SQLite file but not ${words.what} of shotlist; move it away, nothing was changed in it`,
  );
}

function applyMigrations(database: DatabaseSync, migrations: DatabaseSpec['migrations']): void {
  for (const migration of migrations) {
    if (typeof migration === 'string') database.exec(migration);
    else migration(database);
  }
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

const tablesOf = (database: DatabaseSync): readonly string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

/** The tables that these migrations make in an empty database. */
function tablesAt(migrations: DatabaseSpec['migrations']): readonly string[] {
  const empty = new DatabaseSync(':memory:');
  try {
    applyMigrations(empty, migrations);
    return tablesOf(empty);
  } finally {
    empty.close();
  }
}

/** Milliseconds after which a draft is abandoned. */
const LEFT_BEHIND = 60 * 60_000;

/** A new database has a name of its own until it is whole. */
export const draftOf = (path: string): string => `${path}.${crypto.randomUUID()}.new`;

/** Gives the whole file its name, unless the name is taken by then: the other file may have been written to already. */
function place(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return;
    if (!LINKLESS.has(code)) throw error;
    copy(draft, path);
  }
  syncFolder(dirname(path));
}

/** Error codes of disks that know no hard links: FAT, and some network shares. */
const LINKLESS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EINVAL',
  'EMLINK',
]);

/** Copies, and never over another file. A crash within these few kilobytes leaves half a file, which is refused when it is opened. */
function copy(draft: string, path: string): void {
  try {
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  sync(path);
}

/** Removes drafts that a killed process left behind. */
function sweepDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.new(-wal|-shm|-journal)?$/.test(name)) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > LEFT_BEHIND) rmSync(join(folder, name), { force: true });
  }
}

/** A name is durable once its folder is. Windows cannot open a folder, and need not sync it. */
function syncFolder(folder: string): void {
  if (platform() !== 'win32') sync(folder);
}

function sync(path: string): void {
  const handle = openSync(path, platform() === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
